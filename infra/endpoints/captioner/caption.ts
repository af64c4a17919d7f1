/** Puts what was read and measured into a caption of the asked style; pure. Called by the captioner's server. */
import { type CaptionLanguage, copyMark } from "@touchstone/core/domain/describe/caption-prompt";
import type { Strategy } from "@touchstone/core/schema/gist";
import { type CaptionWords, captionWords, type Orientation } from "./caption-words.ts";
import type { Message } from "./chat-layout.ts";
import type { Appearance, ColourName } from "./named-colours.ts";
import { sharedHeight } from "./reading-order.ts";
import type { TextLine } from "./text-reader.ts";

export interface Seen {
  /** As a viewer shows it. */
  readonly width: number;
  readonly height: number;
  /** In reading order, in pixels of a picture that is `lineSpan` high. */
  readonly lines: readonly TextLine[];
  readonly lineSpan: number;
  /** Null when the picture is not a chat screenshot. */
  readonly messages: readonly Message[] | null;
  /** Share of the picture inside text boxes. */
  readonly coverage: number;
  readonly appearance: Appearance;
}

const maxSamples = 8;
/** White space tells cells apart and changes no word. */
const cellGap = "   ";
/** A heading is this much taller than the median line. */
const largeRatio = 1.6;

/** `text`: all lines with their places; `picture`: what can be measured, and some of the text; `mixed`: both. */
export function writeCaption(seen: Seen, style: Strategy, language: CaptionLanguage): string {
  const words = captionWords[language];
  switch (style) {
    case "text":
      return transcript(seen, words);
    case "picture":
      return [
        ...facts(seen, words),
        foundText(seen, words),
        ...textPlaces(seen, words),
        words.notIdentified,
      ].join("\n");
    case "mixed":
      return [
        transcript(seen, words),
        ...facts(seen, words),
        ...textPlaces(seen, words),
        words.notIdentified,
      ].join("\n");
    default:
      return style satisfies never;
  }
}

function transcript(seen: Seen, words: CaptionWords): string {
  if (seen.lines.length === 0) return words.noText;
  if (seen.messages) {
    const messages = seen.messages.map(
      ({ side, speaker, lines }) =>
        words.sides[side] +
        (speaker === null ? "" : words.speaker(speaker)) +
        joinWrapped(lines.map((line) => line.text)),
    );
    return [words.chat(messages.length), ...messages.map(copied)].join("\n");
  }
  const heights = seen.lines.map((line) => line.height).sort((a, b) => a - b);
  const median = heights[Math.floor(heights.length / 2)] ?? 0;
  const rows = cellRows(seen.lines).map(
    (cells) =>
      (cells.some(({ height }) => height > largeRatio * median) ? words.large : "") +
      cells.map(({ text }) => text).join(cellGap),
  );
  return [words.page(rows.length), ...rows.map(copied)].join("\n");
}

const copied = (line: string): string => copyMark + line;

/** Lines in reading order that stand beside each other are one row, as in a table; columns of running text never are. */
function cellRows(lines: readonly TextLine[]): TextLine[][] {
  const result: TextLine[][] = [];
  for (const line of lines) {
    const before = result.at(-1)?.at(-1);
    const isBeside =
      before !== undefined &&
      line.x >= before.x + before.width - 0.5 * line.height &&
      sharedHeight(before, line) > 0.5 * Math.min(before.height, line.height);
    if (isBeside) result.at(-1)?.push(line);
    else result.push([line]);
  }
  return result;
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
  return [
    words.frame(orientation, seen.width, seen.height),
    words.look(colours, brightness),
    ...bandColours(seen.appearance.bands, words),
  ];
}

/** Which colour leads at the top, in the middle and at the bottom; nothing to say where it is one and the same. */
function bandColours(bands: readonly ColourName[], words: CaptionWords): string[] {
  if (new Set(bands).size < 2) return [];
  const named = bands.map((name, index) => words.bandColour(words.bands[index] ?? "", words.colours[name]));
  return [words.bandColours(named.join(words.listSeparator))];
}

function textPlaces(seen: Seen, words: CaptionWords): string[] {
  if (seen.lines.length === 0) return [];
  const counts = words.bands.map((_, band) => {
    const isInside = (line: TextLine) =>
      Math.floor((3 * (line.y + line.height / 2)) / seen.lineSpan) === band;
    return seen.lines.filter(isInside).length;
  });
  const named = counts.flatMap((count, band) =>
    count > 0 ? [words.textIn(words.bands[band] ?? "", count)] : [],
  );
  return [words.textPlaces(named.join(words.listSeparator))];
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
