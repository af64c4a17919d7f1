/** Every poisoned file and line of events/ through the whole pipeline: what becomes of it is what events/poison says. */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { batchIdOf } from "@touchstone/core/domain/intake/upload-key";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchId } from "@touchstone/core/schema/identity";
import { resultSchema } from "@touchstone/core/schema/result";
import { claimedReviewSchema } from "@touchstone/core/schema/review-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { eventsFolder, read, tasks } from "../events/demo-files.ts";
import { type EmbeddedPipeline, startEmbeddedPipeline } from "./embedded-pipeline.ts";
import { okTemplate } from "./ok-task.ts";

let pipeline: EmbeddedPipeline;
const batches = new Map<string, BatchId>();

interface PoisonFile {
  readonly file: string;
  readonly samples: readonly string[];
  readonly bad: readonly number[];
  readonly fileFault: boolean;
}
interface PoisonLine {
  readonly file: string;
  readonly line: number;
  readonly id?: string;
  readonly outcome?: string;
  readonly reason?: string;
}
const files: readonly PoisonFile[] = parse(read("poison/manifest.yaml").toString());
const lines: readonly PoisonLine[] = parse(read("poison/expected.yaml").toString());
const batchFiles = [...new Set(lines.map(({ file }) => file))];

const put = async (key: string, body: string | Uint8Array): Promise<BatchId> => {
  const { blobs, uploadsBucket: bucket } = pipeline.connection;
  await blobs.write({ bucket, key }, body, "application/octet-stream");
  const head = await blobs.head({ bucket, key });
  return batchIdOf(key, { versionId: head?.versionId });
};

/** The file with every line blank that no expectation is about: numbers stay, and the rest costs nothing. */
const onlyExpected = (file: string): string => {
  const wanted = lines.filter((line) => line.file === file);
  const ids = wanted.flatMap(({ id }) => (id === undefined ? [] : [`"id":"${id}"`]));
  return read(file)
    .toString()
    .split("\n")
    .map((text, index) => {
      const isWanted = wanted.some(({ line }) => line === index + 1);
      return isWanted || ids.some((id) => text.replaceAll(": ", ":").includes(id)) ? text : "";
    })
    .join("\n");
};

beforeAll(async () => {
  pipeline = await startEmbeddedPipeline({ timeScale: 10 });
  for (const task of tasks) await put(`templates/${task}/template.yaml`, read(`tasks/${task}/template.yaml`));
  for (const { file } of files)
    batches.set(file, await put(`inbox/quiz-exact/${file}`, read(`poison/${file}`)));
  for (const file of batchFiles) {
    const folder = path.dirname(file);
    const key = (name: string): string => `${folder.replace("batches/", "inbox/")}/${name}`;
    const media = readdirSync(path.join(eventsFolder, folder)).includes("media")
      ? readdirSync(path.join(eventsFolder, folder, "media"))
      : [];
    for (const name of media) await put(key(`media/${name}`), read(`${folder}/media/${name}`));
    batches.set(file, await put(key(path.basename(file)), onlyExpected(file)));
  }
});
afterAll(() => pipeline?.stop());

const resultLine = z.looseObject(resultSchema.shape);
const errorLine = z.strictObject({
  file: z.string(),
  line: z.int(),
  id: z.string(),
  outcome: z.enum(["invalid", "failed"]),
  code: z.string(),
  field: z.string(),
  message: z.string().min(1),
});
const linesOf = async <Line>(batch: BatchId, name: string, schema: z.ZodType<Line>): Promise<Line[]> => {
  const { blobs, resultsBucket: bucket } = pipeline.connection;
  const key = `${resultFolder({ batch, run: 1 })}${name}`;
  const text = new TextDecoder().decode((await blobs.read({ bucket, key }, 50_000_000)).bytes);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
};
const decided = async (name: string): Promise<BatchId> => {
  const batch = batches.get(name);
  if (batch === undefined) throw new Error(`${name} was not sent`);
  await pipeline.until(batch, (view) => view.decided, 25);
  return batch;
};

describe("poisoned files", () => {
  test.each(files.map((entry) => [entry.file, entry] as const))("%s", async (file, entry) => {
    const batch = await decided(file);
    const results = await linesOf(batch, "results.jsonl", resultLine);
    const errors = await linesOf(batch, "errors.jsonl", errorLine);
    const good = results.filter(({ decision }) => decision !== "invalid");
    if (!entry.fileFault) expect(good.map(({ sampleId }) => sampleId)).toEqual(entry.samples);
    expect(
      good.every(({ decision, template }) => decision !== "failed" && template?.task === "quiz-exact"),
    ).toBe(true);
    expect(new Set(errors.map((error) => error.file))).toEqual(
      new Set(errors.length > 0 ? [`inbox/quiz-exact/${file}`] : []),
    );
    const record = await pipeline.connection.ledger.batch(batch, 1);
    if (entry.fileFault) expect(record?.fault).toBe(errors.at(-1)?.message);
    else expect(errors.map(({ line }) => line)).toEqual(entry.bad);
    if (entry.samples.length === 0 && !entry.fileFault) {
      expect(record).toMatchObject({ sealed: { splits: 0, samples: 0 }, finalAt: expect.any(Number) });
    }
  });

  test("a misspelt column is named, and so is the end of a cut-off file", async () => {
    const fault = async (name: string) =>
      (await pipeline.connection.ledger.batch(await decided(name), 1))?.fault;
    expect(await fault("unknown-column.csv")).toContain('unknown column "outptu"');
    expect(await fault("cut-off.jsonl.gz")).toContain("the gzip stream is damaged or cut off");
  });
});

