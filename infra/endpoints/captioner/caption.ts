/** Puts what was read and measured into a caption of the asked style; pure. Called by the captioner's server. */
import type { CaptionLanguage } from "@touchstone/core/domain/describe/caption-prompt";
import type { Strategy } from "@touchstone/core/schema/gist";
import { type CaptionWords, captionWords, type Orientation } from "./caption-words.ts";
import type { Message } from "./chat-layout.ts";
import type { Appearance } from "./named-colours.ts";
import type { TextLine } from "./text-reader.ts";

export interface Seen {
  /** As a viewer shows it. */
  readonly width: number;
  readonly height: number;
  /** In reading order. */
  readonly lines: readonly TextLine[];
  /** Null when the picture is not a chat screenshot. */
  readonly messages: readonly Message[] | null;
  /** Share of the picture inside text boxes. */
  readonly coverage: number;
  readonly appearance: Appearance;
}

const maxSamples = 8;
/** A heading is this much taller than the median line. */
const largeRatio = 1.6;

/** `text`: all lines with their places; `picture`: what can be measured, and some of the text; `mixed`: both. */
export function writeCaption(seen: Seen, style: Strategy, language: CaptionLanguage): string {
  const words = captionWords[language];
  switch (style) {
    case "text":
      return transcript(seen, words);
    case "picture":
      return [...facts(seen, words), foundText(seen, words), words.notIdentified].join("\n");
    case "mixed":
      return [transcript(seen, words), ...facts(seen, words), words.notIdentified].join("\n");
    default:
      return style satisfies never;
  }
}

function transcript(seen: Seen, words: CaptionWords): string {
  if (seen.lines.length === 0) return words.noText;
  if (seen.messages) {
    const messages = seen.messages.map(
      (message) => words.sides[message.side] + joinWrapped(message.lines.map((line) => line.text)),
    );
    return [words.chat(messages.length), ...messages].join("\n");
  }
  const heights = seen.lines.map((line) => line.height).sort((a, b) => a - b);
  const median = heights[Math.floor(heights.length / 2)] ?? 0;
  const lines = seen.lines.map((line) =>
    line.height > largeRatio * median ? words.large + line.text : line.text,
  );
  return [words.page(lines.length), ...lines].join("\n");
}

/** Undoes the bubble's line wrapping: a space between Latin words, nothing between Chinese characters. */
export function joinWrapped(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    const needsSpace = /[!-~]$/.test(text) && /^[!-~]/.test(line);
    return text + (needsSpace ? " " : "") + line;
  }, "");
}

function facts(seen: Seen, words: CaptionWords): string[] {
  const colours = seen.appearance.colours
    .slice(0, 4)
    .map(({ name, share }) => `${words.colours[name]} ${percent(share)}`)
    .join(words.listSeparator);
  const level = seen.appearance.brightness;
  const brightness = words.brightness[level < 0.35 ? "dark" : level < 0.65 ? "medium" : "bright"];
  const orientation = words.orientations[orientationOf(seen.width, seen.height)];
  return [words.frame(orientation, seen.width, seen.height), words.look(colours, brightness)];
}

function foundText(seen: Seen, words: CaptionWords): string {
  if (seen.lines.length === 0) return words.noText;
  const samples = seen.lines
    .slice(0, maxSamples)
    .map((line) => `“${line.text}”`)
    .join("");
  const more = seen.lines.length > maxSamples;
  return words.found(seen.lines.length, percent(seen.coverage), samples, more);
}

function orientationOf(width: number, height: number): Orientation {
  if (width > height * 1.05) return "landscape";
  return height > width * 1.05 ? "portrait" : "square";
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
