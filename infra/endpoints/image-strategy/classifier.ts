/** The trained network with its settings: an encoded picture in, a strategy out; used by serve.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeAs } from "./decode-image.ts";
import { openNetwork } from "./onnx-network.ts";
import { predictStrategy, readSettings, type StrategyPrediction } from "./strategy-model.ts";
import { planViews, viewValues } from "./views.ts";

export interface Classifier {
  readonly model: string;
  /** Logits of each piece of the picture, [pieces, classes]. Throws `UnreadableImage`. */
  logits(bytes: Uint8Array): Promise<Float32Array>;
  /** Throws `UnreadableImage`. */
  classify(bytes: Uint8Array): Promise<StrategyPrediction>;
}

const modelFolder = join(import.meta.dirname, "model");

/** The network is so small that a second thread does not pay. */
export async function loadClassifier(threads = 1): Promise<Classifier> {
  const file = join(modelFolder, "strategy.json");
  const parsed: unknown = JSON.parse(await readFile(file, "utf8"));
  const settings = readSettings(parsed, file);
  const network = await openNetwork(join(modelFolder, "strategy.onnx"), threads);
  const logits = async (bytes: Uint8Array) => {
    const image = await decodeAs(bytes, (width, height) => planViews(width, height).picture);
    const plan = planViews(image.originalWidth, image.originalHeight);
    const shape = [plan.starts.length, 3, plan.shape.height, plan.shape.width];
    return (await network(viewValues(image, plan), shape)).data;
  };
  return {
    model: settings.model,
    logits,
    classify: async (bytes) => predictStrategy(await logits(bytes), settings),
  };
}
