/** Likeness of samples to each other: features, weighed by what they tell of a field's labels, and shared rare terms. */
import type { FeaturedSample } from "./features.ts";
import { textKernel } from "./text-kernel.ts";

/** Shares of the parts, chosen on the halves of the labelled sets that examples are drawn from. */
const featureShare = 8;
const textShare = 3;
const biasShare = 1;
/** Standard deviations beyond which a value counts no more. */
const clip = 2.5;
/** Weight of a column that tells nothing of the labels, next to the share of variance that others explain. */
const leastWeight = 0.02;

export interface Columns {
  readonly names: readonly string[];
  /** One array for each name, one value for each sample; mean 0, deviation 1. */
  readonly values: readonly Float64Array[];
}

/** What the fields of a prompt share: its samples' own features, and how alike their words are. */
export interface Likeness {
  readonly columns: Columns;
  readonly words: readonly Float64Array[];
}

export function likenessOf(samples: readonly FeaturedSample[]): Likeness {
  return {
    columns: standardised(samples.map(({ values }) => values)),
    words: textKernel(samples.map(({ judged }) => judged)),
  };
}

/** Which label each example has; the sample itself, last, has none. */
export type Labels = readonly (number | null)[];

/**
 * Likeness of any two samples for one field, which looks for `rows` besides. A column weighs as much as it separates
 * the examples' labels beyond what chance would (the share of variance between labels, less (classes−1)/(n−1)).
 */
export function likenessFor(
  likeness: Likeness,
  rows: readonly Readonly<Record<string, number>>[],
  labels: Labels,
): { readonly columns: Columns; readonly cells: readonly Float64Array[] } {
  const phrases = standardised(rows);
  const columns = {
    names: [...phrases.names, ...likeness.columns.names],
    values: [...phrases.values, ...likeness.columns.values],
  };
  const weights = columns.values.map((column) => leastWeight + separation(column, labels));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scaled = columns.values.map((column, at) => {
    const scale = Math.sqrt((featureShare * (weights[at] ?? 0)) / total);
    return column.map((value) => value * scale);
  });
  const cells = likeness.words.map((row) => row.map((word) => textShare * word + biasShare));
  for (const column of scaled) {
    for (const [at, row] of cells.entries()) {
      const own = column[at] ?? 0;
      if (own === 0) continue;
      for (let other = 0; other < row.length; other++) {
        row[other] = (row[other] ?? 0) + own * (column[other] ?? 0);
      }
    }
  }
  return { columns: { names: columns.names, values: scaled }, cells };
}

/** Share of a column's variance that lies between the labels, less what chance would give; at least 0. */
function separation(column: Float64Array, labels: Labels): number {
  const groups = new Map<number, { sum: number; n: number }>();
  let [sum, squares, n] = [0, 0, 0];
  for (const [at, label] of labels.entries()) {
    if (label === null) continue;
    const value = column[at] ?? 0;
    const group = groups.get(label) ?? { sum: 0, n: 0 };
    groups.set(label, { sum: group.sum + value, n: group.n + 1 });
    sum += value;
    squares += value * value;
    n++;
  }
  const variance = squares - (sum * sum) / Math.max(1, n);
  if (n < 3 || variance < 1e-9) return 0;
  let between = 0;
  for (const group of groups.values()) between += (group.sum / group.n - sum / n) ** 2 * group.n;
  return Math.max(0, between / variance - (groups.size - 1) / (n - 1));
}

/** Constant columns tell nothing apart and are left out; extremes are clipped. */
function standardised(rows: readonly Readonly<Record<string, number>>[]): Columns {
  const names: string[] = [];
  const values: Float64Array[] = [];
  for (const name of new Set(rows.flatMap((row) => Object.keys(row)))) {
    const column = Float64Array.from(rows, (row) => row[name] ?? 0);
    let sum = 0;
    for (const value of column) sum += value;
    const mean = sum / rows.length;
    let squares = 0;
    for (const value of column) squares += (value - mean) ** 2;
    const deviation = Math.sqrt(squares / rows.length);
    if (deviation < 1e-9) continue;
    names.push(name);
    values.push(column.map((value) => Math.max(-clip, Math.min(clip, (value - mean) / deviation))));
  }
  return { names, values };
}
