/** The demo's tasks and batches are what events/README.md says: valid, varied, labelled, and broken only on purpose. */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { brokenRules } from "@touchstone/core/domain/decide/cross-field";
import { createFence } from "@touchstone/core/domain/judge/fence";
import { questionFields } from "@touchstone/core/domain/rubric/criterion-field";
import { lintRubric } from "@touchstone/core/domain/rubric/lint";
import { scoreExact } from "@touchstone/core/domain/score-exact/score-exact";
import { contentParts } from "@touchstone/core/schema/content";
import { gradeLabel } from "@touchstone/core/schema/rubric-links";
import { type FieldValue, mediaRefs, type Sample, sampleParts } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { batchFiles } from "../../events/generate-demo/batch-files.ts";
import { type Batch, eventsFolder, examplesOf, loadBatches, read, tasks, templateOf } from "./demo-files.ts";

let batches: Batch[] = [];
beforeAll(async () => {
  batches = await loadBatches();
});

interface ExpectedLine {
  file: string;
  line: number;
  id?: string;
  outcome?: string;
  reason?: string;
}
const expected: ExpectedLine[] = parse(read("poison/expected.yaml").toString("utf8"));

function faultsOf(labels: Record<string, FieldValue>, template: Template): string[] {
  const grades = template.grading.bands.map(({ name }) => name);
  const fields = questionFields(template);
  const unknown = Object.entries(labels).flatMap(([id, value]) => {
    if (id === gradeLabel && grades.includes(String(value))) return [];
    const field = fields.find((candidate) => candidate.id === id);
    if (!field) return [`there is no field ${id}`];
    const fits = !("labels" in field) || field.labels.some((label) => label.code === value);
    return fits ? [] : [`${id} has no code ${String(value)}`];
  });
  const missing = fields
    .filter((field) => field.required && !(field.id in labels))
    .map((field) => `${field.id} is missing`);
  return [...unknown, ...missing, ...brokenRules(template.rules, new Map(Object.entries(labels)))];
}
const wordsOf = (sample: Sample): string =>
  sampleParts(sample)
    .map((part) => (part.type === "text" ? part.text : part.ref))
    .join("\n");
const answerOf = (sample: Sample): string => JSON.stringify(sample.messages ?? sample.output);
const isPurposeful = (sample: Sample): boolean => expected.some(({ id }) => id === sample.id);

test("the committed files are those that the generator makes", () => {
  for (const [path, content] of batchFiles()) {
    const zipped = path.endsWith(".gz") && !path.startsWith("poison/");
    const committed = zipped ? gunzipSync(read(path)) : read(path);
    const made = zipped ? gunzipSync(content) : content;
    expect(committed.equals(made), `${path} is stale: run node events/generate-demo.ts`).toBe(true);
  }
});

/** A rubric alone is judged without labelled examples. */
const tasksWithFields = tasks.filter((task) => templateOf(task).fields.length > 0);

describe.each(tasksWithFields)("task %s", (task) => {
  test("has a template of its name and a labelled set that keeps its rules", () => {
    const template = templateOf(task);
    expect(template.task).toBe(task);
    const examples = examplesOf(task);
    expect(examples.length).toBeGreaterThanOrEqual(40);
    expect(new Set(examples.map((sample) => sample.id)).size).toBe(examples.length);
    for (const sample of examples) {
      expect(faultsOf(sample.labels ?? {}, template), sample.id).toEqual([]);
      expect(mediaRefs(sample), `${sample.id} must tell its pictures in words`).toEqual([]);
    }
  });

  test("has every code of a field in its labelled set, none of them nearly alone", () => {
    const examples = examplesOf(task);
    for (const field of templateOf(task).fields) {
      if (!("labels" in field)) continue;
      for (const { code } of field.labels) {
        const share =
          examples.filter((sample) => sample.labels?.[field.id] === code).length / examples.length;
        expect(share, `${field.id}=${code}`).toBeGreaterThan(0.08);
        expect(share, `${field.id}=${code}`).toBeLessThan(0.9);
      }
    }
  });
});

