/** Between what a rubric's score can lie while some verdicts are open: interval arithmetic over its criteria. */
import type { Criterion, CriterionCode, Grading } from "../../schema/rubric.ts";
import { exclusionGroups } from "./score.ts";

/** The verdicts that a criterion may still get; one alone where it is settled. */
export type Options = ReadonlyMap<string, readonly CriterionCode[]>;

export interface ScoreBounds {
  readonly lo: number;
  readonly hi: number;
}

interface Possible {
  readonly canMeet: boolean;
  readonly mustMeet: boolean;
  readonly canApply: boolean;
  readonly mustApply: boolean;
}

/**
 * S_lo and S_hi: each open criterion at its worst and at its best value. Never narrower than the truth; exactly it
 * where no open criterion depends on another, excludes another or may be N/A.
 */
export function scoreBounds(
  rubric: readonly Criterion[],
  { vetoCap }: Pick<Grading, "vetoCap">,
  options: Options,
): ScoreBounds {
  const possible = possibilities(rubric, options);
  const of = ({ id }: Criterion): Possible => possible.get(id) ?? impossible;
  const sum = { pointsLo: 0, pointsHi: 0, attainableLo: 0, attainableHi: 0 };
  for (const group of exclusionGroups(rubric)) {
    const positive = group.filter(({ points }) => points > 0);
    const negative = group.filter(({ points }) => points < 0);
    const most = (criteria: readonly Criterion[]): number =>
      Math.max(0, ...criteria.map(({ points }) => points));
    const least = (criteria: readonly Criterion[]): number =>
      Math.min(0, ...criteria.map(({ points }) => points));
    const worst = least(negative.filter((criterion) => of(criterion).canMeet));
    const best = most(positive.filter((criterion) => of(criterion).canMeet));
    sum.pointsLo += worst < 0 ? worst : most(positive.filter((criterion) => of(criterion).mustMeet));
    sum.pointsHi += best > 0 ? best : least(negative.filter((criterion) => of(criterion).mustMeet));
    sum.attainableLo += most(positive.filter((criterion) => of(criterion).mustApply));
    sum.attainableHi += most(positive.filter((criterion) => of(criterion).canApply));
  }
  const vetoes = rubric.filter(({ kind }) => kind === "veto").map(of);
  const cap = (norm: number, isVetoed: boolean): number =>
    Math.min(isVetoed ? vetoCap : 1, Math.max(0, norm));
  const share = (points: number, attainable: number): number =>
    attainable > 0 ? points / attainable : points > 0 ? 1 : 0;
  return {
    lo: cap(
      share(sum.pointsLo, sum.attainableHi),
      vetoes.some(({ canMeet }) => canMeet),
    ),
    hi: cap(
      share(sum.pointsHi, sum.attainableLo),
      vetoes.some(({ mustMeet }) => mustMeet),
    ),
  };
}

const impossible: Possible = { canMeet: false, mustMeet: false, canApply: true, mustApply: true };

/** What each criterion can still come to, its dependencies included. */
export function possibilities(rubric: readonly Criterion[], options: Options): ReadonlyMap<string, Possible> {
  const byId = new Map(rubric.map((criterion) => [criterion.id, criterion]));
  const known = new Map<string, Possible>();
  const possible = (criterion: Criterion): Possible => {
    const found = known.get(criterion.id);
    if (found !== undefined) return found;
    const own = options.get(criterion.id) ?? ["N"];
    const parents = criterion.dependsOn.flatMap((id) => byId.get(id) ?? []).map(possible);
    const made: Possible = {
      canMeet: own.includes("Y") && parents.every(({ canMeet }) => canMeet),
      mustMeet: own.every((code) => code === "Y") && parents.every(({ mustMeet }) => mustMeet),
      canApply: own.some((code) => code !== "NA") && parents.every(({ canApply }) => canApply),
      mustApply: !own.includes("NA") && parents.every(({ mustApply }) => mustApply),
    };
    known.set(criterion.id, made);
    return made;
  };
  for (const criterion of rubric) possible(criterion);
  return known;
}
