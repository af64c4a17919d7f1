/** The baseline judge on criteria: it reads them from the prompt, quotes what is there, and knows how little words tell. */
import { criterionReadings } from "@touchstone/core/domain/confidence/criterion-confidence";
import { readAnswer } from "@touchstone/core/domain/judge/answer";
import { buildPrompt } from "@touchstone/core/domain/judge/prompt";
import { judgedCriteria } from "@touchstone/core/domain/rubric/asked-criteria";
import { type CriterionReading, machineVerdicts } from "@touchstone/core/domain/rubric/verdicts";
import { chatCompletionSchema } from "@touchstone/core/schema/chat";
import type { Sample } from "@touchstone/core/schema/sample";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBaselineJudge } from "../../infra/endpoints/baseline-judge/server.ts";
import { loadBatches, templateOf } from "../events/demo-files.ts";

let server: Awaited<ReturnType<typeof startBaselineJudge>>;
beforeAll(async () => {
  server = await startBaselineJudge({ port: 0 });
});
afterAll(() => server.close());

const readings = async (template: Template, sample: Sample): Promise<readonly CriterionReading[]> => {
  const { messages } = buildPrompt({
    ...{ template, fields: template.fields, sample, nonce: "9f8e7d6c5b4a3210" },
    ...{ examples: [], gists: [], problems: [], images: [] },
  });
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ messages, logprobs: true, top_logprobs: 20 }),
  });
  const completion = chatCompletionSchema.parse(await response.json());
  const criteria = judgedCriteria(template.rubric);
  const answer = readAnswer(completion, { fields: template.fields, criteria, sample, gists: [] });
  if (answer.kind !== "answer") throw new Error(answer.detail);
  expect(answer.problems).toEqual([]);
  return criterionReadings(criteria, answer.criteria, answer.content, completion);
};

const english = templateSchema.parse({
  task: "memo",
  version: 1,
  family: "memo",
  title: { zh: "简报", en: "memo" },
  standard: "See memo.md.",
  fields: [],
  rubric: [
    {
      id: "budget",
      text: "States the budget of 40 units",
      kind: "positive",
      points: 3,
      deliverable: { file: "memo.md" },
      evidence: {},
    },
    {
      id: "owner",
      text: "Names the owner",
      kind: "positive",
      points: 3,
      deliverable: { file: "memo.md" },
      notApplicable: true,
    },
    {
      id: "lacks",
      text: "Omits the budget of 40 units",
      kind: "negative",
      points: -3,
      deliverable: { file: "memo.md" },
    },
  ],
  judge: { language: "en" },
});
const memo = (content: string, name = "memo.md"): Sample => ({
  id: "m",
  output: "done",
  deliverables: [{ name, content }],
});

describe("one memo", () => {
  test("words and figures that stand there speak for a criterion, and are quoted", async () => {
    const found = await readings(english, memo("Hello.\nThe budget is 40 units.\nBye."));
    expect(found).toMatchObject([
      { id: "budget", met: "Y", quotes: ["The budget is 40 units."] },
      { id: "owner", quotes: [] },
      { id: "lacks", met: "N" },
    ]);
    expect(found[0]?.confidence).toBeGreaterThan(0.7);
  });

  test("what is missing speaks against it, and for the fault that it is missing", async () => {
    const [budget, owner, lacks] = await readings(english, memo("Hello there."));
    expect(budget).toMatchObject({ met: "N", quotes: [] });
    expect(lacks?.met).toBe("Y");
    // Missing or not applicable: words cannot tell, so neither is likely.
    expect(owner?.confidence).toBeLessThan(0.6);
  });

  test("another file is not the one that is meant", async () => {
    const [budget] = await readings(english, memo("The budget is 40 units.", "notes.md"));
    expect(budget?.met).toBe("N");
  });
});

test("on the demo's memos it is right more often the surer it is, and never quotes what is not there", async () => {
  const template = templateOf("report-rubric");
  const batch = (await loadBatches()).find(({ task }) => task === "report-rubric");
  const judged: { readonly right: boolean; readonly confidence: number }[] = [];
  for (const sample of batch?.samples ?? []) {
    const found = await readings(template, sample);
    for (const { id, met, confidence } of found)
      judged.push({ right: sample.labels?.[id] === met, confidence: confidence ?? 0 });
    const verdicts = machineVerdicts(template.rubric, found, sample, []);
    expect(
      verdicts.filter(({ evidence }) => evidence === "unverified"),
      sample.id,
    ).toEqual([]);
  }
  const rate = (part: readonly { right: boolean }[]): number =>
    part.filter(({ right }) => right).length / part.length;
  expect(judged).toHaveLength(12 * 9);
  expect(rate(judged)).toBeGreaterThan(0.75);
  expect(rate(judged.filter(({ confidence }) => confidence >= 0.9))).toBeGreaterThan(0.9);
  expect(rate(judged.filter(({ confidence }) => confidence < 0.6))).toBeLessThan(0.6);
});
