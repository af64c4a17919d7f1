/** Fits the calibrator that only assumes order: a monotone line through pooled blocks. */
import type { CalibrationPoint, Calibrator } from "../../schema/calibration.ts";
import { effectiveSize, weightedMean } from "./weights.ts";

/** One step of a fit: how many values it spans, their weight and weighted mean. */
interface Block {
  readonly count: number;
  readonly weight: number;
  readonly value: number;
}

/** The non-decreasing values of least weighted squared distance: pool adjacent violators. As long as its input. */
export const monotoneFit = (values: readonly number[], weights: readonly number[]): readonly number[] => {
  const blocks: Block[] = [];
  values.forEach((value, index) => {
    let last: Block = { count: 1, weight: weights[index] ?? 1, value };
    for (let before = blocks.at(-1); before && before.value >= last.value; before = blocks.at(-1)) {
      blocks.pop();
      last = {
        count: before.count + last.count,
        weight: before.weight + last.weight,
        value: weightedMean([before, last]),
      };
    }
    blocks.push(last);
  });
  return blocks.flatMap(({ count, value }) => Array.from({ length: count }, () => value));
};

/** Isotonic regression of labels on raw probabilities; kept as far from 0 and 1 as so many labels can tell. */
export const fitIsotonic = (
  points: readonly CalibrationPoint[],
): Extract<Calibrator, { kind: "isotonic" }> => {
  const tied = [...Map.groupBy(points, ({ probability }) => probability)]
    .sort(([left], [right]) => left - right)
    .map(([raw, group]) => ({
      raw,
      weight: group.reduce((sum, { weight }) => sum + weight, 0),
      value: weightedMean(group.map(({ correct, weight }) => ({ value: correct, weight }))),
    }));
  const fitted = monotoneFit(
    tied.map(({ value }) => value),
    tied.map(({ weight }) => weight),
  );
  const least = 0.5 / (effectiveSize(points.map(({ weight }) => weight)) + 1);
  const knots = tied.map(({ raw }, index) => ({
    raw,
    calibrated: Math.min(1 - least, Math.max(least, fitted[index] ?? 0)),
  }));
  // Inside a block only its ends say anything.
  const ends = knots.filter(
    ({ calibrated }, index) =>
      knots[index - 1]?.calibrated !== calibrated || knots[index + 1]?.calibrated !== calibrated,
  );
  return { kind: "isotonic", knots: ends };
};
