/** Looks a rubric over before anyone is judged by it: what makes verdicts disagree or points meaningless. */
import type { Criterion, Grading } from "../../schema/rubric.ts";
import { finding, type LintFinding, lintCodes } from "./lint-finding.ts";
import { lintPairs } from "./lint-pairs.ts";
import { lintText } from "./lint-text.ts";
import { isNamed } from "./source-texts.ts";

/** At or below this many points a fault is a heavy one. */
const heavy = -7;
const largestShare = 0.3;
const largestRatio = 6;

/**
 * All findings: those about the rubric as a whole first, then by criterion. `files` are the names that deliverables of
 * the task are known to have; null where nobody knows.
 */
export function lintRubric(
  rubric: readonly Criterion[],
  grading: Pick<Grading, "minCriteria">,
  files: readonly string[] | null,
): readonly LintFinding[] {
  const single = [
    ...rubric.flatMap((criterion) => [
      ...lintText(criterion),
      ...lintFile(criterion, files),
      ...lintShare(criterion, rubric),
    ]),
    ...lintPairs(rubric),
  ];
  const order = (one: LintFinding): number => lintCodes.indexOf(one.code);
  return [
    ...lintWhole(rubric, grading),
    ...rubric.flatMap(({ id }) =>
      single.filter(({ criterion }) => criterion === id).sort((left, right) => order(left) - order(right)),
    ),
  ];
}

function lintWhole(
  rubric: readonly Criterion[],
  { minCriteria }: Pick<Grading, "minCriteria">,
): LintFinding[] {
  const positive = rubric.filter(({ kind }) => kind === "positive").length;
  const negative = rubric.length - positive;
  const hasHeavy = rubric.some(({ kind, points }) => kind === "veto" || points <= heavy);
  return [
    ...(rubric.length < minCriteria ? [finding("E2", null, `${rubric.length} < ${minCriteria}`)] : []),
    ...(hasHeavy ? [] : [finding("E4", null)]),
    ...(positive > largestRatio * negative ? [finding("W7", null, `${positive}:${negative}`)] : []),
  ];
}

/** A criterion about the deliverable must say which file; one about another source has said where it looks. */
function lintFile({ id, deliverable, evidence }: Criterion, files: readonly string[] | null): LintFinding[] {
  if (deliverable === undefined)
    return (evidence?.source ?? "deliverable") === "deliverable" ? [finding("E3", id)] : [];
  const exists = files === null || files.some((name) => isNamed(name, deliverable.file));
  return exists ? [] : [finding("E3", id, deliverable.file)];
}

function lintShare({ id, points }: Criterion, rubric: readonly Criterion[]): LintFinding[] {
  const total = rubric.reduce((sum, one) => sum + Math.max(0, one.points), 0);
  const share = points / total;
  return points > 0 && share > largestShare + 1e-9 ? [finding("W4", id, `${Math.round(share * 100)}%`)] : [];
}
