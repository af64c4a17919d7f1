/** Decides a sample: may the machine answer, or must a person? SCORE calls it once per sample. */
import type { Outcome, Reason, ReasonCode } from "../../schema/outcome.ts";
import type { FieldResult, Result } from "../../schema/result.ts";
import type { RubricResult } from "../../schema/rubric.ts";
import type { FieldValue } from "../../schema/sample.ts";
import type { Field, Template } from "../../schema/template.ts";
import { openReasons } from "../rubric/open-reasons.ts";
import { brokenRules } from "./cross-field.ts";
import { calibrated, type Vouching } from "./vouching.ts";

/** What is known of one field, wherever it comes from. */
export interface FieldReading {
  readonly id: string;
  readonly value: FieldValue | null;
  readonly source: FieldResult["confidence"]["source"];
  /** Probability of the value; null where none could be measured. */
  readonly raw: number | null;
  readonly calibrated: number | null;
  readonly distribution: Readonly<Record<string, number>> | null;
  /** Why there is no usable value. */
  readonly problem: Extract<
    ReasonCode,
    "field-missing" | "value-not-allowed" | "no-reference" | "answer-ambiguous"
  > | null;
}

/** A fault of the answer as a whole: no field of it may be believed. */
export type AnswerFault = Extract<
  ReasonCode,
  "answer-unreadable" | "answer-cut" | "answer-looped" | "answer-refused" | "answer-ambiguous" | "context-cut"
>;

export interface Evidence {
  readonly template: Template;
  readonly readings: readonly FieldReading[];
  readonly answerFault: { readonly code: AnswerFault; readonly detail: string } | null;
  /** Assessed at the threshold of `vouching`, on calibrated probabilities; absent where the template has no rubric. */
  readonly rubric?: RubricResult;
  readonly vouching: Vouching;
  /** Vetoes that the judge found no fault in, whose word alone does not count; open in `rubric`. */
  readonly uncleared: readonly string[];
  /** The answer's confidence as a whole, raw; null where no threshold would help. */
  readonly confidence: number | null;
  /** Faults that keep the machine from answering whatever it believes, e.g. `context-cut`. */
  readonly doubts: readonly Reason[];
}

export interface Decision {
  readonly outcome: Extract<Outcome, "machine" | "review">;
  readonly reasons: readonly Reason[];
  readonly vouchedBy: Result["vouchedBy"];
  readonly fields: readonly FieldResult[];
  readonly rubric?: RubricResult;
  /** Raw; null where the answer has none, or must not be believed whatever it is. */
  readonly confidence: number | null;
}

/**
 * `machine` only if every field that must be vouched for is: compared exactly in code, or given a probability of at
 * least the threshold; and if no criterion is open that can change the rubric's grade. Everything else is `review` with all its reasons; an uncertain field is returned undecided
 * with its distribution, never as a confident guess.
 */
export const decide = (evidence: Evidence): Decision => {
  const { template, readings, answerFault, rubric, doubts, vouching } = evidence;
  const { threshold } = vouching;
  const byId = new Map(readings.map((reading) => [reading.id, reading]));
  const judged = template.fields.map((field) => judgeField(field, byId.get(field.id), vouching));
  const faults = judged.flatMap((field) => field.reason ?? []);
  const broken = brokenRules(template.rules, valuesOf(readings));
  const exactOnly = isExact(readings, rubric);
  const isBarred = answerFault !== null || doubts.length + broken.length > 0 || exactOnly;
  const confidence = isBarred ? null : evidence.confidence;
  const reasons: Reason[] = [
    ...(answerFault ? [{ code: answerFault.code, detail: answerFault.detail.slice(0, 400) }] : []),
    // After a fault of the whole answer, the fields' own faults would only repeat it.
    ...(answerFault ? [] : faults.length > 0 ? faults : unmeasured(readings, rubric)),
    ...(answerFault || !rubric ? [] : rubricReasons(rubric, evidence)),
    ...doubts,
    ...broken.map((detail) => ({ code: "rule-broken" as const, detail })),
    ...uncertifiedReasons(template, vouching, exactOnly),
  ];
  // A certificate speaks of whole answers: nothing below its threshold is accepted for any other cause.
  if (reasons.length === 0 && !exactOnly && vouching.by === "certificate") {
    const whole = confidence === null ? 0 : calibrated(vouching, confidence);
    if (whole < threshold) reasons.push({ code: "low-confidence", detail: lessThan(whole, threshold) });
  }
  const fields = judged.map((field) => field.result);
  if (reasons.length === 0) {
    return {
      outcome: "machine",
      reasons: [exactOnly ? { code: "exact" } : { code: "confident", detail: `≥ ${short(threshold)}` }],
      vouchedBy: exactOnly ? "exact" : vouching.by,
      fields,
      confidence,
      ...(rubric ? { rubric } : {}),
    };
  }
  return {
    outcome: "review",
    reasons: reasons.slice(0, 12),
    vouchedBy: null,
    fields,
    confidence,
    ...(rubric ? { rubric } : {}),
  };
};

