/** How well probabilities rank: AUROC, and the error among accepted at every coverage. */
import type { Judgement } from "./metrics.ts";

/** The surest answers, down to `tau`. */
export interface RiskPoint {
  readonly tau: number;
  /** Weighted share of answers at or above tau. */
  readonly coverage: number;
  /** Weighted error among them. */
  readonly risk: number;
  /** Labels behind it, unweighted. */
  readonly n: number;
}

/** One point for each distinct probability, from the surest down: ties are accepted together. */
export const riskCoverageCurve = (items: readonly Judgement[]): readonly RiskPoint[] => {
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  let [weight, wrong, n] = [0, 0, 0];
  return tiedGroups(items).map((group) => {
    for (const item of group) {
      weight += item.weight;
      wrong += item.weight * (1 - item.correct);
      n++;
    }
    return { tau: group[0]?.probability ?? 0, coverage: weight / total, risk: wrong / weight, n };
  });
};

/** AURC: the mean of the curve over coverage; 0 is perfect. NaN of nothing. */
export const areaUnderRiskCoverage = (items: readonly Judgement[]): number => {
  if (items.length === 0) return Number.NaN;
  let [area, before] = [0, 0];
  for (const { coverage, risk } of riskCoverageCurve(items)) {
    area += risk * (coverage - before);
    before = coverage;
  }
  return area;
};

/** Weighted chance that a right answer has a higher probability than a wrong one, ties counting half; null if one is absent. */
export const auroc = (items: readonly Judgement[]): number | null => {
  let [won, right, wrong] = [0, 0, 0];
  for (const group of tiedGroups(items)) {
    const rightHere = group.reduce((sum, { weight, correct }) => sum + weight * correct, 0);
    const wrongHere = group.reduce((sum, { weight, correct }) => sum + weight * (1 - correct), 0);
    won += wrongHere * (right + rightHere / 2);
    right += rightHere;
    wrong += wrongHere;
  }
  return right > 0 && wrong > 0 ? won / (right * wrong) : null;
};

/** Items by probability, highest first. */
const tiedGroups = (items: readonly Judgement[]): readonly (readonly Judgement[])[] =>
  [...Map.groupBy(items, ({ probability }) => probability)]
    .sort(([left], [right]) => right - left)
    .map(([, group]) => group);
