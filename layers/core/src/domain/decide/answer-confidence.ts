/** The confidence of an answer as a whole: the unit that certificates count, whatever the number of its parts. */

import type { Template } from "../../schema/template.ts";
import type { CriterionVerdict } from "../rubric/assess.ts";
import { assessRubric } from "../rubric/assess.ts";
import type { FieldReading } from "./decide.ts";

/**
 * The highest threshold at which the machine could answer: the least raw probability of the fields that a threshold looks
 * at, and of the rubric the highest at which no open criterion could still change its grade. Null where no threshold
 * would help: something required is missing, or was not measured.
 */
export const answerConfidence = (
  template: Pick<Template, "fields" | "rubric" | "grading">,
  readings: readonly FieldReading[],
  verdicts: readonly CriterionVerdict[],
): number | null => {
  const byId = new Map(readings.map((reading) => [reading.id, reading]));
  const parts: number[] = [];
  for (const { id, kind, required } of template.fields) {
    const reading = byId.get(id);
    if (!reading || reading.problem || reading.value === null) {
      const isLeftOut = !required && (reading?.problem ?? "field-missing") === "field-missing";
      if (isLeftOut) continue;
      return null;
    }
    if (reading.source === "exact" || kind === "text") continue;
    if (reading.raw !== null) parts.push(reading.raw);
    else if (required) return null;
  }
  if (template.rubric.length > 0 && verdicts.length > 0) {
    const settled = rubricConfidence(template, verdicts);
    if (settled === null) return null;
    if (settled < 1 || verdicts.some(({ by }) => by === undefined)) parts.push(settled);
  }
  return parts.length === 0 ? null : Math.min(...parts);
};

/** By bisection over the verdicts' own probabilities: the higher the threshold, the more criteria are open. */
const rubricConfidence = (
  { rubric, grading }: Pick<Template, "rubric" | "grading">,
  verdicts: readonly CriterionVerdict[],
): number | null => {
  const settles = (threshold: number): boolean =>
    assessRubric(rubric, grading, verdicts, threshold).open === undefined;
  const measured = verdicts.flatMap(({ by, confidence }) =>
    by === undefined && confidence !== null ? [confidence] : [],
  );
  const rising = [...new Set(measured)].sort((left, right) => left - right);
  if (!settles(rising[0] ?? 0)) return null;
  if (rising.length === 0 || settles(Number.POSITIVE_INFINITY)) return 1;
  let [low, high] = [0, rising.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (settles(rising[middle] ?? 1)) low = middle;
    else high = middle;
  }
  return rising[low] ?? null;
};
