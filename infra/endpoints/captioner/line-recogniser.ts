/** Reads one text line with PP-OCRv4's recognition network; used by text-reader.ts. */
import { readFile } from "node:fs/promises";
import type { Pixels } from "../image-strategy/decode-image.ts";
import { openNetwork } from "../image-strategy/onnx-network.ts";
import { type CtcResult, decodeCtc } from "./ctc.ts";
import { networkInput } from "./network-input.ts";
import { recognitionKeys, recognitionWeights } from "./ocr-weights.ts";
import type { Box } from "./text-boxes.ts";

const lineHeight = 48;
const minLineWidth = 16;
const maxLineWidth = 3_200;
/** Maps 0 to 255 onto -1 to 1. */
const half = [127.5, 127.5, 127.5] as const;

export type LineRecogniser = (image: Pixels, box: Box) => Promise<CtcResult>;

/** Loads the network and its alphabet: CTC's blank first, the published characters, then the space. */
export async function loadLineRecogniser(threads: number): Promise<LineRecogniser> {
  const [network, keys] = await Promise.all([
    openNetwork(recognitionWeights, threads),
    readFile(recognitionKeys, "utf8"),
  ]);
  const alphabet = ["", ...keys.replace(/\n$/, "").split(/\r?\n/), " "];
  return async (image, box) => {
    const area = wholePixels(image, box);
    const natural = Math.round((lineHeight * area.width) / area.height);
    const width = Math.min(maxLineWidth, Math.max(minLineWidth, natural));
    const plan = { area, width, height: lineHeight, kernel: "cubic", mean: half, deviation: half } as const;
    const { data, dims } = await network(await networkInput(image, plan), [1, 3, lineHeight, width]);
    const [, steps, classes] = dims;
    // A dictionary of another length shifts every character while the confidence stays high.
    if (steps === undefined || classes !== alphabet.length) {
      throw new Error(`The recogniser has ${classes} classes, its alphabet ${alphabet.length}`);
    }
    return decodeCtc(data, steps, alphabet);
  };
}

function wholePixels(image: Pixels, box: Box) {
  const left = Math.max(0, Math.floor(box.x));
  const top = Math.max(0, Math.floor(box.y));
  return {
    left,
    top,
    width: Math.max(1, Math.min(image.width, Math.ceil(box.x + box.width)) - left),
    height: Math.max(1, Math.min(image.height, Math.ceil(box.y + box.height)) - top),
  };
}
