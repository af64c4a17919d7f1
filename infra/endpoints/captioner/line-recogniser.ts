/** Reads one text line with PP-OCRv4's recognition network; used by read-text.ts. */
import { readFile } from "node:fs/promises";
import { InferenceSession, Tensor } from "onnxruntime-node";
import sharp from "sharp";
import type { Pixels } from "../image-strategy/decode-image.ts";
import { recognitionKeys, recognitionWeights } from "../image-strategy/ocr-weights.ts";
import type { Box } from "../image-strategy/text-boxes.ts";
import { type CtcResult, decodeCtc } from "./ctc.ts";

const lineHeight = 48;
const maxLineWidth = 3_200;

export type LineRecogniser = (image: Pixels, box: Box) => Promise<CtcResult>;

/** Loads the network and its alphabet: CTC's blank first, the published characters, then the space. */
export async function loadLineRecogniser(threads: number): Promise<LineRecogniser> {
  const [session, keys] = await Promise.all([
    InferenceSession.create(recognitionWeights, {
      intraOpNumThreads: threads,
      enableCpuMemArena: true,
      enableMemPattern: false,
    }),
    readFile(recognitionKeys, "utf8"),
  ]);
  const alphabet = ["", ...keys.replace(/\n$/, "").split(/\r?\n/), " "];
  const inputName = session.inputNames[0] ?? "x";
  const outputName = session.outputNames[0] ?? "";
  return async (image, box) => {
    const output = (await session.run({ [inputName]: await toTensor(image, box) }))[outputName];
    const [, steps, classes] = output?.dims ?? [];
    // A dictionary of another length shifts every character while the confidence stays high.
    if (!(output?.data instanceof Float32Array) || steps === undefined || classes !== alphabet.length) {
      throw new Error(`The recogniser has ${classes} classes, its alphabet ${alphabet.length}`);
    }
    return decodeCtc(output.data, steps, alphabet);
  };
}

async function toTensor(image: Pixels, box: Box): Promise<Tensor> {
  const left = Math.max(0, Math.floor(box.x));
  const top = Math.max(0, Math.floor(box.y));
  const cropWidth = Math.max(1, Math.min(image.width, Math.ceil(box.x + box.width)) - left);
  const cropHeight = Math.max(1, Math.min(image.height, Math.ceil(box.y + box.height)) - top);
  const width = Math.min(maxLineWidth, Math.max(16, Math.round((lineHeight * cropWidth) / cropHeight)));
  const pixels = await sharp(image.data, {
    raw: { width: image.width, height: image.height, channels: 3 },
    limitInputPixels: false,
  })
    .extract({ left, top, width: cropWidth, height: cropHeight })
    .resize({ width, height: lineHeight, fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  const area = width * lineHeight;
  const values = new Float32Array(3 * area);
  for (const [plane, channel] of [2, 1, 0].entries()) {
    for (let i = 0; i < area; i++) values[plane * area + i] = (pixels[i * 3 + channel] ?? 0) / 127.5 - 1;
  }
  return new Tensor("float32", values, [1, 3, lineHeight, width]);
}
