/** What is deployed: small bundles that share the core through its layer, and a core that knows no AWS. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { hops } from "@touchstone/core/pipeline";
import { describe, expect, test } from "vitest";
import { buildFunctions } from "../../functions/build.ts";
import { buildCoreLayer } from "../../layers/build.ts";
import { scratch } from "./declared.ts";

const root = path.resolve(import.meta.dirname, "../..");
const built = await buildFunctions(scratch());
const core = await buildCoreLayer(scratch());
const coreFiles = (await readdir(core, { recursive: true })).sort();

const importsOf = (source: string): string[] =>
  [...source.matchAll(/\bfrom\s*"([^"]+)"/g)].map(([, name]) => name ?? "");

test("every hop has a bundle", () => {
  expect(built.map(({ name }) => name).sort()).toEqual(Object.keys(hops).sort());
});

describe.each(built)("$name", ({ name, bytes, directory }) => {
  test("is small enough to start quickly", () => {
    // The console and picture handling come on top of the SDK clients.
    const limit = name === "review" || name === "describe" ? 1200 : 600;
    expect(bytes / 1024).toBeLessThanOrEqual(limit);
  });

  test("imports only Node, the core and sharp; the SDK and everything else is inside", async () => {
    const source = await readFile(path.join(directory, "index.mjs"), "utf8");
    const foreign = importsOf(source).filter(
      (id) => !/^(node:|@touchstone\/core\/)/.test(id) && id !== "sharp",
    );
    const builtIn = process.getBuiltinModule("node:module").builtinModules;
    expect(foreign.filter((id) => !builtIn.includes(id))).toEqual([]);
    expect(importsOf(source).includes("sharp")).toBe(name === "describe");
  });

  test("finds in the layer every core module it imports", async () => {
    const source = await readFile(path.join(directory, "index.mjs"), "utf8");
    const modules = importsOf(source).flatMap((id) => /^@touchstone\/core\/(.+)$/.exec(id)?.[1] ?? []);
    expect(modules.length).toBeGreaterThan(0);
    for (const module of modules)
      expect(coreFiles).toContain(path.join("nodejs/node_modules/@touchstone/core", `${module}.js`));
  });

  test("has a source map that names no path of this machine", async () => {
    const map = JSON.parse(await readFile(path.join(directory, "index.mjs.map"), "utf8"));
    expect(map.sources).toContain(`../../../functions/${name}/handler.ts`);
    expect(JSON.stringify(map)).not.toContain(root);
  });
});

describe("the core layer", () => {
  test("is one bundled package without a tree of others", () => {
    const packages = coreFiles.filter((file) => path.basename(file) === "node_modules");
    expect(packages).toEqual(["nodejs/node_modules"]);
    expect(coreFiles.filter((file) => file.endsWith("package.json"))).toEqual([
      "nodejs/node_modules/@touchstone/core/package.json",
    ]);
  });

  test("imports nothing but Node modules that compute, and holds no AWS SDK", async () => {
    for (const file of coreFiles.filter((name) => name.endsWith(".js"))) {
      const source = await readFile(path.join(core, file), "utf8");
      const outside = importsOf(source).filter((id) => !id.startsWith("."));
      for (const id of outside) expect(id).toMatch(/^node:(buffer|crypto|string_decoder|util)$/);
      expect(source).not.toContain("@aws-sdk");
    }
  });

  test("can be loaded from where Lambda mounts it", async () => {
    const pipeline = await import(path.join(core, "nodejs/node_modules/@touchstone/core/pipeline.js"));
    expect(Object.keys(pipeline.hops)).toEqual(Object.keys(hops));
  });
});

test("a build refuses a function that brings its own copy of what a layer holds", async () => {
  // Below the project, so that the function finds the package it must not bundle.
  const functions = scratch(import.meta.dirname);
  await mkdir(path.join(functions, "broken"));
  await writeFile(
    path.join(functions, "broken/handler.ts"),
    'import * as z from "zod"; export const handler = () => z.string();',
  );
  await expect(buildFunctions(scratch(), functions)).rejects.toThrow(
    /broken\/handler\.ts bundles .*zod.*@touchstone\/core/,
  );
});
