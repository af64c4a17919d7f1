/** Whether people agree with what the machine answered, or would have: one yes or no for the whole answer. */
import type { FieldResult, Result } from "../../schema/result.ts";
import type { Verdict } from "../../schema/review.ts";
import type { CriterionResult, RubricResult } from "../../schema/rubric.ts";
import type { FieldValue } from "../../schema/sample.ts";
import type { Template } from "../../schema/template.ts";
import { sameValue } from "../decide/agreement.ts";
import { scoreRubric } from "../rubric/score.ts";

/**
 * Compares every field that a person answered, free text apart, and the rubric's grade (its score where there are no
 * bands). A field that the machine left open counts by its likeliest label, and as wrong where it had none; an optional
 * one that it left out is not compared. Null where nothing can be compared.
 */
export const agreesWithMachine = (
  template: Pick<Template, "fields" | "rubric" | "grading">,
  result: Pick<Result, "fields" | "rubric">,
  verdict: Pick<Verdict, "values" | "rubric">,
): boolean | null => {
  const compared: boolean[] = [];
  for (const { id, kind, required } of template.fields) {
    const answer = Object.hasOwn(verdict.values, id) ? verdict.values[id] : undefined;
    if (answer === undefined || kind === "text") continue;
    const own = machineValue(result.fields.find((field) => field.id === id));
    if (own === null && !required) continue;
    compared.push(own !== null && sameValue(own, answer));
  }
  const human = verdict.rubric && levelOf(template, verdict.rubric.criteria);
  const machine = result.rubric && levelOf(template, result.rubric.criteria);
  if (human && machine) compared.push(human === machine);
  return compared.length === 0 ? null : compared.every(Boolean);
};

const machineValue = (field: FieldResult | undefined): FieldValue | null => {
  if (!field) return null;
  if (field.value !== null) return field.value;
  const shares = Object.entries(field.distribution ?? {});
  return shares.length === 0 ? null : shares.reduce((best, share) => (share[1] > best[1] ? share : best))[0];
};

/** What the criteria come to as they stand, whether or not somebody thought them sure enough. */
const levelOf = (
  { rubric, grading }: Pick<Template, "rubric" | "grading">,
  criteria: RubricResult["criteria"],
): string => {
  const verdicts = criteria.map((one) => [one.id, believed(one)] as const);
  const { norm, grade, vetoed } = scoreRubric(rubric, grading, new Map(verdicts));
  return `${grading.bands.length > 0 ? grade : norm?.toFixed(6)} ${vetoed.join(" ")}`;
};

const believed = ({ met, evidence }: CriterionResult): CriterionResult["met"] =>
  evidence === "unverified" ? null : met;
