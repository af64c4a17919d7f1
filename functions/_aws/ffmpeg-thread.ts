/**
 * The program of the thread in which ffmpeg's WebAssembly build works for ffmpeg-video-reader.ts: decoding blocks, and a
 * thread can be ended. It is a text, since a bundle has no second file that a thread could start from.
 */
export const ffmpegThread = `
const { parentPort, workerData } = require("node:worker_threads");
const { readFileSync } = require("node:fs");
const { core, wasm, input, tool, args, outputs } = workerData;
// The build takes itself for a browser's worker and asks where that came from.
globalThis.self = { location: { href: "file:///ffmpeg" } };
(async () => {
  const ffmpeg = await require(core)({ wasmBinary: readFileSync(wasm), locateFile: () => wasm });
  ffmpeg.setLogger(() => {});
  ffmpeg.FS.writeFile("/input", input);
  ffmpeg[tool === "ffprobe" ? "ffprobe" : "exec"](...args);
  const known = ffmpeg.FS.readdir("/");
  const files = outputs.filter((name) => known.includes(name)).map((name) => [name, ffmpeg.FS.readFile("/" + name)]);
  parentPort.postMessage(files);
})();
`;
