/** Colour questions about an area of a picture, used to find chat bubbles; pure. */
import type { Pixels } from "../image-strategy/decode-image.ts";
import type { Box } from "./text-boxes.ts";

export type Rgb = readonly [number, number, number];

/** Largest difference per channel of one painted colour after JPEG; WeChat's white and page grey differ by 18. */
const tolerance = 12;
/** A field is one-coloured when this share of it is near one colour; letters and JPEG's noise take the rest. */
const minShare = 0.35;
const noise = 30;

/** True when a person would call both the same paint. */
export function closeTo(a: Rgb, b: Rgb, within = tolerance): boolean {
  return a.every((value, i) => Math.abs(value - (b[i] ?? 0)) <= within);
}

/** The colour that most of the area has, or null when no colour has enough of it. */
export function commonColour(image: Pixels, area: Box): Rgb | null {
  const bins = new Map<number, { count: number; sum: [number, number, number] }>();
  forEachPixel(image, area, (r, g, b) => {
    const key = ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
    const bin = bins.get(key);
    if (bin) {
      bin.count++;
      bin.sum[0] += r;
      bin.sum[1] += g;
      bin.sum[2] += b;
    } else bins.set(key, { count: 1, sum: [r, g, b] });
  });
  let best: { count: number; sum: [number, number, number] } | undefined;
  for (const bin of bins.values()) if (!best || bin.count > best.count) best = bin;
  if (!best) return null;
  const { count, sum } = best;
  const colour: Rgb = [sum[0] / count, sum[1] / count, sum[2] / count];
  return 1 - shareUnlike(image, area, colour, noise) >= minShare ? colour : null;
}

/** Share of the area's pixels that are not `colour`; 0 for an empty area. */
export function shareUnlike(image: Pixels, area: Box, colour: Rgb, within = tolerance): number {
  let unlike = 0;
  let total = 0;
  forEachPixel(image, area, (r, g, b) => {
    total++;
    if (!closeTo([r, g, b], colour, within)) unlike++;
  });
  return total === 0 ? 0 : unlike / total;
}

/** Share of the area's pixels that are nearer to `colour` than to `other`: robust where JPEG rings around letters. */
export function shareNearer(image: Pixels, area: Box, colour: Rgb, other: Rgb): number {
  let nearer = 0;
  let total = 0;
  forEachPixel(image, area, (r, g, b) => {
    total++;
    if (distance([r, g, b], colour) < distance([r, g, b], other)) nearer++;
  });
  return total === 0 ? 0 : nearer / total;
}

function distance(a: Rgb, b: Rgb): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

function forEachPixel(image: Pixels, area: Box, visit: (r: number, g: number, b: number) => void): void {
  const right = Math.min(image.width, Math.round(area.x + area.width));
  const bottom = Math.min(image.height, Math.round(area.y + area.height));
  for (let y = Math.max(0, Math.round(area.y)); y < bottom; y++) {
    for (let x = Math.max(0, Math.round(area.x)); x < right; x++) {
      const o = (y * image.width + x) * 3;
      visit(image.data[o] ?? 0, image.data[o + 1] ?? 0, image.data[o + 2] ?? 0);
    }
  }
}
