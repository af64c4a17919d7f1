/** The importers write folders that the main job runs as they are, and say exactly where a file has another shape. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scoreExact } from "@touchstone/core/domain/score-exact/score-exact";
import { parseExamples } from "@touchstone/core/domain/template/parse-examples";
import { parseTemplate } from "@touchstone/core/domain/template/parse-template";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importGaokaoObjective } from "../../infra/cli/import/gaokao-objective.ts";
import { importLlmbar } from "../../infra/cli/import/llmbar.ts";
import { taskName } from "../../infra/cli/import/write-task.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-import-"));
});
afterAll(() => rm(folder, { recursive: true }));

const given = async (name: string, value: unknown): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
};
const templateIn = async (batchDir: string): Promise<Template> => {
  const parsed = parseTemplate(await readFile(join(batchDir, "template.yaml"), "utf8"));
  if (!("template" in parsed)) throw new Error(JSON.stringify(parsed.problems));
  return parsed.template;
};
const examplesIn = async (batchDir: string): Promise<Sample[]> => {
  const parsed = parseExamples(await readFile(join(batchDir, "examples.jsonl"), "utf8"));
  if (!("examples" in parsed)) throw new Error(JSON.stringify(parsed.problems));
  return parsed.examples.map((example) => example.sample);
};
const samplesIn = async (batchDir: string): Promise<Sample[]> =>
  (await readFile(join(batchDir, "samples.jsonl"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => sampleSchema.parse(JSON.parse(line)));

const pair = (n: number) => ({
  input: `Name ${n} fruits.`,
  output_1: Array.from({ length: n }, () => "plum").join(", "),
  output_2: "I like fruit very much.",
  label: n % 2 === 0 ? 1 : 2,
});
const question = (n: number, standard: string[], answered: string[] | undefined, output: string) => ({
  index: n,
  year: "2031",
  category: "（甲卷）",
  score: 3,
  question: `${n}．下列说法正确的是（　　）\nA．甲\nB．乙`,
  standard_answer: standard,
  analysis: "略",
  model_answer: answered,
  model_output: output,
});

describe("llmbar", () => {
  test("halves the rows into a labelled set and a batch, with the codes in which candidates are shown", async () => {
    const file = await given(
      "Adversarial_Some Set.json",
      Array.from({ length: 11 }, (_, n) => pair(n)),
    );
    const imported = await importLlmbar(file, folder);
    expect(imported).toMatchObject({ labelled: 5, samples: 6, warnings: [] });
    expect(imported.batchDir).toBe(join(folder, "llmbar-adversarial-some-set"));
    const template = await templateIn(imported.batchDir);
    expect(template.task).toBe("llmbar-adversarial-some-set");
    const all = [...(await examplesIn(imported.batchDir)), ...(await samplesIn(imported.batchDir))];
    expect(new Set(all.map((sample) => sample.id)).size).toBe(11);
    for (const sample of all) {
      expect(sample.candidates?.map((candidate) => candidate.id)).toEqual(["output_1", "output_2"]);
      expect(sample.labels?.better).toBe(Number(sample.meta?.row) % 2 === 0 ? "A" : "B");
    }
  });

  test("draws the same half every time", async () => {
    const rows = Array.from({ length: 12 }, (_, n) => pair(n));
    const first = await importLlmbar(await given("again.json", rows), join(folder, "first"));
    const second = await importLlmbar(await given("again.json", rows), join(folder, "second"));
    expect(await examplesIn(second.batchDir)).toEqual(await examplesIn(first.batchDir));
  });

  test("keeps rows without a label in the batch and says how many there are", async () => {
    const { label: _, ...unlabelled } = pair(1);
    const imported = await importLlmbar(await given("part.json", [pair(0), pair(2), unlabelled]), folder);
    expect(imported.warnings).toEqual(["1 of 3 rows have no label"]);
    expect((await samplesIn(imported.batchDir)).filter((sample) => !sample.labels)).toHaveLength(1);
  });

  test.each([
    ["another label", [pair(0), { ...pair(1), label: 3 }], /row 1: field "label" must be 1 or 2, found 3/],
    ["a missing output", [{ input: "a", output_1: "b", label: 1 }], /row 0: field "output_2" must be a text/],
    ["a row that is no object", [pair(0), pair(1), "x"], /row 2: must be a JSON object/],
    ["an object instead of a list", { rows: [] }, /the file must be a list/],
    ["an empty list", [], /is empty/],
    ["text that is not JSON", "input,output", /not a JSON file/],
  ])("names file, row and field of %s", async (_, value, message) => {
    const file = await given("bad.json", value);
    await expect(importLlmbar(file, folder)).rejects.toThrow(message);
    await expect(importLlmbar(file, folder)).rejects.toThrow(file);
  });
});

describe("gaokao-objective", () => {
  test("makes a sample a question; a row with several is right only if all are", async () => {
    const file = await given("obj_trial.json", {
      keyword: "trial",
      example: [
        question(0, ["B"], ["B"], "【解析】甲不对。<eoe>\n【答案】B <eoa>"),
        question(1, ["A"], ["B"], "【解析】乙对。<eoe>\n【答案】B <eoa>"),
        question(2, ["A", "B"], ["A", "B"], "（1）【答案】A <eoa>\n（2）【答案】B <eoa>"),
        question(3, ["A", "B"], ["A", "A"], "（1）【答案】A <eoa>\n（2）【答案】A <eoa>"),
        question(4, ["A"], [], "这道题有争议。"),
      ],
    });
    const imported = await importGaokaoObjective(file, folder);
    expect(imported).toMatchObject({ labelled: 2, samples: 3 });
    expect(imported.warnings).toEqual([
      "2 of 5 rows hold several questions; each is one sample, right only if all are",
      "1 of 5 rows have no model_answer, so no label",
    ]);
    const template = await templateIn(imported.batchDir);
    const [scorer] = template.scorers;
    const all = [...(await examplesIn(imported.batchDir)), ...(await samplesIn(imported.batchDir))];
    const byIndex = all.sort((left, right) => Number(left.meta?.index) - Number(right.meta?.index));
    expect(byIndex.map((sample) => sample.labels?.correct)).toEqual(["Y", "N", "Y", "N", undefined]);
    expect(byIndex[2]?.reference).toBe("A,B");
    expect(byIndex[0]?.meta).toMatchObject({ year: "2031", category: "（甲卷）", score: 3, questions: 1 });
    if (!scorer) throw new Error("the template must score in code");
    expect(byIndex.map((sample) => scoreExact(scorer, sample).value)).toEqual(["Y", "N", "Y", "N", null]);
  });

  test.each([
    ["no example", { keyword: "x" }, /field "example" must be a list/],
    ["no keyword", { example: [question(0, ["A"], ["A"], "A")] }, /field "keyword" must be a text/],
    [
      "answers that are no texts",
      { keyword: "x", example: [{ ...question(0, ["A"], ["A"], "A"), standard_answer: [1] }] },
      /row 0: field "standard_answer" must be a list of texts/,
    ],
    [
      "no right answer",
      { keyword: "x", example: [question(0, [], ["A"], "A")] },
      /row 0: field "standard_answer" must name at least one/,
    ],
    [
      "an output that is no text",
      { keyword: "x", example: [{ ...question(0, ["A"], ["A"], "A"), model_output: null }] },
      /row 0: field "model_output" must be a text/,
    ],
  ])("names row and field of %s", async (_, value, message) => {
    await expect(importGaokaoObjective(await given("bad-obj.json", value), folder)).rejects.toThrow(message);
  });
});

test("names of tasks are valid whatever the file is called", () => {
  expect(taskName("llmbar", "/a/Natural.json")).toBe("llmbar-natural");
  expect(taskName("gaokao", "obj_中文__卷.json")).toBe("gaokao-obj");
  expect(taskName("llmbar", "题目.json")).toBe("llmbar");
  expect(taskName("llmbar", `${"long-".repeat(20)}.json`)).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
});
