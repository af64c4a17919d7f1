/** Finds text lines in a picture with PP-OCRv4's detection network; used by the strategy server and the captioner. */
import { InferenceSession, Tensor } from "onnxruntime-node";
import sharp from "sharp";
import type { Pixels } from "./decode-image.ts";
import { detectionWeights } from "./ocr-weights.ts";
import { type TextBox, textBoxes } from "./text-boxes.ts";

/** The network halves its input five times, so sides are multiples of 32. */
const stride = 32;
/** ImageNet statistics in the order the published network takes its channels: blue, green, red. */
const mean = [0.485, 0.456, 0.406] as const;
const deviation = [0.229, 0.224, 0.225] as const;

export type TextDetector = (image: Pixels, longSide: number) => Promise<TextBox[]>;

/**
 * Loads the network. The detector it gives looks at the picture with its long side shrunk to `longSide` pixels (never
 * enlarged) and returns boxes in the picture's own pixels.
 */
export async function loadTextDetector(threads: number): Promise<TextDetector> {
  const session = await InferenceSession.create(detectionWeights, {
    intraOpNumThreads: threads,
    enableCpuMemArena: true,
    enableMemPattern: false,
  });
  const inputName = session.inputNames[0] ?? "x";
  const outputName = session.outputNames[0] ?? "";
  return async (image, longSide) => {
    const scale = Math.min(1, longSide / Math.max(image.width, image.height));
    const width = roundToStride(image.width * scale);
    const height = roundToStride(image.height * scale);
    const output = (await session.run({ [inputName]: await toTensor(image, width, height) }))[outputName];
    if (!(output?.data instanceof Float32Array)) throw new Error("The text detector gave no probability map");
    const fx = image.width / width;
    const fy = image.height / height;
    return textBoxes({ data: output.data, width, height }).map((box) => ({
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

async function toTensor(image: Pixels, width: number, height: number): Promise<Tensor> {
  const pixels = await sharp(image.data, {
    raw: { width: image.width, height: image.height, channels: 3 },
    limitInputPixels: false,
  })
    .resize({ width, height, fit: "fill", kernel: "linear" })
    .raw()
    .toBuffer();
  const area = width * height;
  const values = new Float32Array(3 * area);
  for (const [plane, channel] of [2, 1, 0].entries()) {
    const centre = 255 * (mean[plane] ?? 0);
    const spread = 255 * (deviation[plane] ?? 1);
    for (let i = 0; i < area; i++)
      values[plane * area + i] = ((pixels[i * 3 + channel] ?? 0) - centre) / spread;
  }
  return new Tensor("float32", values, [1, 3, height, width]);
}
