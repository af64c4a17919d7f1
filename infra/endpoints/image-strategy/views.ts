/** In which shape the network sees a picture, and its pixels cut to that; pure. Serving and training share it. */
import type { Pixels } from "./decode-image.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** About 50,000 pixels each, sides in multiples of 32: nothing is lost to borders, and a phone's screen stays tall. */
export const viewShapes: readonly Size[] = [
  { width: 128, height: 384 },
  { width: 160, height: 320 },
  { width: 192, height: 256 },
  { width: 224, height: 224 },
  { width: 256, height: 192 },
  { width: 320, height: 160 },
  { width: 384, height: 128 },
];

/** Beyond this times the outermost shape, a strip is looked at in pieces instead of being squeezed. */
const squeeze = 1.25;
const maxPieces = 4;
/** In pieces' lengths; a longer strip is squeezed. It bounds the memory: one pixel by a million is a picture too. */
const maxStrip = 16;

export interface ViewPlan {
  /** The whole picture is stretched to this size. */
  readonly picture: Size;
  /** The size of each piece. */
  readonly shape: Size;
  /** Where the pieces begin along the longer side: one that is everything, or several spread evenly over a strip. */
  readonly starts: readonly number[];
}

/** The shape closest to the picture's own, in proportion. */
export function planViews(width: number, height: number): ViewPlan {
  const proportion = Math.log(width / height);
  const off = (shape: Size) => Math.abs(proportion - Math.log(shape.width / shape.height));
  const shape = viewShapes.reduce((best, next) => (off(next) < off(best) ? next : best));
  if (off(shape) <= Math.log(squeeze)) return { picture: shape, shape, starts: [0] };
  const [short, long] = [Math.min(shape.width, shape.height), Math.max(shape.width, shape.height)];
  const strip = Math.round((short * Math.max(width, height)) / Math.min(width, height));
  const length = Math.min(strip, long * maxStrip);
  const pieces = Math.min(maxPieces, Math.ceil(length / long));
  return {
    picture: height > width ? { width: short, height: length } : { width: length, height: short },
    shape,
    starts: Array.from({ length: pieces }, (_, i) => Math.round((i * (length - long)) / (pieces - 1))),
  };
}

/** The pieces' values from 0 to 255, of shape [pieces, 3, height, width], red first. */
export function viewValues(image: Pixels, { shape, starts }: ViewPlan): Float32Array {
  const plane = shape.width * shape.height;
  const values = new Float32Array(starts.length * 3 * plane);
  for (const [piece, start] of starts.entries()) {
    const [left, top] = image.width > shape.width ? [start, 0] : [0, start];
    for (let y = 0; y < shape.height; y++) {
      let from = ((top + y) * image.width + left) * 3;
      let to = piece * 3 * plane + y * shape.width;
      for (let x = 0; x < shape.width; x++, to++) {
        for (let channel = 0; channel < 3; channel++) values[to + channel * plane] = image.data[from++] ?? 0;
      }
    }
  }
  return values;
}
