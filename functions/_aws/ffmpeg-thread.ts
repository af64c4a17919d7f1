/** Runs ffmpeg's WebAssembly build once, in a thread of its own: decoding blocks, and a thread can be ended. ffmpeg-video-reader.ts calls it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";

/** A text, since a bundle has no second file that a thread could start from. */
const thread = `
const { parentPort, workerData } = require("node:worker_threads");
const { core, program, input, tool, args, outputs } = workerData;
// The build takes itself for a browser's worker and asks where that came from.
globalThis.self = { location: { href: "file:///ffmpeg" } };
(async () => {
  const instantiateWasm = (imports, receive) => {
    const instance = new WebAssembly.Instance(program, imports);
    receive(instance, program);
    return instance.exports;
  };
  const ffmpeg = await require(core)({ instantiateWasm, locateFile: (name) => name });
  ffmpeg.setLogger(() => {});
  ffmpeg.FS.writeFile("/input", input);
  ffmpeg[tool === "ffprobe" ? "ffprobe" : "exec"](...args);
  const known = ffmpeg.FS.readdir("/");
  const files = outputs.filter((name) => known.includes(name)).map((name) => [name, ffmpeg.FS.readFile("/" + name)]);
  parentPort.postMessage(files);
})();
`;

/** ffmpeg as it was found and compiled; threads share what was compiled. */
interface Ffmpeg {
  readonly core: string;
  readonly program: WebAssembly.Module;
}

export interface FfmpegPass {
  readonly tool: "ffmpeg" | "ffprobe";
  /** The input lies at `/input`. */
  readonly args: readonly string[];
  /** Files that it leaves in `/`. */
  readonly outputs: readonly string[];
}

type FfmpegFiles = ReadonlyMap<string, Uint8Array>;

/** Node's types hold the types of WebAssembly and none of its functions. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };

/** `core` is the path of the package's program. */
export const openFfmpeg = async (core: string): Promise<Ffmpeg> => {
  const wasm = await readFile(path.join(path.dirname(core), "ffmpeg-core.wasm"));
  return { core, program: await WebAssembly.compile(wasm) };
};

/** Those of the outputs that there are. `broken`: the decoder gave up in the middle, as on files that it was not made for. */
export const runFfmpeg = (
  ffmpeg: Ffmpeg,
  input: Uint8Array,
  pass: FfmpegPass,
  timeoutMs: number,
): Promise<FfmpegFiles | "too-slow" | "broken"> =>
  new Promise((resolve, reject) => {
    const workerData = { ...ffmpeg, input, ...pass };
    const worker = new Worker(thread, { eval: true, workerData, stdout: true, stderr: true });
    const timer = setTimeout(() => {
      void worker.terminate();
      resolve("too-slow");
    }, timeoutMs);
    worker.once("message", (files: readonly (readonly [string, Uint8Array])[]) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(new Map(files));
    });
    worker.once("error", (error) => {
      clearTimeout(timer);
      if (error instanceof Error && error.name === "RuntimeError") resolve("broken");
      else reject(error);
    });
  });