const rubricReasons = (rubric: RubricResult, { vouching, uncleared }: Evidence): readonly Reason[] =>
  openReasons(rubric, vouching.threshold).map((reason) =>
    reason.field !== undefined && uncleared.includes(reason.field)
      ? { code: "veto-uncertified", field: reason.field }
      : reason,
  );

/** Where the template takes nothing without a certificate. Says why the family's own does not count. */
const uncertifiedReasons = (
  { decision }: Template,
  { by, certificate }: Vouching,
  exactOnly: boolean,
): readonly Reason[] => {
  if (decision.uncertified === "threshold" || by === "certificate" || exactOnly) return [];
  const detail =
    certificate === undefined
      ? "the task accepts nothing without a certificate"
      : `the certificate ${certificate.id} does not count: ${certificate.why}`;
  return [{ code: "no-vouching-policy", detail }];
};

/** At most four decimals, since a certified threshold is any number. */
const short = (probability: number): number => Math.round(probability * 1e4) / 1e4;

const lessThan = (probability: number, threshold: number): string =>
  `${probability.toFixed(2)} < ${short(threshold)}`;

/** Whether code alone stands behind everything that was answered. */
const isExact = (readings: readonly FieldReading[], rubric: RubricResult | undefined): boolean => {
  const criteria = rubric?.criteria ?? [];
  return (
    readings.length + criteria.length > 0 &&
    readings.every((reading) => reading.source === "exact") &&
    criteria.every(({ by }) => by === "rule")
  );
};

/** Where only free text and optional fields without a probability were answered, nothing stands behind the answer. */
const unmeasured = (
  readings: readonly FieldReading[],
  rubric: RubricResult | undefined,
): readonly Reason[] =>
  rubric?.criteria.some(({ confidence }) => confidence !== null) ||
  readings.some(({ source, calibrated, raw }) => source === "exact" || (calibrated ?? raw) !== null)
    ? []
    : [{ code: "missing-confidence" }];

/** Fields a person can be asked for; a remark in free text is not asked again. */
export const askable = (fields: readonly Field[]): readonly string[] =>
  fields.filter((field) => field.kind !== "text").map((field) => field.id);

const valuesOf = (readings: readonly FieldReading[]): ReadonlyMap<string, FieldValue> =>
  new Map(readings.flatMap(({ id, value }) => (value === null ? [] : [[id, value] as const])));

interface JudgedField {
  readonly result: FieldResult;
  readonly reason: Reason | null;
}

const judgeField = (field: Field, reading: FieldReading | undefined, vouching: Vouching): JudgedField => {
  const { threshold, calibrate } = vouching;
  const raw = reading?.raw ?? null;
  const confidence = {
    source: reading?.source ?? ("none" as const),
    raw,
    calibrated: reading?.calibrated ?? (raw === null ? null : (calibrate?.(raw) ?? null)),
  };
  const value = reading?.value ?? null;
  const kept: JudgedField = { result: { id: field.id, value, confidence }, reason: null };
  if (reading?.problem || value === null) {
    const code = reading?.problem ?? "field-missing";
    if (!field.required && code === "field-missing") return kept;
    return open(field.id, confidence, reading, { code, field: field.id });
  }
  if (reading?.source === "exact" || field.kind === "text") return kept;
  const probability = confidence.calibrated ?? confidence.raw;
  if (probability === null) {
    return field.required
      ? open(field.id, confidence, reading, { code: "missing-confidence", field: field.id })
      : kept;
  }
  if (probability >= threshold) return kept;
  const detail = lessThan(probability, threshold);
  return open(field.id, confidence, reading, { code: "low-confidence", field: field.id, detail });
};

const open = (
  id: string,
  confidence: FieldResult["confidence"],
  reading: FieldReading | undefined,
  reason: Reason,
): JudgedField => ({
  result: {
    id,
    value: null,
    confidence,
    ...(reading?.distribution ? { distribution: rounded(reading.distribution) } : {}),
  },
  reason,
});

const rounded = (distribution: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(distribution).map(([code, probability]) => [code, Math.round(probability * 1e4) / 1e4]),
  );
