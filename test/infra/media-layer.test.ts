/** The media layer holds sharp for the processor it is mounted on, whichever machine builds it, and ffmpeg for any. */
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { buildMediaLayer, nativeFiles } from "../../layers/media/build.ts";
import { closureOf, parseLock } from "../../layers/media/closure.ts";
import { nativeMachine } from "../../layers/media/native-machine.ts";
import { hostTarget, lambdaArm64 } from "../../layers/media/native-target.ts";
import { scratch } from "./declared.ts";

const root = path.resolve(import.meta.dirname, "../..");

const machinesIn = async (layer: string): Promise<readonly (string | null)[]> =>
  Promise.all((await nativeFiles(layer)).map(nativeMachine));

test("for this machine it is copied from node_modules, and every native file fits", async () => {
  const layer = await buildMediaLayer(scratch(), hostTarget());
  const machines = await machinesIn(layer);
  expect(machines.length).toBeGreaterThanOrEqual(2);
  expect(new Set(machines)).toEqual(new Set([process.arch]));
});

test("sharp loads from the layer alone", async () => {
  const layer = await buildMediaLayer(scratch(), hostTarget());
  const { default: sharp } = await import(path.join(layer, "nodejs/node_modules/sharp/dist/index.mjs"));
  const picture = sharp({ create: { width: 8, height: 4, channels: 3, background: "#808080" } });
  expect(await picture.png().toBuffer({ resolveWithObject: true })).toMatchObject({
    info: { width: 8, height: 4 },
  });
});

test("for Lambda it is arm64 throughout; without the registry it says what to do", async () => {
  const outcome = await buildMediaLayer(path.join(root, ".build/layers/media"), lambdaArm64).then(
    machinesIn,
    String,
  );
  if (typeof outcome === "string") expect(outcome).toMatch(/registry.*--native host/);
  else expect(new Set(outcome)).toEqual(new Set(["arm64"]));
});

test("ffmpeg is found from the layer as a bundle finds it, and lies there once", async () => {
  const layer = await buildMediaLayer(scratch(), hostTarget());
  const core = createRequire(path.join(layer, "nodejs/index.mjs")).resolve("@ffmpeg/core");
  expect(path.relative(layer, core)).toBe("nodejs/node_modules/@ffmpeg/core/dist/umd/ffmpeg-core.js");
  const wasm = (await readdir(layer, { recursive: true })).filter((file) => file.endsWith(".wasm"));
  expect(wasm).toEqual(["nodejs/node_modules/@ffmpeg/core/dist/umd/ffmpeg-core.wasm"]);
  const { size } = await stat(path.join(layer, wasm[0] ?? ""));
  expect(size).toBeLessThan(33 * 1024 * 1024);
});

test("pins the versions that the project itself is tested with", async () => {
  const pinned = JSON.parse(await readFile(path.join(root, "layers/media/package.json"), "utf8"));
  const project = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  expect(project.dependencies).toMatchObject(pinned.dependencies);
});

test("the closure follows nested packages and leaves out what is for other platforms", () => {
  const lock = parseLock(
    JSON.stringify({
      packages: {
        "node_modules/a": {
          version: "1.0.0",
          dependencies: { b: "2" },
          optionalDependencies: { x: "1", y: "1" },
        },
        "node_modules/a/node_modules/b": { version: "2.0.0" },
        "node_modules/b": { version: "1.0.0" },
        "node_modules/x": { version: "1.0.0", os: ["linux"], cpu: ["arm64"], libc: ["glibc"] },
        "node_modules/y": { version: "1.0.0", os: ["darwin"] },
      },
    }),
  );
  const closure = closureOf(lock, "a", lambdaArm64);
  expect([...closure].map(([name, { version }]) => `${name}@${version}`)).toEqual([
    "a@1.0.0",
    "b@2.0.0",
    "x@1.0.0",
  ]);
  expect(() => closureOf(lock, "missing", lambdaArm64)).toThrow(/missing.*is not locked/);
});
