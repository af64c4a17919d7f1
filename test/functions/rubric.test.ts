/** A rubric from upload to the last verdict: what the machine decides, what people are asked, what the files then say. */
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { ChatModel } from "@touchstone/core/ports";
import { type ChatCompletion, type ChatRequest, chatCompletionSchema } from "@touchstone/core/schema/chat";
import type { BatchId } from "@touchstone/core/schema/identity";
import { templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { claimReview, giveVerdict } from "../../functions/review/review.ts";
import { token } from "../core/confidence/tokens.ts";
import { jsonl, mixedStrategy, plainCaptioner, upload } from "./fixtures.ts";
import { createWorld, resultsBucket, type World } from "./world.ts";

const memo = { deliverable: { file: "memo.md" } };
const template = (auditRate: number) =>
  templateSchema.parse({
    task: "memo",
    version: 1,
    family: "memo",
    title: { zh: "简报", en: "memo" },
    standard: "看 memo.md。",
    fields: [],
    rubric: [
      { id: "advice", text: "写明建议", kind: "positive", points: 6, ...memo, evidence: {} },
      { id: "date", text: "写明日期", kind: "positive", points: 2, ...memo },
      {
        id: "short",
        text: "不超过 40 字",
        kind: "positive",
        points: 2,
        ...memo,
        check: { rule: "length", max: 40 },
      },
      {
        id: "leak",
        text: "写出身份证号",
        kind: "veto",
        ...memo,
        check: { rule: "regex", pattern: "\\d{18}" },
      },
    ],
    grading: {
      bands: [
        { name: "A", min: 0.8 },
        { name: "B", min: 0.5 },
        { name: "C", min: 0 },
      ],
    },
    decision: { provisionalThreshold: 0.9, auditRate },
  });

/** Quotes what it should and is sure, but for what the memo says of it. */
const rubricJudge = (): ChatModel => ({
  model: "judge-1",
  async complete({ messages }: Omit<ChatRequest, "model">): Promise<ChatCompletion> {
    const prompt = JSON.stringify(messages);
    const p = prompt.includes("犹豫") ? 0.6 : 0.99;
    const quote = prompt.includes("编造") ? "建议立刻翻倍" : "建议批准";
    const tokens = [
      token(`{"explanation": "e", "evidence": [], "criteria": {"date": {"quotes": [], "met": "`),
      token("Y", 0.6, { N: 0.4 }),
      token(`"}, "advice": {"quotes": ["${quote}"], "met": "`),
      token("Y", p, { N: 1 - p }),
      token('"}}}'),
    ];
    return chatCompletionSchema.parse({
      model: "judge-1",
      choices: [
        {
          finish_reason: "stop",
          message: { content: tokens.map((one) => one.token).join("") },
          logprobs: { content: tokens },
        },
      ],
    });
  },
});

const line = (id: string, content: string): string =>
  JSON.stringify({
    id,
    output: "见附件",
    deliverables: [{ name: "memo.md", content }],
    labels: { grade: "A" },
  });

const run = async (lines: readonly string[], auditRate = 0) => {
  const world = createWorld({ judge: rubricJudge(), captioner: plainCaptioner(), strategy: mixedStrategy() });
  world.stores.templates.put(template(auditRate));
  const batch = await upload(world, "inbox/memo/day/samples.jsonl", jsonl(lines));
  await world.drain();
  return { world, batch };
};

const resultsOf = async (world: World, batch: BatchId) => {
  const key = `${resultFolder({ batch, run: 1 })}results.jsonl`;
  const { bytes } = await world.stores.blobs.read({ bucket: resultsBucket, key }, 1e6);
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  return new Map(lines.map((text) => [String(JSON.parse(text).sampleId), JSON.parse(text)]));
};

const answer = async (world: World, reviewer: string, code: (id: string) => string) => {
  const claimed = await claimReview({ reviewer }, world.reviewPorts());
  if (!claimed.ok) return null;
  const { task } = claimed.value;
  const values = Object.fromEntries(task.questions.map((id) => [id, code(id)]));
  const given = await giveVerdict(
    { reviewId: task.id, token: task.lease?.token ?? "", values },
    world.reviewPorts(),
  );
  expect(given).toMatchObject({ ok: true });
  await world.drain();
  return claimed.value;
};

describe("a rubric", () => {
  test("is decided by the machine where what is unsure cannot change the grade", async () => {
    // At most two points of ten hang on the date: .8 at worst, 1 at best, and A is both.
    const { world, batch } = await run([
      line("sure", "建议批准。"),
      line("vetoed", "建议批准。123456789012345678"),
    ]);
    const results = await resultsOf(world, batch);
    expect(results.get("sure")).toMatchObject({
      decision: "machine",
      vouchedBy: "provisional-threshold",
      agrees: { grade: true },
      values: { grade: "A" },
      rubric: {
        grade: "A",
        range: [0.8, 1],
        criteria: [
          { id: "advice", met: "Y", credit: 6, confidence: 0.99, evidence: "verified" },
          { id: "date", met: "Y", credit: 2, confidence: 0.6 },
          { id: "short", met: "Y", credit: 2, confidence: 1, by: "rule" },
          { id: "leak", met: "N", credit: 0, confidence: 1, by: "rule" },
        ],
      },
    });
    expect(results.get("vetoed")).toMatchObject({
      decision: "machine",
      agrees: { grade: false },
      rubric: { grade: "C", norm: 0, vetoed: ["leak"] },
    });
    expect(Buffer.byteLength(JSON.stringify(results.get("sure")))).toBeLessThan(2048);
  });

  test("asks people only what can change the grade, and their answers are scored in code", async () => {
    const { world, batch } = await run([line("unsure", "犹豫：建议批准。")]);
    expect((await resultsOf(world, batch)).get("unsure")).toMatchObject({
      decision: "review",
      reasons: [{ code: "criterion-unsure", field: "advice", detail: "0.60 < 0.9" }],
      values: {},
      rubric: { grade: null, points: null, range: [0.2, 1], open: ["advice"] },
    });
    const claimed = await answer(world, "李雷", () => "N");
    expect(claimed?.task.questions).toEqual(["advice"]);
    expect(claimed?.fields.find(({ id }) => id === "advice")).toMatchObject({
      kind: "label",
      title: "写明建议",
      labels: [{ code: "Y" }, { code: "N" }],
    });
    expect(claimed?.task.prefill).toMatchObject([
      { id: "advice", value: null, confidence: { source: "logprob", raw: 0.6 } },
    ]);
    expect((await resultsOf(world, batch)).get("unsure")).toMatchObject({
      values: { grade: "C" },
      rubric: {
        grade: "C",
        points: 4,
        criteria: [
          { id: "advice", met: "N", credit: 0, confidence: null, by: "person" },
          { id: "date", met: "Y", credit: 2, confidence: 0.6 },
          { id: "short", by: "rule" },
          {},
        ],
      },
      verdict: { reviewer: "李雷", values: { advice: "N" } },
    });
  });

  test("gives no credit for a quote that nobody wrote, and asks a person with that quote at hand", async () => {
    const { world, batch } = await run([line("invented", "编造：建议批准。")]);
    const result = (await resultsOf(world, batch)).get("invented");
    expect(result).toMatchObject({
      decision: "review",
      reasons: [{ code: "criterion-unverified", field: "advice" }],
      evidence: [{ quote: "建议立刻翻倍", found: false }],
      rubric: {
        grade: null,
        criteria: [{ id: "advice", met: "Y", credit: 0, evidence: "unverified" }, {}, {}, {}],
      },
    });
  });

  test("is checked blind: every judged criterion is asked, and nothing of the machine is shown or used", async () => {
    const { world } = await run([line("sure", "建议批准。")], 1);
    const claimed = await answer(world, "韩梅梅", () => "N");
    expect(claimed?.task).toMatchObject({ kind: "audit", questions: ["advice", "date"], prefill: [] });
    expect(claimed?.task.rubric).toBeUndefined();
    const [stored] = claimed ? await world.stores.samples.read([claimed.task.key]) : [];
    expect(stored?.verdict?.rubric).toMatchObject({
      grade: "C",
      points: 2,
      criteria: [{ met: "N" }, { met: "N" }, { by: "rule", met: "Y" }, {}],
    });
  });

  test("refuses a code that a criterion does not have", async () => {
    const { world } = await run([line("unsure", "犹豫：建议批准。")]);
    const claimed = await claimReview({ reviewer: "李雷" }, world.reviewPorts());
    if (!claimed.ok) throw new Error(claimed.message);
    const { task } = claimed.value;
    const given = await giveVerdict(
      { reviewId: task.id, token: task.lease?.token ?? "", values: { advice: "NA" } },
      world.reviewPorts(),
    );
    expect(given).toMatchObject({ ok: false, kind: "bad-verdict", message: '"advice" must be one of Y, N' });
  });
});
