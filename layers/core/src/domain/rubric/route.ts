/** Which open criteria a person must answer: those that can change the grade or a veto, and no others. */
import type { Criterion, CriterionCode, Grading } from "../../schema/rubric.ts";
import { gradeOf, rubricScorer } from "./score.ts";
import { type Options, possibilities, type ScoreBounds, scoreBounds } from "./score-bounds.ts";

export interface Route {
  /** Ids, in the rubric's order; none where the grade stands whatever the open ones are. */
  readonly ask: readonly string[];
  /** Between what the score lies. */
  readonly bounds: ScoreBounds;
}

/** So many combinations of open verdicts are scored one by one; beyond it, interval bounds decide. */
const mostCombinations = 128;

/**
 * Accepts (asks nothing) where grade(S_lo) = grade(S_hi) and no veto is open. Else asks a criterion if, for some
 * verdicts on the other open ones, its own verdict changes the grade or which vetoes are met; where there are too many
 * combinations to look, all open ones that can count.
 */
export function routeRubric(
  rubric: readonly Criterion[],
  grading: Pick<Grading, "bands" | "vetoCap">,
  options: Options,
): Route {
  const open = rubric.filter(({ id }) => (options.get(id)?.length ?? 0) > 1).map(({ id }) => id);
  const bounds = scoreBounds(rubric, grading, options);
  if (open.length === 0) return { ask: [], bounds };
  const possible = possibilities(rubric, options);
  const vetoOpen = rubric.some(({ id, kind }) => {
    const { canMeet, mustMeet } = possible.get(id) ?? {};
    return kind === "veto" && canMeet === true && mustMeet === false;
  });
  const applies = rubric.some(({ id, points }) => points > 0 && possible.get(id)?.mustApply);
  if (!vetoOpen && applies && levelOf(bounds.lo, grading) === levelOf(bounds.hi, grading))
    return { ask: [], bounds };
  const combinations = open.reduce((product, id) => product * (options.get(id)?.length ?? 1), 1);
  if (combinations > mostCombinations) {
    const counts = (id: string): boolean =>
      possible.get(id)?.canMeet === true || possible.get(id)?.mustApply === false;
    return { ask: open.filter(counts), bounds };
  }
  return enumerate(rubric, grading, options, open);
}

/** Scores every combination; a criterion matters if two that differ in it alone end differently. */
function enumerate(
  rubric: readonly Criterion[],
  grading: Pick<Grading, "bands" | "vetoCap">,
  options: Options,
  open: readonly string[],
): Route {
  const settled = rubric.map(({ id }): [string, CriterionCode] => [id, options.get(id)?.[0] ?? "N"]);
  let combinations: (readonly CriterionCode[])[] = [[]];
  for (const id of open) {
    combinations = combinations.flatMap((codes) =>
      (options.get(id) ?? []).map((code): readonly CriterionCode[] => [...codes, code]),
    );
  }
  const score = rubricScorer(rubric, grading);
  const ends = combinations.map((codes) => {
    const verdicts = new Map([
      ...settled,
      ...open.map((id, at): [string, CriterionCode] => [id, codes[at] ?? "N"]),
    ]);
    const { norm, vetoed } = score(verdicts);
    return { codes, norm, end: `${norm === null ? "-" : levelOf(norm, grading)} ${vetoed.join(" ")}` };
  });
  const norms = ends.flatMap(({ norm }) => norm ?? []);
  const matters = (at: number): boolean => {
    const others = Map.groupBy(ends, ({ codes }) => codes.toSpliced(at, 1).join());
    return [...others.values()].some((group) => new Set(group.map(({ end }) => end)).size > 1);
  };
  return {
    ask: open.filter((_, at) => matters(at)),
    bounds: norms.length === 0 ? { lo: 0, hi: 0 } : { lo: Math.min(...norms), hi: Math.max(...norms) },
  };
}

/** What must not change: the grade, or the score itself where the template has no bands. */
const levelOf = (norm: number, { bands }: Pick<Grading, "bands">): string =>
  bands.length > 0 ? (gradeOf(norm, bands) ?? "") : norm.toFixed(6);
