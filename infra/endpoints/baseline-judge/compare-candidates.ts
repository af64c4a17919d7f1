/** Says which of two candidates is better, from the difference of their features. Called by answer-fields.ts. */
import type { Classified } from "./classify.ts";
import type { FeaturedSample } from "./features.ts";
import { fitHead } from "./head.ts";
import { pairWeights } from "./pair-prior.ts";
import type { AskedField } from "./read-prompt.ts";

export interface Pair {
  readonly first: FeaturedSample;
  readonly second: FeaturedSample;
}

/** Positions of the labels that name the first and the second candidate. */
export interface Sides {
  readonly first: number;
  readonly second: number;
}

/** Which label names which of two candidates, A or 1 and B or 2; null where the field does not choose between two. */
export function sidesOf(field: AskedField, candidates: number): Sides | null {
  if (candidates !== 2) return null;
  const indexOf = (...codes: string[]): number => field.labels.findIndex(({ code }) => codes.includes(code));
  const [first, second] = [indexOf("A", "1"), indexOf("B", "2")];
  return first < 0 || second < 0 ? null : { first, second };
}

const names = Object.keys(pairWeights);
const weights = Object.values(pairWeights);
const featureShare = 2;
const ridge = 1;

/**
 * Labels of the two candidates are opposite by construction: swapping the candidates swaps the probabilities, so that
 * position cannot matter. Any other label (a tie) gets its share of the examples, more where the candidates are close.
 */
export function comparePair(
  field: AskedField,
  sides: Sides,
  sample: Pair,
  examples: readonly { readonly pair: Pair; readonly label: number }[],
): Classified {
  const decided = examples.filter(({ label }) => label === sides.first || label === sides.second);
  const n = decided.length;
  const raw = [...decided.map(({ pair }) => pair), sample].map(difference);
  const scaled = raw.map((row) => row.map((value, column) => value / spread(raw, column)));
  const likeness = (left: number, right: number): number =>
    (featureShare * product(scaled[left] ?? [], scaled[right] ?? [])) / names.length;
  const priorOf = (row: readonly number[]): number => product(row, weights) / 2;
  const { probabilities, alphas } = fitHead({
    kernel: {
      columns: n,
      cells: Float64Array.from({ length: n * n }, (_, cell) => likeness(Math.floor(cell / n), cell % n)),
    },
    toSample: Float64Array.from({ length: n }, (_, row) => likeness(n, row)),
    classes: decided.map(({ label }) => (label === sides.first ? 0 : 1)),
    priors: {
      columns: 2,
      cells: Float64Array.from(raw.slice(0, n).flatMap((row) => [priorOf(row), -priorOf(row)])),
    },
    samplePrior: Float64Array.of(priorOf(raw[n] ?? []), -priorOf(raw[n] ?? [])),
    ridge,
  });
  const [first = 0.5, second = 0.5] = probabilities;
  const others = field.labels.length - 2;
  const tied = others === 0 ? 0 : ((examples.length - n + 0.5) / (examples.length + 1)) * 4 * first * second;
  const side = first >= second ? 0 : 1;
  const learned = names.map((_, column) =>
    scaled
      .slice(0, n)
      .reduce((sum, row, at) => sum + (alphas.cells[at * 2 + side] ?? 0) * (row[column] ?? 0), 0),
  );
  return {
    probabilities: field.labels.map((_, index) => {
      if (index === sides.first) return first * (1 - tied);
      return index === sides.second ? second * (1 - tied) : tied / others;
    }),
    reasons: strongest(learned, scaled[n] ?? [], raw[n] ?? [], side === 0 ? 0.5 : -0.5),
  };
}

/** Features whose learned and prior weights speak for the chosen side, strongest first. */
function strongest(
  learned: readonly number[],
  scaled: readonly number[],
  raw: readonly number[],
  towards: number,
): string[] {
  return names
    .map((name, column) => ({
      name,
      part:
        towards * (weights[column] ?? 0) * (raw[column] ?? 0) +
        (featureShare * (learned[column] ?? 0) * (scaled[column] ?? 0)) / names.length,
    }))
    .filter(({ part }) => part > 0)
    .sort((left, right) => right.part - left.part)
    .slice(0, 3)
    .map(({ name }) => name);
}

const difference = (pair: Pair): number[] =>
  names.map((name) => (pair.first.values[name] ?? 0) - (pair.second.values[name] ?? 0));

/** Root mean square of a column: differences are centred at 0 by their meaning. */
function spread(rows: readonly (readonly number[])[], column: number): number {
  const squares = rows.reduce((sum, row) => sum + (row[column] ?? 0) ** 2, 0);
  return Math.sqrt(squares / rows.length) || 1;
}

const product = (left: readonly number[], right: readonly number[]): number =>
  left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
