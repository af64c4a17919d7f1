/** Points of a rubric from its verdicts: dependencies, exclusions, N/A, vetoes, grade. Pure arithmetic. */
import type { Criterion, CriterionCode, Grading } from "../../schema/rubric.ts";

/** By criterion id; null counts as not met. */
export type Verdicts = ReadonlyMap<string, CriterionCode | null>;

export interface RubricScore {
  /** Points that count, by criterion id; absent where none do. */
  readonly credits: ReadonlyMap<string, number>;
  readonly points: number;
  /** Points ÷ attainable points; null where nothing positive applies. */
  readonly unclipped: number | null;
  /** The same cut to 0…1, and to the cap where a veto is met. */
  readonly norm: number | null;
  readonly vetoed: readonly string[];
  readonly grade: string | null;
}

/** A criterion in its context: what its own verdict and those that it depends on come to. */
export type Standing = "met" | "unmet" | "not-applicable";

/**
 * raw = Σ points of what is met; norm = clip(raw ÷ Σ positive points, 0, 1). A criterion counts only where all that it
 * depends on are met; one that does not apply, or depends on one that does not, leaves the denominator. Of criteria
 * that exclude each other the weightiest met one counts. A met veto caps the score.
 */
export function scoreRubric(
  rubric: readonly Criterion[],
  grading: Pick<Grading, "bands" | "vetoCap">,
  verdicts: Verdicts,
): RubricScore {
  return rubricScorer(rubric, grading)(verdicts);
}

/** The same for one rubric and many sets of verdicts: what depends on the rubric alone is worked out once. */
export function rubricScorer(
  rubric: readonly Criterion[],
  { bands, vetoCap }: Pick<Grading, "bands" | "vetoCap">,
): (verdicts: Verdicts) => RubricScore {
  // The weightiest of a group is the first met one then.
  const groups = exclusionGroups(rubric).map((group) =>
    [...group].sort((left, right) => Math.abs(right.points) - Math.abs(left.points)),
  );
  const vetoes = rubric.filter(({ kind }) => kind === "veto");
  return (verdicts) => {
    const standings = standingsOf(rubric, verdicts);
    const credits = new Map<string, number>();
    let points = 0;
    let attainable = 0;
    for (const group of groups) {
      let most = 0;
      let counted: Criterion | null = null;
      for (const criterion of group) {
        const standing = standings.get(criterion.id);
        if (standing !== "not-applicable") most = Math.max(most, criterion.points);
        if (standing === "met") counted ??= criterion;
      }
      attainable += most;
      if (!counted) continue;
      credits.set(counted.id, counted.points);
      points += counted.points;
    }
    const vetoed = vetoes.flatMap(({ id }) => (standings.get(id) === "met" ? [id] : []));
    const unclipped = attainable > 0 ? rounded(points / attainable) : null;
    const clipped = unclipped === null ? null : Math.min(1, Math.max(0, unclipped));
    const norm = clipped === null || vetoed.length === 0 ? clipped : Math.min(clipped, vetoCap);
    return { credits, points: rounded(points), unclipped, norm, vetoed, grade: gradeOf(norm, bands) };
  };
}

/** The band with the highest `min` that the score reaches; null without bands or without a score. */
export function gradeOf(norm: number | null, bands: Grading["bands"]): string | null {
  if (norm === null) return null;
  const reached = bands.filter(({ min }) => norm >= min);
  return reached.sort((left, right) => right.min - left.min)[0]?.name ?? null;
}

/** What each criterion comes to, its dependencies included. */
export function standingsOf(rubric: readonly Criterion[], verdicts: Verdicts): ReadonlyMap<string, Standing> {
  const standings = new Map<string, Standing>();
  let byId: ReadonlyMap<string, Criterion> | null = null;
  const parentOf = (id: string): Criterion | undefined => {
    byId ??= new Map(rubric.map((criterion) => [criterion.id, criterion]));
    return byId.get(id);
  };
  const standingOf = (criterion: Criterion): Standing => {
    const known = standings.get(criterion.id);
    if (known !== undefined) return known;
    const verdict = verdicts.get(criterion.id) ?? null;
    const parents = criterion.dependsOn.flatMap((id) => parentOf(id) ?? []).map(standingOf);
    const standing =
      verdict === "NA" || parents.includes("not-applicable")
        ? "not-applicable"
        : verdict === "Y" && parents.every((parent) => parent === "met")
          ? "met"
          : "unmet";
    standings.set(criterion.id, standing);
    return standing;
  };
  for (const criterion of rubric) standingOf(criterion);
  return standings;
}

/** Criteria that exclude each other, together; a veto always stands by itself. */
export function exclusionGroups(rubric: readonly Criterion[]): readonly (readonly Criterion[])[] {
  const group = new Map(rubric.map(({ id }) => [id, id]));
  const rootOf = (id: string): string => {
    const up = group.get(id) ?? id;
    return up === id ? id : rootOf(up);
  };
  const byId = new Map(rubric.map((criterion) => [criterion.id, criterion]));
  for (const { id, kind, mutex } of rubric) {
    if (kind === "veto") continue;
    for (const other of mutex ?? []) {
      if (byId.get(other)?.kind !== "veto") group.set(rootOf(other), rootOf(id));
    }
  }
  return [...Map.groupBy(rubric, ({ id }) => rootOf(id)).values()];
}

/** Sums of decimals such as 0.1 carry dust that would move a score off the edge of its band. */
const rounded = (value: number): number => Math.round(value * 1e9) / 1e9;
