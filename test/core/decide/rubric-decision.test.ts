/** What a rubric does to a decision, beside the fields or without any. */
import { decide as decideOn, type Evidence, type FieldReading } from "@touchstone/core/domain/decide/decide";
import { reasonText } from "@touchstone/core/domain/decide/reason-text";
import { assessRubric, type CriterionVerdict } from "@touchstone/core/domain/rubric/assess";
import { rubricResultSchema } from "@touchstone/core/schema/rubric";
import { templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { abc, criterion, rubricOf, said } from "../rubric/rubric-fixture.ts";
import { vouched } from "./vouched.ts";

const labels = [
  { code: "Y", name: "yes" },
  { code: "N", name: "no" },
];
const template = (fields: readonly object[], part: object = {}) =>
  templateSchema.parse({
    ...{ task: "t", version: 1, family: "f", title: { zh: "t", en: "t" }, standard: "s" },
    fields,
    rubric: rubricOf({ a: 5, b: 5 }),
    grading: abc,
    ...part,
  });
const ok = { kind: "label", id: "ok", title: "ok", labels };
const reading = (raw: number): FieldReading => ({
  ...{ id: "ok", value: "Y", source: "logprob", raw, calibrated: null, distribution: null, problem: null },
});
const rubric = (...verdicts: readonly CriterionVerdict[]) =>
  assessRubric(rubricOf({ a: 5, b: 5 }), abc, verdicts, 0.9);
const decide = (evidence: Omit<Evidence, "vouching" | "uncleared" | "confidence">) =>
  decideOn({ ...vouched(evidence.template), ...evidence });
const sure = rubric(said("a", "Y", 0.99), said("b", "N", 0.99));
const open = rubric(said("a", "Y", 0.99), said("b", "Y", 0.6));

describe("a decision", () => {
  test("by the rubric alone is the machine's where the grade stands", () => {
    expect(
      decide({ template: template([]), readings: [], answerFault: null, rubric: sure, doubts: [] }),
    ).toMatchObject({
      outcome: "machine",
      reasons: [{ code: "confident" }],
      vouchedBy: "provisional-threshold",
      rubric: { grade: "B" },
    });
  });

  test("is a person's where a criterion is open, however sure the fields are", () => {
    const decision = decide({
      template: template([ok]),
      readings: [reading(0.99)],
      answerFault: null,
      rubric: open,
      doubts: [],
    });
    expect(decision).toMatchObject({
      outcome: "review",
      reasons: [{ code: "criterion-unsure", field: "b", detail: "0.60 < 0.9" }],
      fields: [{ id: "ok", value: "Y" }],
    });
  });

  test("is a person's where a field is unsure, and the grade stands all the same", () => {
    const decision = decide({
      template: template([ok]),
      readings: [reading(0.6)],
      answerFault: null,
      rubric: sure,
      doubts: [],
    });
    expect(decision).toMatchObject({
      outcome: "review",
      reasons: [{ code: "low-confidence" }],
      rubric: { grade: "B" },
    });
  });

  test("tells a fault of the whole answer once, not criterion by criterion", () => {
    const none = rubric(said("a", null, null), said("b", null, null));
    const answerFault = { code: "answer-unreadable" as const, detail: "no JSON" };
    const decision = decide({ template: template([]), readings: [], answerFault, rubric: none, doubts: [] });
    expect(decision.reasons).toEqual([{ code: "answer-unreadable", detail: "no JSON" }]);
    expect(decision.rubric).toMatchObject({ grade: null, points: null, open: ["a", "b"] });
  });

  test("by rules in code alone is exact, also where the task accepts nothing uncertified", () => {
    const checked = rubric(said("a", "Y", 1, { by: "rule" }), said("b", "Y", 1, { by: "rule" }));
    const strict = template([], { decision: { uncertified: "review" } });
    const decided = { template: strict, readings: [], answerFault: null, doubts: [] };
    expect(decide({ ...decided, rubric: checked })).toMatchObject({ outcome: "machine", vouchedBy: "exact" });
    expect(decide({ ...decided, rubric: sure }).reasons).toMatchObject([{ code: "no-vouching-policy" }]);
  });
});

test("many open criteria are named five at a time, and told in words", () => {
  const many = Array.from({ length: 8 }, (_, index) => criterion(`c${index}`, 1));
  const verdicts = many.map(({ id }, index) =>
    index === 0
      ? said(id, "Y", 0.99, { evidence: "unverified" })
      : index === 1
        ? said(id, null, null)
        : said(id, "Y", index === 2 ? null : 0.5),
  );
  const assessed = assessRubric(many, abc, verdicts, 0.9);
  const { reasons } = decide({
    template: template([], { rubric: many }),
    ...{ readings: [], answerFault: null, rubric: assessed, doubts: [] },
  });
  expect(reasons).toHaveLength(6);
  expect(reasons.map((reason) => reasonText(reason, "en"))).toEqual([
    "a criterion's quote is not in the material (c0)",
    "a criterion is open (c1: no verdict)",
    "a criterion is open (c2: no probability)",
    "a criterion is open (c3: 0.50 < 0.9)",
    "a criterion is open (c4: 0.50 < 0.9)",
    "a criterion is open (+3)",
  ]);
});

test("the rubric of thirty-five criteria takes about two kilobytes", () => {
  const many = Array.from({ length: 35 }, (_, index) => criterion(`c${index}`, 1));
  const assessed = assessRubric(
    many,
    abc,
    many.map(({ id }) => said(id, "Y", 0.987654)),
    0.9,
  );
  expect(rubricResultSchema.parse(assessed)).toEqual(assessed);
  expect(Buffer.byteLength(JSON.stringify(assessed))).toBeLessThan(2_048);
});
