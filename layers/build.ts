/** Builds the two Lambda layers into a directory each. Called by infra/app.ts before synthesis. */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { buildMediaLayer } from "./media/build.ts";
import type { NativeTarget } from "./media/native-target.ts";
import { writeOutputs } from "./write-outputs.ts";

const projectRoot = path.resolve(import.meta.dirname, "..");
const coreSource = "layers/core/src";
/** Node modules the core may use, for what they compute: hashes, bytes, text. */
const pureBuiltIns = ["node:buffer", "node:crypto", "node:string_decoder", "node:util"];

export interface BuiltLayers {
  /** Directories in the layout of a Lambda layer: `nodejs/node_modules/…`. */
  readonly core: string;
  readonly media: string;
}

/**
 * Builds both layers below `into`; the media layer for `native`.
 * Throws where the native packages are neither installed nor reachable.
 */
export const buildLayers = async (into: string, native: NativeTarget): Promise<BuiltLayers> => {
  const [core, media] = await Promise.all([
    buildCoreLayer(path.join(into, "core")),
    buildMediaLayer(path.join(into, "media"), native),
  ]);
  return { core, media };
};

/**
 * Bundles the functional core, its libraries inside, as the package `@touchstone/core`: one module per
 * source file, what they share in chunks. Returns the layer's directory.
 */
export const buildCoreLayer = async (layer: string): Promise<string> => {
  const { outputFiles } = await build({
    absWorkingDir: projectRoot,
    entryPoints: globSync(`${coreSource}/**/*.ts`, { cwd: projectRoot }).sort(),
    outbase: coreSource,
    outdir: ".build/core",
    chunkNames: "chunks/[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    // Neutral: any other built-in that slips into the core, or into a library of it, fails the build.
    platform: "neutral",
    external: pureBuiltIns,
    mainFields: ["module", "main"],
    conditions: ["module", "import"],
    target: "node24",
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    write: false,
    logLevel: "silent",
  });
  const outputs = new Map(
    outputFiles.map((file) => [outputName(file.path, ".build/core"), file.contents] as const),
  );
  const files = new Map<string, string | Uint8Array>([...outputs, ["package.json", await corePackageJson()]]);
  await writeOutputs(path.join(layer, "nodejs/node_modules/@touchstone/core"), files);
  return layer;
};

const outputName = (file: string, outdir: string): string =>
  path.relative(path.join(projectRoot, outdir), file).split(path.sep).join("/");

const corePackageJson = async (): Promise<string> => {
  const source: unknown = JSON.parse(
    await readFile(path.join(projectRoot, "layers/core/package.json"), "utf8"),
  );
  const version = typeof source === "object" && source !== null && "version" in source && source.version;
  if (typeof version !== "string") throw new Error('layers/core/package.json: "version" is missing');
  const manifest = { name: "@touchstone/core", version, type: "module", exports: { "./*": "./*.js" } };
  return `${JSON.stringify(manifest, null, 2)}\n`;
};
