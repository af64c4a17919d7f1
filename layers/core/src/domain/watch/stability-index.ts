/** The population stability index: how far today's confidences are from those the certificate was given on. */

/** Above these the confidences deserve a look, and void the certificate. */
export const stabilityLevels = { watch: 0.1, stop: 0.25 } as const;

/** An empty bin counts as this share. */
const floor = 1e-4;

const binCount = 10;

/** `sum (a - e) ln(a / e)` over the shares of ten bins; 0 where either side has no counts. */
export const stabilityIndex = (expected: readonly number[], actual: readonly number[]): number => {
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const [expectedTotal, actualTotal] = [sum(expected), sum(actual)];
  if (expectedTotal === 0 || actualTotal === 0) return 0;
  return expected.reduce((index, count, bin) => {
    const e = Math.max(floor, count / expectedTotal);
    const a = Math.max(floor, (actual[bin] ?? 0) / actualTotal);
    return index + (a - e) * Math.log(a / e);
  }, 0);
};

/** Edges of ten bins of equal width. */
export const equalEdges: readonly number[] = Array.from(
  { length: binCount - 1 },
  (_, index) => (index + 1) / binCount,
);

/** Edges that cut these confidences into tenths; equal ones where there are none. Equal edges make empty bins. */
export const tenthEdges = (confidences: readonly number[]): readonly number[] => {
  const sorted = confidences.toSorted((left, right) => left - right);
  return equalEdges.map(
    (edge, index) => sorted[Math.floor((sorted.length * (index + 1)) / binCount)] ?? edge,
  );
};

/** How many of the confidences fall into each bin; a bin holds its lower edge. */
export const binCounts = (confidences: readonly number[], edges: readonly number[]): number[] => {
  const counts = Array.from({ length: edges.length + 1 }, () => 0);
  for (const confidence of confidences) {
    const bin = edges.findLastIndex((edge) => confidence >= edge) + 1;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
};
