/** What a transparent picture is laid on so that nothing in it disappears. Used by sharp-normaliser.ts; pure. */
import type { PictureNote } from "@touchstone/core/schema/gist";

export interface Ground {
  readonly note: Extract<PictureNote, "on-white" | "on-dark" | "on-grey">;
  readonly level: number;
}

/** White is what viewers and chat windows show, so it goes first wherever little is lost on it. */
const grounds: readonly Ground[] = [
  { note: "on-white", level: 255 },
  { note: "on-dark", level: 32 },
  { note: "on-grey", level: 128 },
];
/** Levels (of 255) by which a pixel must differ from its ground to be seen. */
const visible = 40;
/** Share of what is drawn that may be lost before another ground is looked at. */
const tolerated = 0.02;

/** The ground for RGBA pixels, 8 bits a channel; null where every pixel is opaque. */
export const chooseGround = (rgba: Uint8Array): Ground | null => {
  const lost = grounds.map(() => 0);
  let drawn = 0;
  let isOpaque = true;
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 255;
    if (alpha < 255) isOpaque = false;
    if (alpha < 16) continue;
    drawn += alpha;
    const [red, green, blue] = [rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0];
    grounds.forEach(({ level }, index) => {
      const difference = Math.max(Math.abs(red - level), Math.abs(green - level), Math.abs(blue - level));
      if (difference < visible) lost[index] = (lost[index] ?? 0) + alpha;
    });
  }
  if (isOpaque) return null;
  const least = Math.min(...lost) + tolerated * drawn;
  return grounds.find((_, index) => (lost[index] ?? 0) <= least) ?? null;
};

/** RGB of RGBA pixels laid on a grey level. */
export const layOn = (rgba: Uint8Array, level: number): Buffer => {
  const rgb = Buffer.alloc((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const share = (rgba[from + 3] ?? 255) / 255;
    for (let channel = 0; channel < 3; channel += 1)
      rgb[to + channel] = Math.round((rgba[from + channel] ?? 0) * share + level * (1 - share));
  }
  return rgb;
};
