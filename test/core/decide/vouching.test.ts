/** A certificate counts for one judge, one task and one promise; everything else falls back to the template's word. */
import { answerConfidence } from "@touchstone/core/domain/decide/answer-confidence";
import { decide, type FieldReading } from "@touchstone/core/domain/decide/decide";
import { vouchingOf } from "@touchstone/core/domain/decide/vouching";
import { withVoid } from "@touchstone/core/domain/trust/family-trust";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import { describe, expect, test } from "vitest";
import { calibration, certificate, trusted } from "../../contract/trust-records.ts";
import { abc, rubricOf, said } from "../rubric/rubric-fixture.ts";
import { judge, vouched } from "./vouched.ts";

const labels = [
  { code: "Y", name: "yes" },
  { code: "N", name: "no" },
];
const template = (part: object = {}): Template =>
  templateSchema.parse({
    ...{ task: "t", version: 1, family: "f", title: { zh: "t", en: "t" }, standard: "s" },
    fields: [
      { kind: "label", id: "ok", title: "ok", labels },
      { kind: "label", id: "extra", title: "extra", labels, required: false },
      { kind: "text", id: "remark", title: "remark", required: false },
    ],
    ...part,
  });
const reading = (id: string, raw: number | null, part: Partial<FieldReading> = {}): FieldReading => ({
  ...{ id, value: "Y", source: "logprob", raw, calibrated: null, distribution: null, problem: null },
  ...part,
});
const decideOn = (raw: number, trust: FamilyTrust | null, of: Template = template()) => {
  const readings = [reading("ok", raw)];
  const confidence = answerConfidence(of, readings, []);
  return decide({ template: of, readings, answerFault: null, doubts: [], ...vouched(of, trust), confidence });
};

describe("what vouches", () => {
  const valid = trusted(certificate());
  const [held] = valid.certificates;
  const other = { ...judge(), parts: { ...judge().parts, model: "m2" }, fingerprint: "f2" };

  test.each([
    ["a valid certificate of this judge", judge(), valid, undefined],
    ["another model", other, valid, "fingerprint-changed"],
    [
      "an alarm",
      judge(),
      withVoid(valid, held?.certificate.id ?? "", { reason: "error-alarm", at: 5 }),
      "error-alarm",
    ],
    ["a task that is new in the family", { ...judge("u"), fingerprint: "g" }, valid, "new-task"],
    [
      "a promise below what the template asks",
      judge(),
      trusted(certificate({ alpha: 0.1 })),
      "policy-changed",
    ],
  ])("%s", (_, who, trust, why) => {
    const vouching = vouchingOf(template({ task: who.task }), who, trust);
    expect(vouching.by).toBe(why === undefined ? "certificate" : "provisional-threshold");
    expect(vouching.threshold).toBe(why === undefined ? 0.8 : 0.9);
    expect(vouching.certificate).toEqual(
      why === undefined ? { id: "f#sample#1", covers: true } : { id: "f#sample#1", covers: false, why },
    );
  });

  test("nothing is said of a certificate where there never was one", () => {
    expect(vouchingOf(template(), judge(), null).certificate).toBeUndefined();
  });

  test("a newer calibration does not move a certificate's threshold", () => {
    const newer = calibration({ family: "f", fingerprints: ["f"], at: 9 });
    const raw = { ...valid, calibration: newer };
    expect(vouchingOf(template(), judge(), raw).calibrate).toBeNull();
    const own = calibration({ at: 3, calibrator: { kind: "temperature", temperature: 2 } });
    const calibrated = { ...trusted(certificate({ calibration: 3 })), calibration: newer };
    const certificates = calibrated.certificates.map((one) => ({ ...one, calibration: own }));
    const vouching = vouchingOf(template(), judge(), { ...calibrated, certificates });
    expect(vouching.calibrate?.(0.9)).toBeCloseTo(0.75, 10);
  });

  test("without a certificate a calibration counts for the judge it was fitted to, and for tasks it never met", () => {
    const fitted = (fingerprints: string[], task: string) => ({
      ...trusted(),
      calibration: calibration({ fingerprints, fittedOn: { ...counts, tasks: { [task]: counts } } }),
    });
    const counts = { points: 60, errors: 12, effective: 60 };
    const applies = (trust: FamilyTrust) => vouchingOf(template(), judge(), trust).calibrate !== null;
    expect(applies(fitted(["f"], "t"))).toBe(true);
    expect(applies(fitted(["x"], "t"))).toBe(false);
    expect(applies(fitted(["x"], "u"))).toBe(true);
  });
});

