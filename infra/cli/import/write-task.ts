/** Writes an imported task as a folder that the main job runs as it is; used by the importers. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";
import { templateSchema } from "@touchstone/core/schema/template";
import { stringify } from "yaml";
import { wrongShape } from "./json-rows.ts";

export interface Imported {
  /** Lines of samples.jsonl and of examples.jsonl. */
  readonly samples: number;
  readonly labelled: number;
  /** Holds template.yaml, examples.jsonl and samples.jsonl. */
  readonly batchDir: string;
  /** What a person should know about the data. */
  readonly warnings: readonly string[];
}

/** A template as it is written; settings that are left out have the schema's defaults. */
export type TemplateDraft = Readonly<Record<string, unknown>> & { readonly task: string };

/** `obj_Some Name.json` becomes `<prefix>-obj-some-name`: a valid name of a task. */
export function taskName(prefix: string, file: string): string {
  const stem = basename(file)
    .replace(/\.json$/i, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return (stem === "" || stem === prefix ? prefix : `${prefix}-${stem}`).slice(0, 64).replace(/-+$/, "");
}

const hashOf = (id: string): string => createHash("sha256").update(id).digest("hex");
const jsonLines = (samples: readonly Sample[]): string =>
  samples.map((sample) => `${JSON.stringify(sample)}\n`).join("");

/**
 * Half of the labelled samples, drawn by the hash of their ids, become the labelled set; the others, and those without
 * labels, are the batch. Order is kept. `places` says where each sample stood, for errors.
 */
export async function writeTask(
  out: string,
  draft: TemplateDraft,
  rows: readonly { readonly at: string; readonly sample: unknown }[],
  warnings: readonly string[],
): Promise<Imported> {
  templateSchema.parse(draft);
  const samples = rows.map(({ at, sample }) => {
    const parsed = sampleSchema.safeParse(sample);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw wrongShape(at, `no sample can be made of it: ${issue?.path.join(".")} ${issue?.message}`);
  });
  const labelled = samples.filter((sample) => sample.labels).map((sample) => sample.id);
  const drawn = new Set(
    labelled
      .sort((left, right) => (hashOf(left) < hashOf(right) ? -1 : 1))
      .slice(0, Math.floor(labelled.length / 2)),
  );
  const examples = samples.filter((sample) => drawn.has(sample.id));
  const batch = samples.filter((sample) => !drawn.has(sample.id));
  const batchDir = join(out, draft.task);
  await mkdir(batchDir, { recursive: true });
  await writeFile(join(batchDir, "template.yaml"), stringify(draft, { lineWidth: 0 }));
  await writeFile(join(batchDir, "examples.jsonl"), jsonLines(examples));
  await writeFile(join(batchDir, "samples.jsonl"), jsonLines(batch));
  return { samples: batch.length, labelled: examples.length, batchDir, warnings };
}
