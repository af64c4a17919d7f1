/** Looks at one picture and says what it is told to say; the whole model behind the captioner's server. */
import type { CaptionLanguage } from "@touchstone/core/domain/describe/caption-prompt";
import type { Strategy } from "@touchstone/core/schema/gist";
import { decodeImage } from "../image-strategy/decode-image.ts";
import { writeCaption } from "./caption.ts";
import { chatMessages } from "./chat-layout.ts";
import { describeAppearance } from "./named-colours.ts";
import { loadTextReader } from "./text-reader.ts";

export interface Captioned {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

export type Captioner = (bytes: Buffer, style: Strategy, language: CaptionLanguage) => Promise<Captioned>;

/** Letters of a readable screen stay readable at this size; a wider picture is only shrunk, a longer one is tiled. */
const readingLimits = { maxShortSide: 1_600, maxLongSide: 24_000 };

/** Loads the networks. The captioner it gives throws `UnreadableImage` for bytes that are not a picture. */
export async function loadCaptioner(threads: number): Promise<Captioner> {
  const readText = await loadTextReader(threads);
  return async (bytes, style, language) => {
    const image = await decodeImage(bytes, readingLimits);
    const [lines, appearance] = await Promise.all([readText(image), describeAppearance(image)]);
    const textArea = lines.reduce((sum, line) => sum + line.width * line.height, 0);
    const seen = {
      width: image.originalWidth,
      height: image.originalHeight,
      lines,
      messages: chatMessages(image, lines),
      coverage: Math.min(1, textArea / (image.width * image.height)),
      appearance,
    };
    return { text: writeCaption(seen, style, language), width: seen.width, height: seen.height };
  };
}
