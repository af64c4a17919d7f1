/** Reads a synthesised cloud assembly: its stacks in deployment order and its assets. Called by the stack runner. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { type AssetIndex, readAssetManifest } from "./assets.ts";
import { dependenciesFirst } from "./dependency-order.ts";
import { type Template, templateSchema } from "./template.ts";

const artifactSchema = z.looseObject({
  type: z.string(),
  dependencies: z.array(z.string()).default([]),
  properties: z
    .looseObject({
      templateFile: z.string().optional(),
      stackName: z.string().optional(),
      file: z.string().optional(),
      directoryName: z.string().optional(),
    })
    .default({}),
});

const manifestSchema = z.looseObject({ artifacts: z.record(z.string(), artifactSchema).default({}) });

export interface AssemblyStack {
  readonly name: string;
  readonly template: Template;
}

export interface Assembly {
  /** Dependencies first. */
  readonly stacks: readonly AssemblyStack[];
  readonly assets: AssetIndex;
}

/** Reads `manifest.json` of `directory` and all it names; throws on a nested assembly, which must be named itself. */
export async function readAssembly(directory: string): Promise<Assembly> {
  const manifestFile = path.join(directory, "manifest.json");
  const manifest = manifestSchema.parse(await readJson(manifestFile));
  const assets: AssetIndex = { files: new Map(), images: new Map() };
  const stackIds: string[] = [];
  for (const [id, artifact] of Object.entries(manifest.artifacts)) {
    switch (artifact.type) {
      case "aws:cloudformation:stack":
        stackIds.push(id);
        break;
      case "cdk:asset-manifest":
        readAssetManifest(
          directory,
          await readJson(path.join(directory, requireFile(artifact.properties.file, id))),
          assets,
        );
        break;
      case "cdk:cloud-assembly":
        throw new Error(
          `${manifestFile}: ${id} is a nested assembly; pass its directory (${artifact.properties.directoryName}) instead`,
        );
      default:
        break;
    }
  }
  if (stackIds.length === 0) throw new Error(`${manifestFile}: holds no stacks; run "npm run synth" first`);
  const ordered = dependenciesFirst(stackIds, (id) => manifest.artifacts[id]?.dependencies ?? []);
  const stacks = await Promise.all(
    ordered.map(async (id): Promise<AssemblyStack> => {
      const properties = manifest.artifacts[id]?.properties;
      const file = requireFile(properties?.templateFile, id);
      return {
        name: properties?.stackName ?? id,
        template: parseTemplate(file, await readJson(path.join(directory, file))),
      };
    }),
  );
  return { stacks, assets };
}

function parseTemplate(file: string, content: unknown): Template {
  const parsed = templateSchema.safeParse(content);
  if (!parsed.success)
    throw new Error(
      `${file}: the embedded AWS does not understand this template: ${z.prettifyError(parsed.error)}`,
    );
  return parsed.data;
}

function requireFile(file: string | undefined, artifact: string): string {
  if (file === undefined) throw new Error(`manifest.json: artifact ${artifact} names no file`);
  return file;
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}
