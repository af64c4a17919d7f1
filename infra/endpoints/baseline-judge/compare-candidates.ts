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

/** Which label names which candidate; null where the field does not choose between two. */
export function candidateLabels(
  field: AskedField,
  letters: readonly string[],
): { first: number; second: number } | null {
  if (letters.length !== 2 || field.labels.length < 2) return null;
  const indexOf = (letter: string, digit: string): number =>
    field.labels.findIndex(({ code }) => code === letter || code === digit);
  const [first, second] = [indexOf(letters[0] ?? "A", "1"), indexOf(letters[1] ?? "B", "2")];
  return first < 0 || second < 0 ? null : { first, second };
}

const linearShare = 2;
const ridge = 1;

/**
 * Labels of the two candidates are opposite by construction: swapping the candidates swaps the probabilities, so that
 * position cannot matter. Any other label (a tie) gets its share of the examples, more where the candidates are close.
 */
export function comparePair(
  field: AskedField,
  sample: Pair,
  examples: readonly { readonly pair: Pair; readonly label: number }[],
): Classified {
  const labels = candidateLabels(field, ["A", "B"]) ?? { first: 0, second: 1 };
  const decided = examples.filter(({ label }) => label === labels.first || label === labels.second);
  const names = Object.keys(pairWeights);
  const differences = [...decided.map(({ pair }) => pair), sample].map((pair) => difference(pair, names));
  const scales = names.map((_, column) => deviation(differences, column));
  const kernel = differences.map((left) =>
    Float64Array.from(differences, (right) => {
      let product = 0;
      names.forEach((_, column) => {
        product += ((left[column] ?? 0) * (right[column] ?? 0)) / (scales[column] ?? 1) ** 2;
      });
      return (linearShare * product) / names.length;
    }),
  );
  const n = decided.length;
  const priors = differences.map((row) => {
    const score = names.reduce((sum, name, column) => sum + (pairWeights[name] ?? 0) * (row[column] ?? 0), 0);
    return Float64Array.of(score / 2, -score / 2);
  });
  const { probabilities, alphas } = fitHead({
    kernel: kernel.slice(0, n).map((row) => row.slice(0, n)),
    toSample: (kernel[n] ?? new Float64Array(n + 1)).slice(0, n),
    classes: decided.map(({ label }) => (label === labels.first ? 0 : 1)),
    classCount: 2,
    priors: priors.slice(0, n),
    samplePrior: priors[n] ?? new Float64Array(2),
    ridge,
  });
  const [first = 0.5, second = 0.5] = probabilities;
  const others = field.labels.length - 2;
  const tied = others === 0 ? 0 : ((examples.length - n + 0.5) / (examples.length + 1)) * 4 * first * second;
  const side = first >= second ? 0 : 1;
  const own = differences[n] ?? [];
  return {
    probabilities: field.labels.map((_, index) =>
      index === labels.first
        ? first * (1 - tied)
        : index === labels.second
          ? second * (1 - tied)
          : tied / others,
    ),
    reasons: names
      .map((name, column) => {
        const learned = alphas.reduce(
          (sum, alpha, row) =>
            sum + (alpha[side] ?? 0) * ((differences[row]?.[column] ?? 0) / (scales[column] ?? 1) ** 2),
          0,
        );
        const weight =
          (pairWeights[name] ?? 0) * (side === 0 ? 0.5 : -0.5) + (linearShare * learned) / names.length;
        return { name, part: weight * (own[column] ?? 0) };
      })
      .filter(({ part }) => part > 0)
      .sort((left, right) => right.part - left.part)
      .slice(0, 3)
      .map(({ name }) => name),
  };
}

function difference(pair: Pair, names: readonly string[]): number[] {
  return names.map((name) => (pair.first.values[name] ?? 0) - (pair.second.values[name] ?? 0));
}

/** Root mean square of a column: differences are centred at 0 by their meaning. */
function deviation(rows: readonly (readonly number[])[], column: number): number {
  const squares = rows.reduce((sum, row) => sum + (row[column] ?? 0) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, rows.length)) || 1;
}
