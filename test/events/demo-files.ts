/** Reads the demo's committed files the way the pipeline does; shared by the tests of events/. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { rowFromCsv } from "@touchstone/core/domain/intake/csv-row";
import { splitLines } from "@touchstone/core/domain/intake/lines";
import { type Row, rowFromJson, unreadableRow } from "@touchstone/core/domain/intake/read-row";
import { parseExamples } from "@touchstone/core/domain/template/parse-examples";
import { parseTemplate } from "@touchstone/core/domain/template/parse-template";
import type { Sample } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { parse as parseCsv } from "csv-parse/sync";

export const eventsFolder = join(import.meta.dirname, "../../events");
export const read = (path: string): Buffer => readFileSync(join(eventsFolder, path));

const batchFile = /\.(?:jsonl|jsonl\.gz|csv)$/;
/** Paths below events/ of all batch files. */
export const batchPaths: readonly string[] = readdirSync(join(eventsFolder, "batches"), { recursive: true })
  .map((path) => `batches/${String(path).replaceAll("\\", "/")}`)
  .filter((path) => batchFile.test(path))
  .sort();
export const tasks: readonly string[] = readdirSync(join(eventsFolder, "tasks")).sort();

export function templateOf(task: string): Template {
  const parsed = parseTemplate(read(`tasks/${task}/template.yaml`).toString("utf8"));
  if (!("template" in parsed)) throw new Error(`${task}: ${JSON.stringify(parsed.problems)}`);
  return parsed.template;
}

export function examplesOf(task: string): readonly Sample[] {
  const parsed = parseExamples(read(`tasks/${task}/examples.jsonl`).toString("utf8"));
  if (!("examples" in parsed)) throw new Error(`${task}: ${JSON.stringify(parsed.problems)}`);
  return parsed.examples.map((example) => example.sample);
}

async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
}

/** Every row of a batch file's bytes, bad ones included. */
export async function rowsOf(path: string, bytes: Buffer): Promise<Row[]> {
  if (path.endsWith(".csv")) {
    const records: Record<string, string>[] = parseCsv(bytes, { columns: true, bom: true });
    return records.map((record, index) => rowFromCsv(record, index + 2, 0));
  }
  const rows: Row[] = [];
  for await (const line of splitLines(inChunks(path.endsWith(".gz") ? gunzipSync(bytes) : bytes))) {
    rows.push(
      line.kind === "text"
        ? rowFromJson(line.text, line.number, line.bytes)
        : unreadableRow(line.number, line.bytes, line.message),
    );
  }
  return rows;
}

export interface Batch {
  readonly path: string;
  /** The task that the path names. */
  readonly task: string;
  readonly rows: readonly Row[];
  readonly samples: readonly Sample[];
}

export const loadBatches = (): Promise<Batch[]> =>
  Promise.all(
    batchPaths.map(async (path) => {
      const rows = await rowsOf(path, read(path));
      const samples = rows.flatMap((row) => (row.kind === "sample" ? [row.sample] : []));
      return { path, task: path.split("/")[1] ?? "", rows, samples };
    }),
  );
