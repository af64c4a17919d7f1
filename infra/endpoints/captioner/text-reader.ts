/** Reads all text of a picture: tile, detect, recognise, drop junk, order. Called by the captioner's server. */
import type { Pixels } from "../image-strategy/decode-image.ts";
import { loadLineRecogniser } from "./line-recogniser.ts";
import { readingOrder } from "./reading-order.ts";
import type { Box } from "./text-boxes.ts";
import { loadTextDetector } from "./text-detector.ts";
import { mergeTiles, tilesOf } from "./tiles.ts";

/** A line as read; coordinates are pixels of the picture. */
export interface TextLine extends Box {
  readonly text: string;
  /** Mean probability of its characters. */
  readonly confidence: number;
}

export type TextReader = (image: Pixels) => Promise<TextLine[]>;

/** The network's own working size; smaller loses small print, larger splits big headings. */
const detectionSide = 960;
/** Textures are now and then read as one or two letters, so short lines must be surer. */
const minConfidence = 0.6;
const minShortConfidence = 0.75;
const shortLength = 2;

/** Loads both networks. Lines come in reading order. */
export async function loadTextReader(threads: number): Promise<TextReader> {
  const [detect, recognise] = await Promise.all([loadTextDetector(threads), loadLineRecogniser(threads)]);
  return async (image) => {
    const tiles = tilesOf(image.width, image.height);
    const found = [];
    for (const tile of tiles) found.push(await detect(cut(image, tile), detectionSide));
    const lines: TextLine[] = [];
    for (const box of mergeTiles(tiles, found)) {
      const { text, confidence } = await recognise(image, box);
      const line = {
        x: box.x,
        y: box.y,
        width: box.width,
        height: box.height,
        text: text.trim(),
        confidence,
      };
      if (isText(line)) lines.push(line);
    }
    return readingOrder(lines);
  };
}

function isText(line: TextLine): boolean {
  if (!/[\p{L}\p{N}]/u.test(line.text)) return false;
  return line.confidence >= ([...line.text].length <= shortLength ? minShortConfidence : minConfidence);
}

function cut(image: Pixels, tile: Box): Pixels {
  if (tile.width === image.width && tile.height === image.height) return image;
  const data = Buffer.alloc(tile.width * tile.height * 3);
  for (let y = 0; y < tile.height; y++) {
    const from = ((tile.y + y) * image.width + tile.x) * 3;
    image.data.copy(data, y * tile.width * 3, from, from + tile.width * 3);
  }
  return { data, width: tile.width, height: tile.height };
}
