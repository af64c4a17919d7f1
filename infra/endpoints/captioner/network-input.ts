/** Cuts an area out of a picture and lays it out as a network wants it: one plane per channel, blue first. */
import sharp from "sharp";
import type { Pixels } from "../image-strategy/decode-image.ts";

export interface InputPlan {
  /** Area of the picture in whole pixels. */
  readonly area: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  /** Size of the network's input. */
  readonly width: number;
  readonly height: number;
  readonly kernel: "linear" | "cubic";
  /** Per channel in the order blue, green, red: subtracted, then divided by; in units of 0 to 255. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** Values of shape [3, height, width]. */
export async function networkInput(image: Pixels, plan: InputPlan): Promise<Float32Array> {
  const pixels = await sharp(image.data, {
    raw: { width: image.width, height: image.height, channels: 3 },
    limitInputPixels: false,
  })
    .extract(plan.area)
    .resize({ width: plan.width, height: plan.height, fit: "fill", kernel: plan.kernel })
    .raw()
    .toBuffer();
  const area = plan.width * plan.height;
  const values = new Float32Array(3 * area);
  for (const [plane, channel] of [2, 1, 0].entries()) {
    const mean = plan.mean[plane] ?? 0;
    const deviation = plan.deviation[plane] ?? 1;
    for (let i = 0; i < area; i++)
      values[plane * area + i] = ((pixels[i * 3 + channel] ?? 0) - mean) / deviation;
  }
  return values;
}
