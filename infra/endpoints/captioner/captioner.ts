/** Looks at one picture and says what it is told to say; the whole model behind the captioner's server. */
import type { CaptionLanguage } from "@touchstone/core/domain/describe/caption-prompt";
import type { Strategy } from "@touchstone/core/schema/gist";
import sharp from "sharp";
import { type DecodedImage, decodeImage } from "../image-strategy/decode-image.ts";
import { writeCaption } from "./caption.ts";
import { chatMessages } from "./chat-layout.ts";
import { joinTiles } from "./join-tiles.ts";
import { describeAppearance } from "./named-colours.ts";
import { loadTextReader } from "./text-reader.ts";

export interface Captioned {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** `tiles` are one picture: as a rule one, of a long one its pieces, which share `overlap` of their length. */
export type Captioner = (
  tiles: readonly Buffer[],
  overlap: number,
  style: Strategy,
  language: CaptionLanguage,
) => Promise<Captioned>;

/** Letters of a readable screen stay readable at this size; a wider picture is only shrunk, a longer one is tiled. */
const readingLimits = { maxShortSide: 1_600, maxLongSide: 24_000 };

/** Loads the networks. The captioner it gives throws `UnreadableImage` for bytes that are not a picture. */
export async function loadCaptioner(threads: number): Promise<Captioner> {
  const readText = await loadTextReader(threads);
  return async (tiles, overlap, style, language) => {
    const decoded: DecodedImage[] = [];
    for (const bytes of tiles)
      decoded.push(await asWideAs(decoded[0], await decodeImage(bytes, readingLimits)));
    const image = joinTiles(decoded, overlap);
    const [lines, appearance] = await Promise.all([readText(image), describeAppearance(image)]);
    const textArea = lines.reduce((sum, line) => sum + line.width * line.height, 0);
    const seen = {
      width: image.originalWidth,
      height: image.originalHeight,
      lines,
      lineSpan: image.height,
      messages: chatMessages(image, lines),
      coverage: Math.min(1, textArea / (image.width * image.height)),
      appearance,
    };
    return { text: writeCaption(seen, style, language), width: seen.width, height: seen.height };
  };
}

/** A tile that was hard to encode may have come smaller than its neighbours. */
async function asWideAs(first: DecodedImage | undefined, tile: DecodedImage): Promise<DecodedImage> {
  if (first === undefined) return tile;
  const isUpright = first.height >= first.width;
  const scale = isUpright ? first.width / tile.width : first.height / tile.height;
  if (scale === 1) return tile;
  const width = isUpright ? first.width : Math.round(tile.width * scale);
  const height = isUpright ? Math.round(tile.height * scale) : first.height;
  const data = await sharp(tile.data, { raw: { width: tile.width, height: tile.height, channels: 3 } })
    .resize(width, height, { fit: "fill" })
    .raw()
    .toBuffer();
  return { data, width, height, originalWidth: width, originalHeight: height };
}
