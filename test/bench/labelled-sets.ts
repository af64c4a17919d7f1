/** The labelled sets that the baseline is measured on, each cut in two by the hash of its ids; used by baseline.ts. */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import { parse } from "yaml";
import { importGaokaoObjective } from "../../infra/cli/import/gaokao-objective.ts";
import { importLlmbar } from "../../infra/cli/import/llmbar.ts";

export interface LabelledSet {
  readonly name: string;
  readonly template: Template;
  /** The half that examples are recalled from. */
  readonly shown: readonly Sample[];
  /** The half that is judged; its labels are looked at only afterwards. */
  readonly heldOut: readonly Sample[];
}

const tasksDir = join(import.meta.dirname, "../../events/tasks");

/** Every `events/tasks/<task>` that has an examples.jsonl. */
export async function demoSets(): Promise<LabelledSet[]> {
  const sets: LabelledSet[] = [];
  for (const name of (await readdir(tasksDir)).sort()) {
    const dir = join(tasksDir, name);
    if (!(await readdir(dir)).includes("examples.jsonl")) continue;
    const samples = await readLabelled(join(dir, "examples.jsonl"));
    const inOrder = [...samples].sort((left, right) => (hashOf(left.id) < hashOf(right.id) ? -1 : 1));
    const half = Math.floor(inOrder.length / 2);
    const template = await readTemplate(dir);
    sets.push({ name, template, shown: inOrder.slice(0, half), heldOut: inOrder.slice(half) });
  }
  return sets;
}

/** The files of `llmbar/` and `gaokao-bench/` below `dataDir`, brought in by the importers, which halve them. */
export async function importedSets(dataDir: string): Promise<LabelledSet[]> {
  const out = await mkdtemp(join(tmpdir(), "touchstone-bench-"));
  try {
    const files = [
      ...(await filesIn(join(dataDir, "llmbar"), /^[^.].*\.json$/)).map((file) => importLlmbar(file, out)),
      ...(await filesIn(join(dataDir, "gaokao-bench"), /^obj_.*\.json$/)).map((file) =>
        importGaokaoObjective(file, out),
      ),
    ];
    const sets: LabelledSet[] = [];
    for (const { batchDir } of await Promise.all(files)) {
      const template = await readTemplate(batchDir);
      sets.push({
        name: template.task,
        template,
        shown: await readLabelled(join(batchDir, "examples.jsonl")),
        heldOut: await readLabelled(join(batchDir, "samples.jsonl")),
      });
    }
    return sets;
  } finally {
    await rm(out, { recursive: true });
  }
}

const hashOf = (id: string): string => createHash("sha256").update(id).digest("hex");

async function filesIn(dir: string, name: RegExp): Promise<string[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    throw new Error(`--data needs the folder ${dir}`, { cause: error });
  });
  return names
    .filter((file) => name.test(file))
    .sort()
    .map((file) => join(dir, file));
}

async function readTemplate(dir: string): Promise<Template> {
  return templateSchema.parse(parse(await readFile(join(dir, "template.yaml"), "utf8")));
}

/** Samples with labels; those without cannot be measured. */
async function readLabelled(file: string): Promise<Sample[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => sampleSchema.parse(JSON.parse(line))).filter((sample) => sample.labels);
}
