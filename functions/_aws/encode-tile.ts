/** Encodes pixels so that a request to a model can carry them. Used by sharp-normaliser.ts. */
import { thumbnailPixels } from "@touchstone/core/domain/describe/picture-limits";
import type { PictureTile } from "@touchstone/core/ports";
import sharp, { type Sharp } from "sharp";

export interface Pixels {
  /** Three bytes a pixel: red, green, blue. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Drawings and plain screenshots have few colours, and JPEG would smear their edges. */
const fewColours = 256;
/** Beyond these bytes a tile makes requests slow for no more to see; a lower quality is tried first. */
const easyBytes = 1_200_000;
const fineQualities = [88, 80, 70] as const;
const coarseQualities = [60, 45] as const;
/** Pixels are given up last, since small print goes with them. */
const shrinkStep = 0.75;

const raw = ({ data, width, height }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });

/** At a size at which the layout can be told but not read; null for a tile that is no larger than that itself. */
export const encodeThumbnail = async (pixels: Pixels): Promise<Uint8Array | null> => {
  const { width, height } = pixels;
  const scale = Math.sqrt(thumbnailPixels / (width * height));
  if (scale >= 1) return null;
  return raw(pixels)
    .resize({
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      fit: "fill",
    })
    .jpeg({ quality: 90 })
    .toBuffer();
};

/** The tile inside `most` bytes: first by quality, then by size. */
export const encodeTile = async (pixels: Pixels, most: number): Promise<PictureTile> => {
  const { data, width, height } = pixels;
  if (hasFewColours(data)) {
    const bytes = await raw(pixels).png({ compressionLevel: 9 }).toBuffer();
    if (bytes.byteLength <= most) return { bytes, mediaType: "image/png", width, height };
  }
  const easy = Math.min(easyBytes, most);
  for (const [qualities, limit] of [
    [fineQualities, easy],
    [coarseQualities, most],
  ] as const) {
    for (const quality of qualities) {
      // Full chroma: coloured text on a coloured ground is unreadable at half of it.
      const bytes = await raw(pixels).jpeg({ quality, chromaSubsampling: "4:4:4" }).toBuffer();
      if (bytes.byteLength <= limit) return { bytes, mediaType: "image/jpeg", width, height };
    }
  }
  const smaller = { width: Math.ceil(width * shrinkStep), height: Math.ceil(height * shrinkStep) };
  const shrunk = await raw(pixels)
    .resize({ ...smaller, fit: "fill" })
    .raw()
    .toBuffer();
  return encodeTile({ data: shrunk, ...smaller }, most);
};

const hasFewColours = (data: Buffer): boolean => {
  const colours = new Set<number>();
  let last = -1;
  for (let offset = 0; offset + 2 < data.length; offset += 3) {
    const colour = ((data[offset] ?? 0) << 16) | ((data[offset + 1] ?? 0) << 8) | (data[offset + 2] ?? 0);
    // Neighbours are mostly alike, and the set is the slow part.
    if (colour === last) continue;
    last = colour;
    colours.add(colour);
    if (colours.size > fewColours) return false;
  }
  return true;
};
