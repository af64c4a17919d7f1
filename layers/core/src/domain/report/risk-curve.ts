/** The risk-coverage curve: how wrong the machine would be if it answered more, or less, and how sure that is. */
import { upperBound } from "../certificate/bounds.ts";
import { coverageGrid, thresholdAt } from "../certificate/certify.ts";
import { confidenceOf, isJudged, randomLabels, type TrustSample } from "./trust-sample.ts";

export interface RiskCurvePoint {
  /** Share of the judged samples at or above tau. */
  readonly coverage: number;
  readonly tau: number;
  /** Random labels at or above tau, and errors among them. */
  readonly n: number;
  readonly k: number;
  readonly risk: number;
  /** Exact upper bound for this point by itself; a certificate has to pay for looking at several. */
  readonly bound: number;
}

export interface RiskCurve {
  readonly points: readonly RiskCurvePoint[];
  /** Each bound holds with probability 1 - delta. */
  readonly delta: number;
  /** Random labels in all, near copies counted once. */
  readonly labels: number;
  /** Judged samples, those without a confidence among them: nothing can accept these. */
  readonly pool: number;
}

/** Every twentieth, and the points that certificates are tested at. */
const shownCoverages: readonly number[] = [
  ...new Set([
    ...Array.from({ length: 9 }, (_, index) => (index + 1) / 20),
    0.55,
    0.65,
    0.75,
    ...coverageGrid,
  ]),
].sort((left, right) => left - right);

/** Thresholds come from all judged samples, errors from the random labels alone: those people were sent would lie. */
export const riskCurve = (samples: readonly TrustSample[], delta: number): RiskCurve => {
  const judged = samples.filter(isJudged);
  const ranked = judged.flatMap((sample) => confidenceOf(sample) ?? []).sort((left, right) => right - left);
  const labels = randomLabels(samples);
  const points = new Map<number, RiskCurvePoint>();
  for (const wanted of shownCoverages) {
    const tau = thresholdAt(ranked, wanted, judged.length);
    if (tau === undefined || points.has(tau)) continue;
    const within = labels.filter((sample) => (confidenceOf(sample) ?? -1) >= tau);
    const n = within.length;
    if (n === 0) continue;
    const k = within.filter(({ isRight }) => isRight === false).length;
    const accepted = ranked.findLastIndex((confidence) => confidence >= tau) + 1;
    points.set(tau, {
      ...{ coverage: accepted / judged.length, tau, n, k, risk: k / n },
      bound: upperBound(k, n, delta),
    });
  }
  return { points: [...points.values()], delta, labels: labels.length, pool: judged.length };
};

/** Error expected at a coverage, half an error added so that none seen is not none; null where no label reaches it. */
export const riskAt = ({ points }: Pick<RiskCurve, "points">, coverage: number): number | null => {
  const point = points.find((one) => one.coverage >= coverage - 1e-9) ?? points.at(-1);
  return point === undefined ? null : (point.k + 0.5) / (point.n + 1);
};
