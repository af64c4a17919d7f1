/** Opens an ONNX network with one input and one output; used by the strategy classifier and by the captioner. */
import { InferenceSession, Tensor } from "onnxruntime-node";

export interface NetworkOutput {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** Runs the network on float values of the given shape. */
export type Network = (values: Float32Array, shape: readonly number[]) => Promise<NetworkOutput>;

/**
 * Threads wait for work without spinning: spinning is a little faster on an idle machine, but takes twice the processor
 * time, and the other servers share it. Without memory patterns the memory stays bounded when every input has another
 * shape. A call blocks the event loop while it computes.
 */
export async function openNetwork(path: string, threads: number): Promise<Network> {
  const session = await InferenceSession.create(path, {
    intraOpNumThreads: threads,
    enableMemPattern: false,
    extra: { "session.intra_op.allow_spinning": "0" },
  });
  const [input] = session.inputNames;
  const [output] = session.outputNames;
  if (input === undefined || output === undefined) throw new Error(`${path} has no input or no output`);
  return async (values, shape) => {
    const result = (await session.run({ [input]: new Tensor("float32", values, shape) }))[output];
    if (!(result?.data instanceof Float32Array)) throw new Error(`${path} gave no numbers`);
    return { data: result.data, dims: result.dims };
  };
}
