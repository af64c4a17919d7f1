/** The head: multinomial logistic regression in its kernel form, fitted to the prompt's examples at request time. */

/** Square symmetric matrix, row by row. */
export type Matrix = readonly Float64Array[];

export interface HeadInput {
  /** Likeness of every two examples. */
  readonly kernel: Matrix;
  /** Likeness of the sample to each example. */
  readonly toSample: Float64Array;
  /** Class of each example. */
  readonly classes: readonly number[];
  readonly classCount: number;
  /** What is believed before any example is seen: a score per class, of each example and of the sample. */
  readonly priors: Matrix;
  readonly samplePrior: Float64Array;
  /** Weight against large coefficients. */
  readonly ridge: number;
}

export interface HeadOutput {
  readonly probabilities: readonly number[];
  /** Coefficient of each example for each class: `alphas[example][class]`. */
  readonly alphas: Matrix;
}

const steps = 60;

/**
 * Minimises Σ −log p(class) + ridge/2 · αᵀKα by accelerated gradient steps in function space, where the step is
 * α ← α − η(p − y + ridge·α) with η = 1 / (‖K‖/2 + ridge); scores are prior + Kα.
 */
export function fitHead(input: HeadInput): HeadOutput {
  const { kernel, classes, classCount, priors, ridge } = input;
  const n = classes.length;
  const step = 1 / (largestRowSum(kernel) / 2 + ridge);
  const alphas = Array.from({ length: n }, () => new Float64Array(classCount));
  const ahead = Array.from({ length: n }, () => new Float64Array(classCount));
  for (let turn = 0; turn < steps; turn++) {
    const momentum = turn / (turn + 3);
    const gradients = classes.map((own, row) => {
      const scores = scoresAt(kernel[row] ?? new Float64Array(n), ahead, priors[row], classCount);
      const gradient = softmax(scores);
      gradient[own] = (gradient[own] ?? 0) - 1;
      return gradient;
    });
    for (let row = 0; row < n; row++) {
      const [alpha, next, gradient] = [alphas[row], ahead[row], gradients[row]];
      if (!alpha || !next || !gradient) continue;
      for (let k = 0; k < classCount; k++) {
        const before = alpha[k] ?? 0;
        const moved = (next[k] ?? 0) - step * ((gradient[k] ?? 0) + ridge * (next[k] ?? 0));
        alpha[k] = moved;
        next[k] = moved + momentum * (moved - before);
      }
    }
  }
  const scores = scoresAt(input.toSample, alphas, input.samplePrior, classCount);
  return { probabilities: [...softmax(scores)], alphas };
}

function scoresAt(
  row: Float64Array,
  alphas: Matrix,
  prior: Float64Array | undefined,
  classCount: number,
): Float64Array {
  const scores = new Float64Array(classCount);
  if (prior) scores.set(prior);
  for (let other = 0; other < alphas.length; other++) {
    const weight = row[other] ?? 0;
    const alpha = alphas[other];
    if (weight === 0 || !alpha) continue;
    for (let k = 0; k < classCount; k++) scores[k] = (scores[k] ?? 0) + weight * (alpha[k] ?? 0);
  }
  return scores;
}

export function softmax(scores: Float64Array): Float64Array {
  let most = Number.NEGATIVE_INFINITY;
  for (const score of scores) most = Math.max(most, score);
  const shares = scores.map((score) => Math.exp(score - most));
  let total = 0;
  for (const one of shares) total += one;
  return shares.map((one) => one / total);
}

/** An upper bound of the largest eigenvalue. */
function largestRowSum(kernel: Matrix): number {
  let most = 0;
  for (const row of kernel) {
    let sum = 0;
    for (const value of row) sum += Math.abs(value);
    most = Math.max(most, sum);
  }
  return most;
}
