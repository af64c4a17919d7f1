/** Rubrics on the command line: lint, the questions of a review, its answer, and the result that stands. */
import { templatePinSchema } from "@touchstone/core/schema/template";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { result } from "../contract/records.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => await world?.close());

const yaml = (task: string, advice: string) => `
task: ${task}
version: 1
family: memo
title: { zh: 简报, en: memo }
standard: 看 memo.md。
fields: []
rubric:
  - { id: advice, text: ${advice}, kind: positive, points: 3, deliverable: { file: memo.md, locator: 首段 }, evidence: {} }
  - { id: amount, text: 写明 3 项预算, kind: positive, points: 3, deliverable: { file: memo.md } }
  - { id: finish, text: 写明 2026 年的日期, kind: positive, points: 3, deliverable: { file: memo.md } }
  - { id: short, text: 不超过 400 字, kind: positive, points: 3, deliverable: { file: memo.md }, check: { rule: length, max: 400 } }
  - { id: leak, text: 写出完整的身份证号 18 位, kind: veto, deliverable: { file: memo.md } }
grading:
  bands: [{ name: A, min: 0.8 }, { name: B, min: 0.5 }, { name: C, min: 0 }]
  minCriteria: 5
`;
const example = `${JSON.stringify({
  id: "e",
  output: "x",
  deliverables: [{ name: "简报.md", content: "x" }],
  labels: { grade: "A" },
})}\n`;

describe("lint", () => {
  test("a sound rubric ends with 0, of a file and of a folder", async () => {
    const dir = await world.folder("sound", { "template.yaml": yaml("sound", "写明建议") });
    for (const given of [dir, `${dir}/template.yaml`]) {
      const { code, json, err } = await world.cli("lint", given, "--json");
      expect(code).toBe(0);
      expect(json).toEqual({ task: "sound", version: 1, criteria: 5, errors: 0, warnings: 0, findings: [] });
      expect(err).toBe("sound: 5 criteria, 0 errors, 0 warnings");
    }
  });

  test("errors end with 1 and are told with what to do, in either language", async () => {
    const dir = await world.folder("poor", { "template.yaml": yaml("poor", "写明建议，并且充分说明依据") });
    const { code, json } = await world.cli("lint", dir, "--json");
    expect(code).toBe(1);
    expect(json).toMatchObject({
      errors: 1,
      warnings: 1,
      findings: [
        { severity: "error", code: "E1", criterion: "advice", text: { en: 'it states two things ("并且")' } },
        { severity: "warning", code: "W1", criterion: "advice" },
      ],
    });
    const { out, err, code: again } = await world.cli("lint", dir, "--lang", "zh");
    expect(again).toBe(1);
    expect(err).toBe("");
    expect(out).toContain("E1 错误  一条里说了两件事（“并且”）\n      → 在“并且”处拆成两条，各自给分");
    expect(out).toContain("poor：5 个采分点，1 个错误，1 个警告");
  });

  test("a task is looked over where it runs, with the file names that its examples have", async () => {
    const dir = await world.folder("running", {
      "template.yaml": yaml("running", "写明建议"),
      "examples.jsonl": example,
      "samples.jsonl": `${JSON.stringify({ id: "r", output: "x" })}\n`,
    });
    expect((await world.cli("submit", dir)).code).toBe(0);
    const { code, json } = await world.cli("lint", "running", "--json");
    expect(code).toBe(1);
    expect(json).toMatchObject({ task: "running", errors: 5, findings: Array(5).fill({ code: "E3" }) });
  });

  test("what is neither a file nor a task is said", async () => {
    expect(await world.cli("lint", "nobody")).toMatchObject({
      code: 1,
      err: expect.stringContaining('no task "nobody"'),
    });
    expect(await world.cli("lint", "./none.yaml")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no template file"),
    });
  });
});

test("open criteria are asked and answered, and the result shows the rubric that stands", async () => {
  const dir = await world.folder("memo", {
    "template.yaml": yaml("memo", "写明建议"),
    "samples.jsonl": `${JSON.stringify({ id: "m-1", output: "见附件", deliverables: [{ name: "memo.md", content: "请批准。" }] })}\n`,
  });
  await world.cli("submit", dir, "--batch", "day");
  const record = await world.takeIn("inbox/memo/day/samples.jsonl");
  const pin = templatePinSchema.parse(await world.pin("memo"));
  const rubric = {
    points: null,
    norm: null,
    unclipped: null,
    grade: null,
    range: [0.75, 1] as [number, number],
    criteria: [
      { id: "advice", met: "Y" as const, credit: 0, confidence: 0.98, evidence: "unverified" as const },
      { id: "amount", met: "Y" as const, credit: 3, confidence: 0.97 },
      { id: "finish", met: "Y" as const, credit: 3, confidence: 0.99 },
      { id: "short", met: "Y" as const, credit: 3, confidence: 1, by: "rule" as const },
      { id: "leak", met: "N" as const, credit: 0, confidence: 0.99 },
    ],
    open: ["advice"],
  };
  const reasons = [{ code: "criterion-unverified" as const, field: "advice" }];
  const shown = result({
    ...{ sampleId: "m-1", task: "memo", template: pin, decision: "review", vouchedBy: null },
    ...{ fields: [], reasons, rubric },
  });
  await world.decide(record, 0, shown, {
    kind: "review",
    payload: {
      sample: { id: "m-1", output: "见附件", deliverables: [{ name: "memo.md", content: "请批准。" }] },
    },
    reasons,
    questions: ["advice"],
    prefill: [],
    rubric,
    gists: [],
    template: pin,
    priority: 0.5,
    slaHours: 1,
  });

  const open = await world.cli("results", "--sample", "m-1", "--task", "memo");
  expect(open.out).toContain("undecided: between B (0.75) and A (1.00)");
  expect(open.out).toMatch(/advice +写明建议 +holds +0 +0\.98 +quote not found +asked/);
  expect(open.out).toMatch(/short +不超过 400 字 +holds +\+3 +checked in code/);

  const claimed = await world.cli("review", "claim", "--task", "memo", "--reviewer", "amy", "--lang", "zh");
  expect(claimed.code, claimed.err).toBe(0);
  expect(claimed.out).toContain("advice  写明建议  (一个代码)");
  expect(claimed.out).toContain("加分项 +3\n    memo.md · 首段");
  expect(claimed.out).toContain("采分点的引文在材料中找不到（advice）");
  expect(claimed.out).not.toContain("写明 3 项预算");

  expect((await world.cli("review", "verdict", "m-1", "advice=NA")).code).toBe(1);
  expect((await world.cli("review", "verdict", "m-1", "advice=N")).code).toBe(0);
  const { out, json } = await world
    .cli("results", "--sample", "m-1", "--task", "memo", "--json")
    .then(async (one) => ({
      json: one.json,
      out: (await world.cli("results", "--sample", "m-1", "--task", "memo")).out,
    }));
  expect(out).toContain("grade B · 9 points, 0.75 of what can be reached");
  expect(out).toMatch(/advice +写明建议 +does not hold +0 +answered by a person/);
  expect(json).toMatchObject({
    sample: { values: { grade: "B" }, verdict: { rubric: { points: 9, grade: "B" } } },
  });
});
