/** Gradient-boosted trees for a yes or no with soft targets (Friedman 2001), small and seeded. Called by judge.ts. */
import type { Dice } from "../../../events/generate-demo/random.ts";

type Tree =
  | { readonly value: number }
  | { readonly column: number; readonly cut: number; readonly low: Tree; readonly high: Tree };

/** Set by hand, the same for every set. */
const rounds = 150;
const rate = 0.08;
const depth = 2;
const leastRows = 15;
const columnShare = 0.4;
const rowShare = 0.7;
const bins = 16;
/** Added to the curvature of a leaf, so that few rows move it little. */
const damping = 1;

/** The values of one column: where it may be cut, and between which cuts each row lies. */
interface Binned {
  readonly cuts: readonly number[];
  readonly of: Uint8Array;
}

/** First and second derivative of the loss by row. */
interface Slopes {
  readonly gradient: Float64Array;
  readonly curvature: Float64Array;
}

/** Targets lie between 0 and 1. Gives the log odds of 1 for a row. */
export function fitTrees(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  random: Dice,
): (row: readonly number[]) => number {
  const columns = Array.from({ length: rows[0]?.length ?? 0 }, (_, column) => binned(rows, column));
  const sum = targets.reduce((before, target) => before + target, 0);
  // Half a row of each kind, so that rows of one kind alone have odds as well.
  const base = Math.log((sum + 0.5) / (targets.length - sum + 0.5));
  const scores = new Float64Array(rows.length).fill(base);
  const slopes = { gradient: new Float64Array(rows.length), curvature: new Float64Array(rows.length) };
  const trees: Tree[] = [];
  const some = (length: number, share: number): number[] =>
    random.shuffle(Array.from({ length }, (_, at) => at)).slice(0, Math.ceil(share * length));
  for (let round = 0; round < rounds; round++) {
    for (const [at, target] of targets.entries()) {
      const p = 1 / (1 + Math.exp(-(scores[at] ?? 0)));
      slopes.gradient[at] = target - p;
      slopes.curvature[at] = p * (1 - p);
    }
    const tree = grow(columns, some(columns.length, columnShare), some(rows.length, rowShare), slopes, depth);
    trees.push(tree);
    for (const [at, row] of rows.entries()) scores[at] = (scores[at] ?? 0) + leafValue(tree, row);
  }
  return (row) => trees.reduce((score, tree) => score + leafValue(tree, row), base);
}

function leafValue(tree: Tree, row: readonly number[]): number {
  let node = tree;
  while ("column" in node) node = (row[node.column] ?? 0) < node.cut ? node.low : node.high;
  return node.value;
}

function binned(rows: readonly (readonly number[])[], column: number): Binned {
  const values = Float64Array.from(rows, (row) => row[column] ?? 0);
  const rising = values.toSorted();
  const quantiles = Array.from({ length: bins - 1 }, (_, bin) =>
    Number(rising[Math.floor(((bin + 1) * rising.length) / bins)]),
  );
  const cuts = [...new Set(quantiles)];
  const binOf = (value: number): number => {
    const at = cuts.findIndex((cut) => value < cut);
    return at < 0 ? cuts.length : at;
  };
  return { cuts, of: Uint8Array.from(values, binOf) };
}

function grow(
  columns: readonly Binned[],
  allowed: readonly number[],
  rows: readonly number[],
  slopes: Slopes,
  left: number,
): Tree {
  const split = left === 0 ? null : bestSplit(columns, allowed, rows, slopes);
  if (!split) {
    const [gradient, curvature] = totals(rows, slopes);
    return { value: (rate * gradient) / (curvature + damping) };
  }
  const { column, bin } = split;
  const { cuts, of } = columns[column] ?? { cuts: [], of: new Uint8Array() };
  const part = (isLow: boolean): Tree =>
    grow(
      columns,
      allowed,
      rows.filter((row) => (of[row] ?? 0) <= bin === isLow),
      slopes,
      left - 1,
    );
  return { column, cut: cuts[bin] ?? 0, low: part(true), high: part(false) };
}

/** The cut that lowers the loss most; null where none leaves enough rows on both sides. */
function bestSplit(
  columns: readonly Binned[],
  allowed: readonly number[],
  rows: readonly number[],
  slopes: Slopes,
): { readonly column: number; readonly bin: number } | null {
  const [gradient, curvature] = totals(rows, slopes);
  const worth = (g: number, h: number): number => g ** 2 / (h + damping);
  let most = worth(gradient, curvature) + 1e-6;
  let best: { column: number; bin: number } | null = null;
  for (const column of allowed) {
    const sums = histogram(columns[column]?.of ?? new Uint8Array(), rows, slopes);
    let [g, h, count] = [0, 0, 0];
    for (let bin = 0; bin < (columns[column]?.cuts.length ?? 0); bin++) {
      g += sums[3 * bin] ?? 0;
      h += sums[3 * bin + 1] ?? 0;
      count += sums[3 * bin + 2] ?? 0;
      if (count < leastRows || rows.length - count < leastRows) continue;
      const value = worth(g, h) + worth(gradient - g, curvature - h);
      if (value > most) [most, best] = [value, { column, bin }];
    }
  }
  return best;
}

/** Gradient, curvature and number of rows by bin, one after the other. */
function histogram(of: Uint8Array, rows: readonly number[], { gradient, curvature }: Slopes): Float64Array {
  const sums = new Float64Array(3 * bins);
  for (const row of rows) {
    const at = 3 * (of[row] ?? 0);
    sums[at] = (sums[at] ?? 0) + (gradient[row] ?? 0);
    sums[at + 1] = (sums[at + 1] ?? 0) + (curvature[row] ?? 0);
    sums[at + 2] = (sums[at + 2] ?? 0) + 1;
  }
  return sums;
}

function totals(rows: readonly number[], { gradient, curvature }: Slopes): readonly [number, number] {
  let [g, h] = [0, 0];
  for (const row of rows) {
    g += gradient[row] ?? 0;
    h += curvature[row] ?? 0;
  }
  return [g, h];
}
