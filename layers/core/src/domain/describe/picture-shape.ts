/** How large a picture is shown to models, and where a very long one is cut into tiles. Used by the normaliser. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PictureShape {
  /** The whole picture is scaled to this, proportions kept to within a few pixels. */
  readonly scaled: Size;
  /** Then laid in the middle of this canvas: larger than `scaled` where models refuse so thin a strip. */
  readonly canvas: Size;
  /** Where tiles start along the longer side, and how long each is; one tile of the whole length as a rule. */
  readonly starts: readonly number[];
  readonly length: number;
  /** Pixels that a tile repeats of the one before. */
  readonly overlap: number;
}

/** Above every camera and screenshot that people really send; a bomb claims far more in its header. */
export const maxPixels = 100_000_000;
/** Of files that cannot be decoded row by row but have to be held whole. */
export const maxHeldPixels = 40_000_000;
/** What has fewer shows nothing: placeholders and counting pixels. */
export const minPixels = 16;

const longestSide = 2048;
/** About 3,000 tokens of a vision model: more costs the judge's context and shows a photo no better. */
const mostPixels = 2_400_000;
/** Small print of a screen stays legible down to this width. */
const legibleSide = 640;
/** Wider than this a long page gains nothing for reading, and every tile costs the judge more. */
const tileShortSide = 800;
/** Thinner than this nothing is written on it. */
const writableSide = 24;
const tileOverlap = 160;
/** So that a long page never costs more than ten pictures. */
const mostTiles = 10;
/** Vision models refuse sides under one patch (28 or 32 pixels) and shapes beyond 1 : 200. */
const shortestSide = 32;
const steepestShape = 50;
/** An icon is enlarged until a patch shows part of it, not all of it. */
const iconSide = 64;

/** Throws nothing: every size from 1 × 1 on has a shape. Sizes are upright, after EXIF. */
export const shapePicture = (size: Size): PictureShape => {
  const long = Math.max(size.width, size.height);
  const short = Math.min(size.width, size.height);
  const whole = Math.min(1, longestSide / long, Math.sqrt(mostPixels / (long * short)));
  if (short < iconSide && whole === 1) return oneTile(scaledBy(size, enlargement(short, long)));
  const isLong = short * whole < Math.min(short, legibleSide) && short >= writableSide;
  return isLong ? tiled(size, short, long) : oneTile(scaledBy(size, whole));
};

/** Whole factors only, so that pixels of icons stay sharp. */
const enlargement = (short: number, long: number): number =>
  Math.max(1, Math.min(Math.ceil(iconSide / short), Math.floor(longestSide / 2 / long)));

const oneTile = (scaled: Size): PictureShape => {
  const least = Math.max(shortestSide, Math.ceil(Math.max(scaled.width, scaled.height) / steepestShape));
  const canvas = { width: Math.max(least, scaled.width), height: Math.max(least, scaled.height) };
  return { scaled, canvas, starts: [0], length: Math.max(canvas.width, canvas.height), overlap: 0 };
};

const tiled = (size: Size, short: number, long: number): PictureShape => {
  const most = mostTiles * (longestSide - tileOverlap) + tileOverlap;
  const rough = scaledBy(size, Math.min(1, tileShortSide / short, most / long));
  const reach = Math.max(rough.width, rough.height);
  const count = Math.min(mostTiles, Math.ceil((reach - tileOverlap) / (longestSide - tileOverlap)));
  if (count < 2) return oneTile(rough);
  const length = Math.ceil((reach + (count - 1) * tileOverlap) / count);
  // Some pixels longer, so that all tiles and all overlaps are equal and can be put together again.
  const exact = count * length - (count - 1) * tileOverlap;
  const scaled = size.height >= size.width ? { ...rough, height: exact } : { ...rough, width: exact };
  const starts = Array.from({ length: count }, (_, index) => index * (length - tileOverlap));
  return { scaled, canvas: canvasOf(scaled), starts, length, overlap: tileOverlap };
};

/** Of a long strip only its short side can be too short. */
const canvasOf = ({ width, height }: Size): Size => ({
  width: Math.max(shortestSide, width),
  height: Math.max(shortestSide, height),
});

const scaledBy = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});
