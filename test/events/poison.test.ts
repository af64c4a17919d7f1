/** Files that break careless readers: the pipeline's own reading rules give what events/poison/manifest.yaml says. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { csvColumnFault } from "@touchstone/core/domain/intake/csv-row";
import { maxLineBytes, splitLines } from "@touchstone/core/domain/intake/lines";
import { rowFromJson } from "@touchstone/core/domain/intake/read-row";
import { decodeS3Key, encodeS3Key, readUploadPath } from "@touchstone/core/domain/intake/upload-key";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { eventsFolder, read, rowsOf } from "./demo-files.ts";

interface PoisonEntry {
  file: string;
  what: string;
  must: string;
  samples: string[];
  bad: number[];
  fileFault: boolean;
}
const manifest: PoisonEntry[] = parse(read("poison/manifest.yaml").toString("utf8"));
const readable = manifest.filter((entry) => !entry.fileFault);

test("the manifest names every file of the folder", () => {
  const files = readdirSync(join(eventsFolder, "poison"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".yaml"))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.sort()).toEqual(manifest.map(({ file }) => join(eventsFolder, "poison", file)).sort());
});

test.each(readable.map((entry) => [entry.file, entry.what, entry] as const))(
  "%s: %s",
  async (file, _, entry) => {
    const rows = await rowsOf(file, read(`poison/${file}`));
    expect(rows.flatMap((row) => (row.kind === "sample" ? [row.sample.id] : []))).toEqual(entry.samples);
    expect(rows.flatMap((row) => (row.kind === "bad" ? [row.line] : []))).toEqual(entry.bad);
  },
);

describe("what is inside is kept", () => {
  test("line separators and characters that SQS refuses stay in the text", async () => {
    const separators = await rowsOf("x.jsonl", read("poison/line-separators.jsonl"));
    expect(JSON.stringify(separators)).toContain("\u2028A\u2029");
    const refused = await rowsOf("x.jsonl", read("poison/refused-by-sqs.jsonl"));
    expect(JSON.stringify(refused)).toContain(String.fromCodePoint(0xfffe));
  });

  test("an empty cell of output is an empty answer", async () => {
    const rows = await rowsOf("x.csv", read("poison/quoted-cells.csv"));
    const last = rows.at(-1);
    expect(last?.kind === "sample" ? last.sample.output : null).toBe("");
  });

  test("a misspelt column is named", () => {
    const [header = ""] = read("poison/unknown-column.csv").toString("utf8").split("\n");
    expect(csvColumnFault(header.split(","))).toContain('"outptu"');
  });
});

test.each(
  manifest.filter(({ file }) => file.startsWith("keys/")).map(({ file }) => `inbox/quiz-exact/${file}`),
)("the key %s comes back from an event as it was", (key) => {
  expect(decodeS3Key(encodeS3Key(key))).toBe(key);
  expect(readUploadPath(key)).toMatchObject({ kind: "batch-file", task: "quiz-exact" });
});

test("a line that is too long is bad, and its neighbours are read", async () => {
  const good = (id: string): string => `${JSON.stringify({ id, output: "好" })}\n`;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${good("p-1")}{"id":"p-long","output":"`);
    const piece = Buffer.alloc(1024 * 1024, "a");
    for (let sent = 0; sent <= maxLineBytes; sent += piece.length) yield piece;
    yield Buffer.from(`"}\n${good("p-2")}`);
  }
  const ids: string[] = [];
  for await (const line of splitLines(chunks())) {
    const row = line.kind === "text" ? rowFromJson(line.text, line.number, line.bytes) : null;
    ids.push(row?.kind === "sample" ? row.sample.id : `bad line ${line.number}`);
  }
  expect(ids).toEqual(["p-1", "bad line 2", "p-2"]);
});
