/** What is stored of a scored sample, what a reviewer gets of it, and that it all fits. */
import { decide } from "@touchstone/core/domain/decide/decide";
import { outcomeMessage, scoredResult, unjudgedResult } from "@touchstone/core/domain/decide/scored-result";
import { outcomeMessageSchema, type ScoreRequest } from "@touchstone/core/schema/messages";
import { type Result, resultSchema } from "@touchstone/core/schema/result";
import { templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { gist, sampleKey, taskId } from "../../contract/records.ts";
import { vouched } from "./vouched.ts";

const labels = [
  { code: "Y", name: "yes" },
  { code: "N", name: "no" },
];
const template = templateSchema.parse({
  task: "t",
  version: 3,
  family: "f",
  title: { zh: "t", en: "t" },
  standard: "s",
  fields: [
    { kind: "label", id: "ok", title: "ok", labels },
    { kind: "label", id: "tone", title: "tone", labels },
    { kind: "text", id: "remark", title: "remark", required: false },
  ],
  decision: { auditRate: 0.5, slaHours: 24 },
});
const request: ScoreRequest = {
  schema: 1,
  key: sampleKey(),
  sampleId: "s-1",
  line: 4,
  source: { bucket: "u", key: "inbox/t/b/a.jsonl" },
  payload: { sample: { id: "s-1", output: "x" } },
  template: { task: taskId("t"), version: 3, versionId: "v" },
  callType: "score",
  arrivedAt: 0,
  gists: [{ ref: "a.png", gist: gist() }],
  problems: [],
};
const scored = (probabilities: Record<string, number>, id = "s-1", part: object = {}): Result =>
  scoredResult({
    request: { ...request, sampleId: id },
    sample: { id, output: "x", labels: { ok: "Y" } },
    template,
    fingerprint: "f",
    startedAt: 100,
    now: 350,
    vouching: vouched(template).vouching,
    decision: decide({
      ...vouched(template),
      template,
      answerFault: null,
      doubts: [],
      readings: Object.entries(probabilities).map(([field, raw]) => ({
        id: field,
        value: "Y",
        source: "logprob" as const,
        raw,
        calibrated: null,
        distribution: { Y: raw, N: 1 - raw },
        problem: null,
      })),
    }),
    judge: {
      model: "m",
      promptSha256: "p",
      explanation: "因".repeat(5000),
      judgeMs: 200,
      contextTokens: null,
      integration: { pattern: "none", savedTokens: { text: 0, picture: 0, mixed: 0 } },
      format: null,
      evidence: Array.from({ length: 9 }, () => ({ quote: "引".repeat(999), found: true })),
      usage: { judgeCalls: 1, promptTokens: 10, completionTokens: 5 },
    },
    ...part,
  });
const sure = { ok: 0.99, tone: 0.97 };
const unsure = { ok: 0.99, tone: 0.6 };
const idWhere = (audit: boolean): string => {
  for (let index = 0; index < 99; index += 1)
    if (scored(sure, `s-${index}`).audit === audit) return `s-${index}`;
  throw new Error("no such id");
};

describe("scoredResult", () => {
  test("fits its schema and its budget, however long the judge talks", () => {
    const result = scored(unsure);
    expect(resultSchema.parse(result)).toEqual(result);
    expect(
      Buffer.byteLength(JSON.stringify(scored({ ok: 0.99, tone: 0.97 }, idWhere(false), { judge: null }))),
    ).toBeLessThan(2048);
    expect(result.explanation).toHaveLength(600);
    expect(result.evidence?.map(({ quote }) => quote.length)).toEqual([200, 200, 200]);
    expect(result).toMatchObject({
      line: 4,
      task: "t",
      agrees: { ok: true },
      latencyMs: { judge: 200, total: 250 },
      certified: false,
      gists: [{ ref: "a.png" }],
    });
  });

  test("only accepted samples are audited", () => {
    for (let index = 0; index < 50; index += 1) expect(scored(unsure, `s-${index}`).audit).toBe(false);
    expect(scored(sure, idWhere(true)).decision).toBe("machine");
  });
});

describe("outcomeMessage", () => {
  test("a sure answer goes to nobody", () => {
    const message = outcomeMessage(request, scored(sure, idWhere(false)), null);
    expect(message).toMatchObject({ outcome: "machine", review: null, record: null, decidedAt: 350 });
    expect(outcomeMessageSchema.parse(message)).toEqual(message);
  });

  test("an unsure one asks for what is open, with all that is known, worst first", () => {
    const { review } = outcomeMessage(request, scored(unsure), template);
    expect(review).toMatchObject({
      kind: "review",
      questions: ["tone"],
      slaHours: 24,
      template: { version: 3 },
      payload: request.payload,
    });
    expect(review?.priority).toBeCloseTo(0.4);
    expect(review?.prefill.map(({ id, value }) => [id, value])).toEqual([
      ["ok", "Y"],
      ["tone", null],
      ["remark", null],
    ]);
    const worse = outcomeMessage(request, scored({ ok: 0.99, tone: 0.5 }), template);
    expect(worse.review?.priority).toBeGreaterThan(review?.priority ?? 1);
  });

  test("an audit is blind: no answer, no reason, no explanation, every question", () => {
    const message = outcomeMessage(request, scored(sure, idWhere(true)), template);
    expect(message.outcome).toBe("machine");
    expect(message.review).toEqual({
      kind: "audit",
      payload: request.payload,
      reasons: [],
      questions: ["ok", "tone"],
      prefill: [],
      gists: request.gists,
      template: request.template,
      priority: 0.3,
      slaHours: 24,
    });
  });

  test("what no judge saw asks every question", () => {
    const review = unjudgedResult(request, template, "review", [{ code: "media-undescribed" }], 0, 9);
    expect(outcomeMessage(request, review, template).review).toMatchObject({
      questions: ["ok", "tone"],
      priority: 0.5,
    });
    const failed = unjudgedResult(request, null, "failed", [{ code: "gave-up" }], 0, 9);
    expect(outcomeMessage(request, failed, null)).toMatchObject({
      outcome: "failed",
      task: "t",
      review: null,
    });
  });

  test("is the very same at a redelivery", () => {
    const result = scored(unsure);
    const stored = resultSchema.parse(JSON.parse(JSON.stringify(result)));
    expect(outcomeMessage(request, stored, template)).toEqual(outcomeMessage(request, result, template));
  });
});
