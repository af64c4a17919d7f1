/** How large a normalised picture is; used by sharp-normaliser.ts. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

const longestSide = 2048;
/** A long screenshot shrunk to a narrow strip has no readable text left, so its width is kept up. */
const narrowest = 640;
const tallest = 8192;

/** Never enlarges; keeps the proportions to the nearest pixel. */
export const fitPicture = ({ width, height }: Size): Size => {
  const whole = Math.min(1, longestSide / Math.max(width, height));
  const legible = height > width ? Math.min(1, narrowest / width, tallest / height) : 0;
  const scale = Math.max(whole, legible);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};
