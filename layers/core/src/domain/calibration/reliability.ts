/** How far confidence is from accuracy: bins for the reliability diagram, and calibration errors over them. */
import type { Judgement } from "./metrics.ts";
import { weightedMean } from "./weights.ts";

export interface ReliabilityBin {
  /** Smallest and largest value that may lie in it; closed on the right, the first one on the left too. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly weight: number;
  /** Weighted mean probability, and weighted share of right answers. */
  readonly confidence: number;
  readonly accuracy: number;
}

/** Bins of equal width over [0, 1], empty ones left out. */
export const reliabilityBins = (items: readonly Judgement[], bins = 10): readonly ReliabilityBin[] =>
  filled(
    items,
    // 0.3 · 10 may come out a hair above 3.
    ({ probability }) => Math.max(0, Math.ceil(probability * bins - 1e-9) - 1),
    (bin) => ({ from: bin / bins, to: (bin + 1) / bins }),
  );

/** Bins of equal weight, by rank. */
export const equalMassBins = (items: readonly Judgement[], bins = 10): readonly ReliabilityBin[] => {
  const sorted = items.toSorted((left, right) => left.probability - right.probability);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  const binOf = new Map<Judgement, number>();
  let before = 0;
  for (const item of sorted) {
    binOf.set(item, Math.min(bins - 1, Math.floor((before / total) * bins + 1e-9)));
    before += item.weight;
  }
  return filled(
    sorted,
    (item) => binOf.get(item) ?? 0,
    (_, inside) => ({ from: inside[0]?.probability ?? 0, to: inside.at(-1)?.probability ?? 1 }),
  );
};

/** ECE: mean distance over bins of equal width, by weight. */
export const expectedCalibrationError = (items: readonly Judgement[], bins = 10): number =>
  weightedMean(reliabilityBins(items, bins).map((bin) => ({ value: distance(bin), weight: bin.weight })));

/** ACE: mean distance over bins of equal weight, each counting alike. */
export const adaptiveCalibrationError = (items: readonly Judgement[], bins = 10): number =>
  weightedMean(equalMassBins(items, bins).map((bin) => ({ value: distance(bin), weight: 1 })));

/** MCE: the largest distance over bins of equal width. */
export const maximalCalibrationError = (items: readonly Judgement[], bins = 10): number =>
  Math.max(0, ...reliabilityBins(items, bins).map(distance));

const distance = ({ accuracy, confidence }: ReliabilityBin): number => Math.abs(accuracy - confidence);

const filled = (
  items: readonly Judgement[],
  binOf: (item: Judgement) => number,
  edges: (bin: number, inside: readonly Judgement[]) => Pick<ReliabilityBin, "from" | "to">,
): readonly ReliabilityBin[] =>
  [...Map.groupBy(items, binOf)]
    .sort(([left], [right]) => left - right)
    .map(([bin, inside]) => ({
      ...edges(bin, inside),
      count: inside.length,
      weight: inside.reduce((sum, { weight }) => sum + weight, 0),
      confidence: weightedMean(inside.map(({ probability, weight }) => ({ value: probability, weight }))),
      accuracy: weightedMean(inside.map(({ correct, weight }) => ({ value: correct, weight }))),
    }));