describe("a decision under a certificate", () => {
  const strict = template({ decision: { uncertified: "review" } });

  test("goes by the certificate's threshold, also where nothing uncertified is accepted", () => {
    for (const of of [template(), strict])
      expect(decideOn(0.85, trusted(certificate()), of)).toMatchObject({
        outcome: "machine",
        vouchedBy: "certificate",
        reasons: [{ code: "confident", detail: "≥ 0.8" }],
        confidence: 0.85,
      });
    expect(decideOn(0.85, null)).toMatchObject({ outcome: "review", vouchedBy: null, confidence: 0.85 });
  });

  test("says which certificate does not count, and why", () => {
    const id = "f#sample#1";
    const voidOne = withVoid(trusted(certificate()), id, { reason: "confidence-drift", at: 5 });
    expect(decideOn(0.99, voidOne, strict).reasons).toEqual([
      { code: "no-vouching-policy", detail: `the certificate ${id} does not count: confidence-drift` },
    ]);
    expect(decideOn(0.99, voidOne)).toMatchObject({ outcome: "machine", vouchedBy: "provisional-threshold" });
  });

  test("never rests on an optional answer alone that nobody measured", () => {
    const of = template({ fields: [{ ...template().fields[1] }] });
    const readings = [reading("extra", null)];
    const confidence = answerConfidence(of, readings, []);
    const evidence = { template: of, readings, answerFault: null, doubts: [], confidence };
    const decision = decide({ ...evidence, ...vouched(of, trusted(certificate())), confidence });
    expect(decision).toMatchObject({ outcome: "review", confidence: null });
  });
});

describe("the confidence of a whole answer", () => {
  const of = (readings: readonly FieldReading[]) => answerConfidence(template(), readings, []);
  test.each<readonly [string, number | null, readonly FieldReading[]]>([
    ["the least of its fields", 0.7, [reading("ok", 0.9), reading("extra", 0.7)]],
    ["free text has none", 0.9, [reading("ok", 0.9), reading("remark", 0.2)]],
    ["an optional field may be missing", 0.9, [reading("ok", 0.9)]],
    ["an optional one without probability is passed over", 0.9, [reading("ok", 0.9), reading("extra", null)]],
    ["a required one without probability", null, [reading("ok", null)]],
    ["a required one is missing", null, []],
    [
      "a value that is not allowed",
      null,
      [reading("ok", 0.9), reading("extra", null, { value: null, problem: "value-not-allowed" })],
    ],
    ["compared in code alone", null, [reading("ok", null, { source: "exact" })]],
  ])("%s", (_, expected, readings) => {
    expect(of(readings)).toBe(expected);
  });

  test("of a rubric: the highest threshold at which nothing open could change the grade", () => {
    const rubric = rubricOf({ a: 5, b: 5, c: 0.1 });
    const graded = { fields: [], rubric, grading: abc };
    const said3 = (c: number) => [said("a", "Y", 0.97), said("b", "Y", 0.91), said("c", "N", c)];
    // c is worth next to nothing: however unsure it is, the grade stands.
    expect(answerConfidence(graded, [], said3(0.55))).toBe(0.91);
    expect(answerConfidence(graded, [], said3(0.99))).toBe(0.91);
    expect(answerConfidence(graded, [], [said("a", null, null), ...said3(0.9).slice(1)])).toBeNull();
  });
});
