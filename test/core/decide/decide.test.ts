/** The decision: one row for each reason, and never a guess in place of a person. */
import { type Decision, decide, type FieldReading } from "@touchstone/core/domain/decide/decide";
import { reasonCodes } from "@touchstone/core/schema/outcome";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { vouched } from "./vouched.ts";

const yesNo = [
  { code: "Y", name: "yes" },
  { code: "N", name: "no" },
];
const template = (part: object = {}): Template =>
  templateSchema.parse({
    task: "t",
    version: 1,
    family: "f",
    title: { zh: "t", en: "t" },
    standard: "s",
    fields: [
      { kind: "label", id: "ok", title: "ok", labels: yesNo },
      { kind: "label", id: "extra", title: "extra", labels: yesNo, required: false },
      { kind: "text", id: "remark", title: "remark", required: false },
    ],
    ...part,
  });
const reading = (part: Partial<FieldReading> = {}): FieldReading => ({
  id: "ok",
  value: "Y",
  source: "logprob",
  raw: 0.95,
  calibrated: null,
  distribution: { Y: 0.95123456, N: 0.05 },
  problem: null,
  ...part,
});
const exact = (part: Partial<FieldReading> = {}) =>
  reading({ source: "exact", raw: null, distribution: null, ...part });
const run = (readings: readonly FieldReading[], part: Partial<Parameters<typeof decide>[0]> = {}): Decision =>
  decide({
    ...{ template: template(), readings, answerFault: null, doubts: [] },
    ...vouched(part.template ?? template()),
    ...part,
  });
const brief = ({ outcome, vouchedBy, reasons }: Decision) => [
  outcome,
  vouchedBy,
  reasons.map(({ code, field, detail }) =>
    [code, field, detail].filter((one) => one !== undefined).join(" "),
  ),
];

const rule = {
  when: [{ field: "ok", in: ["Y"] }],
  require: [{ field: "extra", in: ["Y"] }],
  message: "extra must be yes too",
};

test.each<readonly [string, Decision, readonly unknown[]]>([
  ["sure enough", run([reading()]), ["machine", "provisional-threshold", ["confident ≥ 0.9"]]],
  [
    "exactly at the threshold",
    run([reading({ raw: 0.9 })]),
    ["machine", "provisional-threshold", ["confident ≥ 0.9"]],
  ],
  [
    "calibrated counts before raw",
    run([reading({ raw: 0.99, calibrated: 0.5 })]),
    ["review", null, ["low-confidence ok 0.50 < 0.9"]],
  ],
  [
    "compared in code",
    run([exact()], { template: template({ fields: [template().fields[0]] }) }),
    ["machine", "exact", ["exact"]],
  ],
  ["not sure", run([reading({ raw: 0.714 })]), ["review", null, ["low-confidence ok 0.71 < 0.9"]]],
  [
    "an optional answer must be sure as well",
    run([reading(), reading({ id: "extra", raw: 0.2 })]),
    ["review", null, ["low-confidence extra 0.20 < 0.9"]],
  ],
  [
    "no probability",
    run([reading({ source: "none", raw: null })]),
    ["review", null, ["missing-confidence ok"]],
  ],
  [
    "an optional answer without probability stands beside a sure one",
    run([reading(), reading({ id: "extra", source: "none", raw: null })]),
    ["machine", "provisional-threshold", ["confident ≥ 0.9"]],
  ],
  [
    "nothing but a remark",
    run([reading({ id: "remark", value: "fine", raw: null })], {
      template: template({ fields: [template().fields[2]] }),
    }),
    ["review", null, ["missing-confidence"]],
  ],
  ["a required field is missing", run([]), ["review", null, ["field-missing ok"]]],
  [
    "an optional one may be",
    run([reading(), reading({ id: "extra", value: null, problem: "field-missing" })]),
    ["machine", "provisional-threshold", ["confident ≥ 0.9"]],
  ],
  [
    "a value that is not allowed, also of an optional field",
    run([reading(), reading({ id: "extra", value: null, problem: "value-not-allowed" })]),
    ["review", null, ["value-not-allowed extra"]],
  ],
  [
    "no reference to compare with",
    run([exact({ value: null, problem: "no-reference" })]),
    ["review", null, ["no-reference ok"]],
  ],
  [
    "an ambiguous answer to compare",
    run([exact({ value: null, problem: "answer-ambiguous" })]),
    ["review", null, ["answer-ambiguous ok"]],
  ],
  [
    "an unreadable answer says it once",
    run([], { answerFault: { code: "answer-unreadable", detail: "no JSON" } }),
    ["review", null, ["answer-unreadable no JSON"]],
  ],
  [
    "a cut answer",
    run([], { answerFault: { code: "answer-cut", detail: "length" } }),
    ["review", null, ["answer-cut length"]],
  ],
  [
    "a refusal",
    run([], { answerFault: { code: "answer-refused", detail: "refused" } }),
    ["review", null, ["answer-refused refused"]],
  ],
  [
    "a doubt outweighs any probability",
    run([reading({ raw: 1 })], { doubts: [{ code: "context-cut", detail: "standard" }] }),
    ["review", null, ["context-cut standard"]],
  ],
  [
    "an attack",
    run([reading({ raw: 1 })], { doubts: [{ code: "injection-suspected" }] }),
    ["review", null, ["injection-suspected"]],
  ],
  [
    "a broken rule",
    run([reading(), reading({ id: "extra", value: "N" })], { template: template({ rules: [rule] }) }),
    ["review", null, ["rule-broken extra must be yes too"]],
  ],
  [
    "a policy of no certificate, no machine",
    run([reading()], { template: template({ decision: { uncertified: "review" } }) }),
    ["review", null, ["no-vouching-policy the task accepts nothing without a certificate"]],
  ],
  [
    "which does not bind exact comparison",
    run([exact()], {
      template: template({ fields: [template().fields[0]], decision: { uncertified: "review" } }),
    }),
    ["machine", "exact", ["exact"]],
  ],
  [
    "but binds what mixes both",
    run([exact(), reading({ id: "extra" })], { template: template({ decision: { uncertified: "review" } }) }),
    ["review", null, ["no-vouching-policy the task accepts nothing without a certificate"]],
  ],
  [
    "all reasons are told",
    run([reading({ raw: 0.1 }), reading({ id: "extra", value: null, problem: "value-not-allowed" })], {
      doubts: [{ code: "context-cut" }],
    }),
    ["review", null, ["low-confidence ok 0.10 < 0.9", "value-not-allowed extra", "context-cut"]],
  ],
])("%s", (_, decision, expected) => {
  expect(brief(decision)).toEqual(expected);
});