describe("poisoned lines of the demo", () => {
  test.each(lines.map((entry) => [`${entry.file} line ${entry.line}`, entry] as const))(
    "%s",
    async (_, entry) => {
      const batch = await decided(entry.file);
      const results = await linesOf(batch, "results.jsonl", resultLine);
      const found = results.filter(({ line }) => line === entry.line);
      if (entry.outcome === undefined) return expect(found).toEqual([]);
      expect(found).toMatchObject([{ sampleId: entry.id, decision: entry.outcome }]);
      expect(found[0]?.reasons.map(({ code }) => code)).toContain(entry.reason);
      const errors = await linesOf(batch, "errors.jsonl", errorLine);
      const told = errors.filter(({ line }) => line === entry.line);
      expect(told.map(({ code, file }) => [code, file])).toEqual(
        entry.outcome === "invalid" ? [[entry.reason, entry.file.replace("batches/", "inbox/")]] : [],
      );
    },
  );

  test("a misspelt field is named in errors.jsonl", async () => {
    const batch = await decided("batches/shop-dialogue/2026-06-18-day/samples.jsonl");
    const errors = await linesOf(batch, "errors.jsonl", errorLine);
    expect(errors.find(({ id }) => id === "dlg-typo")).toMatchObject({
      line: 14,
      field: expect.stringMatching(/\w/),
    });
  });
});

test("samples over SQS's limit travel by pointer, and a reviewer sees all of them", async () => {
  const text = `#big# (unsure) ${randomBytes(350_000).toString("hex")}`;
  const sample = { id: "big", output: text };
  const small = { id: "small", output: "#small# hello" };
  const batch = await pipeline.submit("ok", "big", {
    "template.yaml": okTemplate,
    "samples.jsonl": `${JSON.stringify(sample)}\n${JSON.stringify(small)}\n`,
  });
  const { counts } = await pipeline.until(batch, (view) => view.decided, 60);
  expect(counts).toMatchObject({ total: 2, machine: 1, review: 1 });
  const { connection } = pipeline;
  const reviewId = `${batch}#1#0#0#review`;
  const task = await connection.reviews.get(reviewId);
  expect(task?.payload).toMatchObject({ pointer: { key: expect.stringContaining("staging/samples/") } });
  const shown = await connection.reviewApi("GET", `/v1/reviews/${encodeURIComponent(reviewId)}`);
  const { task: whole } = claimedReviewSchema.parse(shown.body);
  // Not as objects: a difference would be printed in full.
  expect(JSON.stringify(whole.payload) === JSON.stringify({ sample })).toBe(true);
});

test("late pictures are waited for; one that never comes ends its sample with a clear word, and no other", async () => {
  const line = (id: string, ref: string): string =>
    JSON.stringify({
      id,
      output: [
        { type: "text", text: `#${id}#` },
        { type: "image", ref },
      ],
    });
  const template = `${okTemplate.replace("task: ok", "task: pictures")}media: { waitSeconds: 8 }\n`;
  const batch = await pipeline.submit("pictures", "late", {
    "template.yaml": template,
    "samples.jsonl": `${line("late", "media/a.jpg")}\n${line("never", "media/b.jpg")}\n${JSON.stringify({ id: "text", output: "#text#" })}\n`,
  });
  await pipeline.until(batch, (view) => view.counts.machine === 1, 15);
  await put("inbox/pictures/late/media/a.jpg", read("batches/poster-brief/2026-week-25/media/pst-001.jpg"));
  await pipeline.until(batch, (view) => view.decided, 40);
  const results = await linesOf(batch, "results.jsonl", resultLine);
  expect(results).toMatchObject([
    { sampleId: "late", gists: [{ ref: "media/a.jpg" }] },
    { sampleId: "never", decision: "invalid", reasons: [{ code: "media-missing" }] },
    { sampleId: "text", decision: "machine" },
  ]);
  expect(results[0]?.reasons.map(({ code }) => code)).not.toContain("media-missing");
  const [error] = await linesOf(batch, "errors.jsonl", errorLine);
  expect(error).toMatchObject({ id: "never", line: 2, message: expect.stringContaining("media/b.jpg") });
});
