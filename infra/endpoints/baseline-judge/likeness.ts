/** Likeness of samples to each other: by their features, by what a field looks for in them, by the rare words they share. */
import type { FeaturedSample } from "./features.ts";
import { textKernel } from "./text-kernel.ts";

/** Shares of the parts, chosen on the halves of the labelled sets that examples are drawn from. */
const featureShare = 4;
/** What one field looks for weighs as much as all other features, of which there are many. */
const phraseShare = 5;
const textShare = 3;
const biasShare = 1;
/** Standard deviations beyond which a value counts no more. */
const clip = 2.5;

export interface Columns {
  readonly names: readonly string[];
  /** One array for each name, one value for each sample; mean 0, deviation 1. */
  readonly values: readonly Float64Array[];
}

export interface Likeness {
  readonly columns: Columns;
  /** Likeness of any two samples. */
  readonly cells: readonly Float64Array[];
}

/** The part that all fields of a prompt share. */
export function likenessOf(samples: readonly FeaturedSample[]): Likeness {
  const columns = standardised(samples.map(({ values }) => values));
  const cells = textKernel(samples.map(({ judged }) => judged)).map((row) =>
    row.map((words) => textShare * words + biasShare),
  );
  addProducts(cells, columns, featureShare);
  return { columns, cells };
}

/** The same for one field, with the values of `rows` besides. */
export function likenessFor(
  { columns, cells }: Likeness,
  rows: readonly Readonly<Record<string, number>>[],
): Likeness {
  const phrases = standardised(rows);
  const own = cells.map((row) => row.slice());
  addProducts(own, phrases, phraseShare);
  return {
    columns: {
      names: [...phrases.names, ...columns.names],
      values: [...phrases.values, ...columns.values],
    },
    cells: own,
  };
}

function addProducts(cells: readonly Float64Array[], { values }: Columns, share: number): void {
  const scale = share / Math.max(1, values.length);
  for (const column of values) {
    for (const [at, row] of cells.entries()) {
      const own = scale * (column[at] ?? 0);
      if (own === 0) continue;
      for (let other = 0; other < row.length; other++) {
        row[other] = (row[other] ?? 0) + own * (column[other] ?? 0);
      }
    }
  }
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
