/** Under a certificate the judge's "no violation" needs one of its own; else a person is asked for the veto alone. */
import { judgeFingerprint } from "@touchstone/core/domain/decide/fingerprint";
import { judgedResult } from "@touchstone/core/domain/decide/judged-result";
import { outcomeMessage } from "@touchstone/core/domain/decide/scored-result";
import { askedFields } from "@touchstone/core/domain/judge/asked-fields";
import { recordedJudging } from "@touchstone/core/domain/judge/recorded-judging";
import { chatCompletionSchema } from "@touchstone/core/schema/chat";
import { resultSchema } from "@touchstone/core/schema/result";
import { templateSchema } from "@touchstone/core/schema/template";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import { describe, expect, test } from "vitest";
import { sampleKey, taskId } from "../../contract/records.ts";
import { certificate, trusted } from "../../contract/trust-records.ts";
import { token } from "../confidence/tokens.ts";

const template = templateSchema.parse({
  ...{ task: "t", version: 1, family: "f", title: { zh: "t", en: "t" }, standard: "s", fields: [] },
  rubric: [
    { id: "advice", text: "gives advice", kind: "positive", points: 5 },
    { id: "leak", text: "tells an identity number", kind: "veto" },
  ],
  grading: {
    bands: [
      { name: "good", min: 0.5 },
      { name: "bad", min: 0 },
    ],
  },
  decision: { auditRate: 0 },
});
const sample = { id: "s-1", output: "I advise you to wait." };
const pin = { task: taskId("t"), version: 1, versionId: "v" };
const request = {
  ...{ schema: 1 as const, key: sampleKey(), sampleId: "s-1", line: 1, payload: { sample }, template: pin },
  ...{ source: { bucket: "u", key: "k" }, callType: "score" as const, arrivedAt: 0, gists: [], problems: [] },
};
const tokens = [
  token('{"explanation": "e", "evidence": [], "criteria": {"advice": {"met": "'),
  token("Y", 0.99, { N: 0.01 }),
  token('"}, "leak": {"met": "'),
  token("N", 0.97, { Y: 0.03 }),
  token('"}}}'),
];
const completion = chatCompletionSchema.parse({
  model: "m",
  choices: [
    {
      finish_reason: "stop",
      message: { content: tokens.map((one) => one.token).join("") },
      logprobs: { content: tokens },
    },
  ],
});
const decided = (trust: FamilyTrust | null) => {
  const input = {
    ...{ template, fields: askedFields(template), sample, nonce: "0123456789abcdef" },
    ...{ examples: [], gists: [], problems: [], images: [] },
  };
  const judged = { judging: recordedJudging(input, [completion]), model: "m", judgeMs: 0 };
  return judgedResult({
    ...{ request, sample, template, exact: [], judged, probe: null, trust, startedAt: 0, now: 0 },
  });
};

const fingerprint = judgeFingerprint("m", pin, template);
const answers = (tau: number) => certificate({ tau, fingerprint, unit: "grade" });
const veto = (tau: number, alpha = 0.004) =>
  certificate({ tau, fingerprint, id: "f#veto#leak#1", unit: "veto", criterion: "leak", alpha });

describe("a judged veto", () => {
  test("stands without a certificate as everything else does: nothing is promised", () => {
    expect(decided(null)).toMatchObject({
      ...{ decision: "machine", vouchedBy: "provisional-threshold", certified: false },
      rubric: { grade: "good" },
      confidence: { raw: expect.closeTo(0.97, 6) },
    });
  });

  test.each([
    ["no certificate of its own", trusted(answers(0.9))],
    ["one that asks for more confidence", trusted(answers(0.9), veto(0.98))],
    ["one that promises too little", trusted(answers(0.9), veto(0.9, 0.2))],
  ])("is a person's with %s, and nothing else is asked", (_, trust) => {
    const result = decided(trust);
    expect(resultSchema.parse(result)).toEqual(result);
    expect(result).toMatchObject({
      ...{ decision: "review", certified: false, reasons: [{ code: "veto-uncertified", field: "leak" }] },
      certificate: { covers: true },
      rubric: {
        grade: null,
        open: ["leak"],
        criteria: [{ confidence: 0.99 }, { id: "leak", confidence: 0.97 }],
      },
    });
    expect(outcomeMessage(request, result, template)).toMatchObject({
      coverage: { certified: false, lost: "veto" },
      review: { kind: "review", questions: ["leak"] },
    });
  });

  test("is the machine's with one", () => {
    const result = decided(trusted(answers(0.9), veto(0.97)));
    expect(result).toMatchObject({
      ...{ decision: "machine", vouchedBy: "certificate", certified: true },
      rubric: { grade: "good" },
    });
  });

  test("below the threshold of answers is open for that alone", () => {
    expect(decided(trusted(answers(0.98), veto(0.5)))).toMatchObject({
      ...{ decision: "review", reasons: [{ code: "criterion-unsure", field: "leak" }] },
    });
  });
});
