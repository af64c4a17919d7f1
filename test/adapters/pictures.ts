/** Pictures for the normaliser's tests, made with sharp itself. */
import type { NormalisedPicture } from "@touchstone/core/ports";
import sharp, { type Sharp } from "sharp";
import { sharpNormaliser } from "../../functions/_aws/sharp-normaliser.ts";

export type Colour = readonly [red: number, green: number, blue: number];
export const red: Colour = [255, 0, 0];
export const blue: Colour = [0, 0, 255];
export const white: Colour = [255, 255, 255];

/** What the normaliser makes of a file that it must be able to read. */
export const picture = async (bytes: Uint8Array): Promise<NormalisedPicture> => {
  const outcome = await sharpNormaliser().normalise(bytes);
  if (outcome.kind !== "picture") throw new Error(`${outcome.kind}: ${outcome.message}`);
  return outcome.picture;
};

/** Left half red, right half blue: which side is where can be seen after any turn. */
export const halves = (width: number, height: number): Sharp => {
  const data = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    data[pixel * 3 + (pixel % width < width / 2 ? 0 : 2)] = 255;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
};

/** Every pixel another colour, as in a photo; the seed makes it the same every time. */
export const noise = (width: number, height: number): Sharp => {
  const data = Buffer.alloc(width * height * 3);
  let state = 12_345;
  for (let index = 0; index < data.length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    data[index] = state >>> 24;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
};

export const pixelAt = async (bytes: Uint8Array, x: number, y: number): Promise<Colour> => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const offset = (y * info.width + x) * info.channels;
  return [data[offset] ?? -1, data[offset + 1] ?? -1, data[offset + 2] ?? -1];
};

/** How far the furthest channel is off. */
export const distance = (left: Colour, right: Colour): number =>
  Math.max(...left.map((value, channel) => Math.abs(value - (right[channel] ?? 0))));
