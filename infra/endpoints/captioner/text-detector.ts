/** Finds text lines in a picture with PP-OCRv4's detection network; the text reader uses it. */
import type { Pixels } from "../image-strategy/decode-image.ts";
import { openNetwork } from "../image-strategy/onnx-network.ts";
import { networkInput } from "./network-input.ts";
import { detectionWeights } from "./ocr-weights.ts";
import { type TextBox, textBoxes } from "./text-boxes.ts";

/** The network halves its input five times, so sides are multiples of 32. */
const stride = 32;
/** ImageNet statistics, which the published network applies to blue, green, red in this order. */
const mean = [0.485 * 255, 0.456 * 255, 0.406 * 255] as const;
const deviation = [0.229 * 255, 0.224 * 255, 0.225 * 255] as const;

export type TextDetector = (image: Pixels, longSide: number) => Promise<TextBox[]>;

/**
 * Loads the network. The detector it gives looks at the picture with its long side shrunk to `longSide` pixels (never
 * enlarged) and returns boxes in the picture's own pixels.
 */
export async function loadTextDetector(threads: number): Promise<TextDetector> {
  const network = await openNetwork(detectionWeights, threads);
  return async (image, longSide) => {
    const scale = Math.min(1, longSide / Math.max(image.width, image.height));
    const width = roundToStride(image.width * scale);
    const height = roundToStride(image.height * scale);
    const area = { left: 0, top: 0, width: image.width, height: image.height };
    const input = await networkInput(image, { area, width, height, kernel: "linear", mean, deviation });
    const { data } = await network(input, [1, 3, height, width]);
    const fx = image.width / width;
    const fy = image.height / height;
    return textBoxes({ data, width, height }).map((box) => ({
      x: box.x * fx,
      y: box.y * fy,
      width: box.width * fx,
      height: box.height * fy,
      score: box.score,
    }));
  };
}

function roundToStride(side: number): number {
  return Math.max(stride, Math.round(side / stride) * stride);
}
