/** Bundles every function with one esbuild call. Called by infra/app.ts before synthesis. */
import { globSync } from "node:fs";
import path from "node:path";
import { build, type Metafile, type OutputFile, type Plugin } from "esbuild";
import { writeOutputs } from "../layers/write-outputs.ts";

const projectRoot = path.resolve(import.meta.dirname, "..");
/** A place that only exists in source maps, so that they do not depend on where the bundles are written. */
const outdir = path.join(projectRoot, ".build/functions");

export interface BuiltFunction {
  readonly name: string;
  /** Holds `index.mjs` and its source map; its handler is `index.handler`. */
  readonly directory: string;
  /** Size of `index.mjs`. */
  readonly bytes: number;
}

/**
 * Bundles `<source>/<name>/handler.ts` into `<into>/<name>/index.mjs` for every folder that does not start
 * with an underscore. The core and sharp stay imports: the layers provide them; the SDK goes inside.
 * Throws where a bundle would bring a second copy of what a layer holds.
 */
export const buildFunctions = async (
  into: string,
  source = path.join(projectRoot, "functions"),
): Promise<readonly BuiltFunction[]> => {
  const names = globSync("*/handler.ts", { cwd: source })
    .map((file) => path.dirname(file))
    .filter((name) => !name.startsWith("_"))
    .sort();
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: names.map((name) => ({ in: path.join(source, name, "handler.ts"), out: `${name}/index` })),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // The ES modules of the SDK can be shaken; its CommonJS files cannot.
    mainFields: ["module", "main"],
    external: ["@touchstone/core/*", "sharp"],
    plugins: [environmentCredentials],
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  refuseSecondCopies(metafile);
  outputFiles.forEach(refuseRequire);
  return Promise.all(
    names.map(async (name) => {
      const directory = path.join(into, name);
      const own = outputFiles.filter((file) => path.dirname(file.path) === path.join(outdir, name));
      await writeOutputs(directory, new Map(own.map((file) => [path.basename(file.path), file.contents])));
      const bundle = own.find((file) => file.path.endsWith(".mjs"));
      return { name, directory, bytes: bundle?.contents.byteLength ?? 0 };
    }),
  );
};

const heldByLayers = /(^|\/)(node_modules\/(zod|sharp|@img)|layers\/core)\//;

const refuseSecondCopies = (metafile: Metafile): void => {
  for (const [input, { imports }] of Object.entries(metafile.inputs)) {
    const copied = imports.find((imported) => !imported.external && heldByLayers.test(imported.path));
    if (copied !== undefined && !heldByLayers.test(input))
      throw new Error(
        `${input} bundles ${copied.path}, which a layer already holds: import it through @touchstone/core/…`,
      );
  }
};

/**
 * Lambda puts a function's credentials into its environment, for as long as the function lives. The SDK's default
 * provider would look in eight more places, among them profiles and single sign-on: a fifth of each bundle that never
 * runs. Reading the environment once is enough too.
 */
const environmentCredentials: Plugin = {
  name: "environment-credentials",
  setup({ onResolve, onLoad, resolve }) {
    const replaced = "@aws-sdk/credential-provider-node";
    onResolve({ filter: new RegExp(`^${replaced}$`) }, async ({ kind, resolveDir, pluginData }) => {
      if (pluginData === replaced) return undefined;
      const { path: file } = await resolve(replaced, { kind, resolveDir, pluginData: replaced });
      return { path: replaced, namespace: "environment-credentials", pluginData: path.dirname(file) };
    });
    onLoad({ filter: /.*/, namespace: "environment-credentials" }, ({ pluginData }) => ({
      contents: `import { fromEnv } from "@aws-sdk/credential-provider-env";
        export const defaultProvider = (options) => {
          let credentials;
          return () => (credentials ??= fromEnv(options)());
        };`,
      resolveDir: String(pluginData),
    }));
  },
};

/** esbuild's stand-in for `require` throws when an ES module meets it: at the first call, on Lambda. */
const refuseRequire = ({ path: file, text }: OutputFile): void => {
  if (file.endsWith(".mjs") && text.includes("Dynamic require of"))
    throw new Error(
      `${path.relative(outdir, file)}: a bundled CommonJS package requires a Node built-in; use one with ES modules`,
    );
};
