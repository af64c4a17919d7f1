/** Why criteria go to a person, as reasons of a decision. Called by `decide`. */
import type { Reason } from "../../schema/outcome.ts";
import type { CriterionResult, RubricResult } from "../../schema/rubric.ts";

/** So many criteria are named; the others are counted. */
const mostNamed = 5;

/** One reason for each open criterion, the most valuable first; none where the grade stands. */
export function openReasons(rubric: RubricResult, threshold: number): readonly Reason[] {
  const open = (rubric.open ?? []).flatMap((id) => rubric.criteria.filter((one) => one.id === id));
  const named = open.slice(0, mostNamed).map((one) => reasonOf(one, threshold));
  const more = open.length - named.length;
  return more > 0 ? [...named, { code: "criterion-unsure", detail: `+${more}` }] : named;
}

function reasonOf({ id, met, confidence, evidence, by }: CriterionResult, threshold: number): Reason {
  if (evidence === "unverified") return { code: "criterion-unverified", field: id };
  const detail =
    met === null
      ? by === "rule"
        ? "unread picture"
        : "no verdict"
      : confidence === null
        ? "no probability"
        : confidence < threshold
          ? `${confidence.toFixed(2)} < ${threshold}`
          : met === "NA"
            ? "nothing applies"
            : "excludes another that is met";
  return { code: "criterion-unsure", field: id, detail };
}