describe("fresh batches", () => {
  test("hold enough samples, with labels that fit their templates", () => {
    expect(batches.flatMap((batch) => batch.samples).length).toBeGreaterThanOrEqual(160);
    for (const { task, samples } of batches) {
      for (const sample of samples) {
        if (sample.labels === undefined) continue;
        expect(faultsOf(sample.labels, templateOf(sample.task ?? task)), sample.id).toEqual([]);
      }
    }
  });

  test("are mostly easy, in part hard, and a few hopeless", () => {
    const count = (difficulty: string): number =>
      batches.flatMap((batch) => batch.samples).filter((sample) => sample.meta?.difficulty === difficulty)
        .length;
    const all = count("easy") + count("hard") + count("hopeless");
    expect(count("easy") / all).toBeGreaterThan(0.6);
    expect(count("hard") / all).toBeGreaterThan(0.1);
    expect(count("hopeless") / all).toBeGreaterThan(0.05);
    expect(count("hopeless") / all).toBeLessThan(0.15);
  });

  test("repeat no answer to the same question, neither within nor from the labelled sets", () => {
    for (const task of tasksWithFields) {
      const seen = [
        ...examplesOf(task),
        ...batches.filter((batch) => batch.task === task).flatMap((batch) => batch.samples),
      ].filter((sample) => sample.messages);
      const answers = seen.map(answerOf);
      expect(new Set(answers).size, task).toBe(answers.length);
    }
  });

  test("have pictures of at least 20, small and whole, but for those broken on purpose", async () => {
    const pictures = batches.flatMap(({ path, samples }) =>
      samples
        .filter((sample) => !isPurposeful(sample))
        .flatMap(mediaRefs)
        .map((ref) => join(eventsFolder, dirname(path), ref)),
    );
    expect(pictures.length).toBeGreaterThanOrEqual(20);
    for (const file of pictures) {
      expect(existsSync(file), file).toBe(true);
      expect(statSync(file).size, file).toBeLessThanOrEqual(60 * 1024);
      const { info } = await sharp(file, { failOn: "truncated" }).raw().toBuffer({ resolveWithObject: true });
      expect(Math.min(info.width, info.height), file).toBeGreaterThanOrEqual(400);
    }
  });

  test("have exactly the bad lines that expected.yaml names", () => {
    const bad = batches.flatMap(({ path, rows }) =>
      rows.flatMap((row) =>
        row.kind === "bad" ? [{ file: path, line: row.line, id: row.sampleId, reason: row.fault.code }] : [],
      ),
    );
    const wanted = expected
      .filter((line) => line.reason === "bad-line")
      .map(({ file, line, id, reason }) => ({ file, line, id, reason }));
    expect(bad).toHaveLength(wanted.length);
    expect(bad).toEqual(expect.arrayContaining(wanted));
  });

  test("use an id twice only where expected.yaml says so", () => {
    for (const { path, rows } of batches) {
      const ids = rows.flatMap((row) => (row.kind === "sample" ? [row] : []));
      const twice = ids.filter(
        (row, index) => ids.findIndex(({ sample }) => sample.id === row.sample.id) < index,
      );
      const wanted = expected.filter((line) => line.file === path && line.reason === "duplicate-id");
      expect(twice.map((row) => row.line)).toEqual(wanted.map(({ line }) => line));
    }
  });

  test("talk to the judge in the one place that expected.yaml names", () => {
    const suspected = batches
      .flatMap((batch) => batch.samples)
      .filter((sample) => {
        const fence = createFence("TESTMARK1");
        fence.clean(wordsOf(sample), "sample");
        return fence.suspicions.length > 0;
      });
    expect(suspected.map((sample) => sample.id)).toEqual(["dlg-injection"]);
  });

  test("are scored in code as people labelled them, or not at all", () => {
    for (const { task, samples } of batches) {
      for (const sample of samples) {
        for (const scorer of templateOf(tasks.find((name) => name === sample.task) ?? task).scorers) {
          const { value } = scoreExact(scorer, sample);
          if (value !== null) expect(value, sample.id).toBe(sample.labels?.[scorer.field]);
        }
      }
    }
  });
});

test("a picture's description stands where the picture would", () => {
  for (const sample of examplesOf("poster-brief")) {
    const [, picture] = contentParts(sample.output);
    expect(picture?.type === "text" ? picture.text : "", sample.id).toMatch(/^\[图片 .+\] 梗概：\n/);
  }
});

describe("the rubric of the demo", () => {
  const template = templateOf("report-rubric");

  test("passes lint without a finding, knowing the files of its batch", () => {
    const samples = batches.filter(({ task }) => task === "report-rubric").flatMap((batch) => batch.samples);
    const files = samples.flatMap((sample) => (sample.deliverables ?? []).map(({ name }) => name));
    expect(lintRubric(template.rubric, template.grading, files)).toEqual([]);
  });

  test("has criteria of every kind, some checked in code, and memos of every grade", () => {
    const kinds = new Set(
      template.rubric.map(({ kind, check }) => `${kind} ${check === "llm" ? "judge" : "code"}`),
    );
    expect([...kinds].sort()).toEqual([
      "negative code",
      "negative judge",
      "positive code",
      "positive judge",
      "veto code",
      "veto judge",
    ]);
    const samples = batches.filter(({ task }) => task === "report-rubric").flatMap((batch) => batch.samples);
    expect(samples).toHaveLength(12);
    expect(new Set(samples.map(({ labels }) => labels?.[gradeLabel]))).toEqual(new Set(["A", "B", "C"]));
  });
});
