/** How alike any two questions of a set are, for the baseline judge's head. Called by guarantee.ts. */
import type { Matrix } from "../../../infra/endpoints/baseline-judge/head.ts";
import type { QuestionSet } from "./question-set.ts";

/** Shares of the parts, set by hand, the same for every set. */
const shares = { features: 9, hint: 2, bias: 1 } as const;
/** Deviations beyond which a value counts no more, as in the baseline. */
const clip = 2.5;

/**
 * Where a question chooses between two outputs, its features are differences and there is no bias: likeness to a pair is
 * minus likeness to its mirror image, so that the order of the outputs cannot matter.
 */
export function likenessOf({ questions, kind }: QuestionSet): Matrix {
  const isPair = kind === "which-of-two";
  const rows = standardised(
    questions.map(({ features }) => features),
    isPair,
  );
  const n = rows.length;
  const cells = new Float64Array(n * n);
  for (let left = 0; left < n; left++) {
    for (let right = left; right < n; right++) {
      const hints = (questions[left]?.hint ?? 0) * (questions[right]?.hint ?? 0);
      const value =
        shares.features * product(rows[left], rows[right]) + shares.hint * hints + (isPair ? 0 : shares.bias);
      cells[left * n + right] = value;
      cells[right * n + left] = value;
    }
  }
  return { columns: n, cells };
}

/** By column: deviation 1 around the mean, or around 0 for differences, which have their centre there by meaning. */
function standardised(rows: readonly (readonly number[])[], isDifference: boolean): Float64Array[] {
  const columns = rows[0]?.length ?? 0;
  const result = rows.map(() => new Float64Array(columns));
  for (let column = 0; column < columns; column++) {
    const values = rows.map((row) => row[column] ?? 0);
    const mean = isDifference ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    if (deviation < 1e-9) continue;
    for (const [at, value] of values.entries()) {
      const row = result[at];
      if (row) row[column] = Math.max(-clip, Math.min(clip, (value - mean) / deviation));
    }
  }
  return result;
}

/** By column, so that a set with more features has no larger likeness. */
function product(left: Float64Array | undefined, right: Float64Array | undefined): number {
  if (!left || !right) return 0;
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum / Math.max(1, left.length);
}