describe("fields", () => {
  test("an uncertain one is undecided and keeps its distribution, never a guess", () => {
    const { fields } = run([reading({ raw: 0.6 })]);
    expect(fields[0]).toEqual({
      id: "ok",
      value: null,
      confidence: { source: "logprob", raw: 0.6, calibrated: null },
      distribution: { Y: 0.9512, N: 0.05 },
    });
  });

  test("a sure one carries value and confidence, not the distribution", () => {
    expect(run([reading()]).fields[0]).toEqual({
      id: "ok",
      value: "Y",
      confidence: { source: "logprob", raw: 0.95, calibrated: null },
    });
  });

  test("come in the template's order, also those nobody answered", () => {
    const { fields } = run([reading({ id: "remark", value: "好", raw: null }), reading()]);
    expect(fields.map(({ id, value }) => [id, value])).toEqual([
      ["ok", "Y"],
      ["extra", null],
      ["remark", "好"],
    ]);
  });
});

test("machine is only what is vouched for, whatever comes in", () => {
  const any = fc.record({
    id: fc.constantFrom("ok", "extra", "remark", "unknown"),
    value: fc.constantFrom("Y", "N", null),
    source: fc.constantFrom("logprob", "vote", "exact", "none"),
    raw: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    calibrated: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    distribution: fc.constant(null),
    problem: fc.constantFrom(null, "field-missing", "value-not-allowed", "no-reference", "answer-ambiguous"),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(any, { selector: (one) => one.id }),
      fc.boolean(),
      fc.boolean(),
      (readings: FieldReading[], isFaulty, doubtful) => {
        const decision = run(readings, {
          answerFault: isFaulty ? { code: "answer-cut", detail: "" } : null,
          doubts: doubtful ? [{ code: "context-cut" }] : [],
        });
        expect(decision.reasons.length).toBeGreaterThan(0);
        expect(decision.reasons.every(({ code }) => reasonCodes.includes(code))).toBe(true);
        expect(decision.vouchedBy === null).toBe(decision.outcome === "review");
        if (decision.outcome !== "machine") return;
        expect(isFaulty || doubtful).toBe(false);
        const ok = readings.find((one) => one.id === "ok");
        expect(ok?.value).not.toBeNull();
        expect(ok?.problem).toBeNull();
        expect(ok?.source === "exact" || (ok?.calibrated ?? ok?.raw ?? 0) >= 0.9).toBe(true);
      },
    ),
  );
});
