/** The rubric's part in a result: points, grade, and which criteria a person must answer. SCORE and REVIEW call it. */
import type {
  Criterion,
  CriterionCode,
  CriterionResult,
  EvidenceState,
  Grading,
  RubricResult,
} from "../../schema/rubric.ts";
import { codesOf } from "./asked-criteria.ts";
import { routeRubric } from "./route.ts";
import { exclusionGroups, scoreRubric } from "./score.ts";

/** What is known of one criterion, wherever it comes from. */
export interface CriterionVerdict {
  readonly id: string;
  readonly met: CriterionCode | null;
  /** Probability of the verdict; null where none was measured. */
  readonly confidence: number | null;
  readonly evidence?: EvidenceState | undefined;
  readonly by?: CriterionResult["by"];
}

/**
 * Scores the rubric and routes it. A judge's verdict is open if it is missing, unverified, of unknown or too low
 * probability (below `threshold`), or excludes another that is met too. Where open criteria can change the grade or a
 * veto, points and grade are null and `open` names those criteria: most valuable first, |points| · min(p, 1 − p).
 */
export function assessRubric(
  rubric: readonly Criterion[],
  grading: Pick<Grading, "bands" | "vetoCap">,
  verdicts: readonly CriterionVerdict[],
  threshold: number,
): RubricResult {
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  const contradicted = contradictions(rubric, byId);
  const isOpen = ({ id }: Criterion): boolean => isUnsure(byId.get(id), threshold) || contradicted.has(id);
  const route = routeRubric(
    rubric,
    grading,
    new Map(
      rubric.map((criterion) => [
        criterion.id,
        isOpen(criterion) ? codesOf(criterion) : [byId.get(criterion.id)?.met ?? "N"],
      ]),
    ),
  );
  const score = scoreRubric(rubric, grading, new Map(verdicts.map((one) => [one.id, creditable(one)])));
  // Where nothing positive is left to apply, the criteria that were set aside are what a person must look at.
  const setAside = rubric.filter(({ id }) => byId.get(id)?.met === "NA" && !byId.get(id)?.by);
  const ask = score.norm === null && route.ask.length === 0 ? setAside.map(({ id }) => id) : route.ask;
  const value = worth(byId, grading.vetoCap, rubric);
  const open = rubric.filter(({ id }) => ask.includes(id)).sort((left, right) => value(right) - value(left));
  const isSettled = open.length === 0;
  const vetoed = score.vetoed.filter((id) => !ask.includes(id));
  return {
    points: isSettled ? score.points : null,
    norm: isSettled ? score.norm : null,
    unclipped: isSettled ? score.unclipped : null,
    grade: isSettled ? score.grade : null,
    ...(route.bounds.lo < route.bounds.hi || !isSettled
      ? { range: [short(route.bounds.lo), short(route.bounds.hi)] as [number, number] }
      : {}),
    ...(vetoed.length > 0 ? { vetoed } : {}),
    criteria: rubric.map(({ id }) =>
      criterionResult(id, byId.get(id), ask.includes(id) ? 0 : (score.credits.get(id) ?? 0)),
    ),
    ...(isSettled ? {} : { open: open.map(({ id }) => id) }),
  };
}

/** The verdict that counts: a "met" whose quotes were not found counts as no verdict. */
const creditable = ({ met, evidence }: CriterionVerdict): CriterionCode | null =>
  evidence === "unverified" ? null : met;

/** Whether a verdict may not be believed as it stands. */
export const isUnsure = (verdict: CriterionVerdict | undefined, threshold: number): boolean => {
  if (verdict === undefined || creditable(verdict) === null) return true;
  if (verdict.by !== undefined) return false;
  return verdict.confidence === null || verdict.confidence < threshold;
};

/** Met criteria that exclude another met one; what a person or code says stands. */
function contradictions(
  rubric: readonly Criterion[],
  verdicts: ReadonlyMap<string, CriterionVerdict>,
): ReadonlySet<string> {
  const met = exclusionGroups(rubric)
    .map((group) => group.filter(({ id }) => verdicts.get(id)?.met === "Y"))
    .filter((group) => group.length > 1);
  return new Set(met.flat().flatMap(({ id }) => (verdicts.get(id)?.by ? [] : [id])));
}

/** |w| · min(p, 1 − p); a veto weighs all that it can take away, and an unknown probability is a half. */
function worth(
  verdicts: ReadonlyMap<string, CriterionVerdict>,
  vetoCap: number,
  rubric: readonly Criterion[],
): (criterion: Criterion) => number {
  const attainable = rubric.reduce((sum, { points }) => sum + Math.max(0, points), 0);
  return ({ id, kind, points }) => {
    const verdict = verdicts.get(id);
    const p = verdict === undefined || creditable(verdict) === null ? 0.5 : (verdict.confidence ?? 0.5);
    const weight = Math.abs(points);
    return Math.max(weight, kind === "veto" ? attainable * (1 - vetoCap) : 0) * Math.min(p, 1 - p);
  };
}

const criterionResult = (
  id: string,
  verdict: CriterionVerdict | undefined,
  credit: number,
): CriterionResult => ({
  id,
  met: verdict?.met ?? null,
  credit,
  confidence:
    verdict?.confidence === undefined || verdict.confidence === null ? null : short(verdict.confidence),
  ...(verdict?.evidence === undefined ? {} : { evidence: verdict.evidence }),
  ...(verdict?.by === undefined ? {} : { by: verdict.by }),
});

const short = (value: number): number => Math.round(value * 1e4) / 1e4;
