/** The head: multinomial logistic regression in its kernel form, fitted to the prompt's examples at request time. */

/** A matrix row by row in one array. */
export interface Matrix {
  readonly columns: number;
  readonly cells: Float64Array;
}

export interface HeadInput {
  /** Likeness of every two examples, square. */
  readonly kernel: Matrix;
  /** Likeness of the sample to each example. */
  readonly toSample: Float64Array;
  /** Class of each example. */
  readonly classes: readonly number[];
  /** What is believed before any example is seen: a score per class, of each example and of the sample. */
  readonly priors: Matrix;
  readonly samplePrior: Float64Array;
  /** Weight against large coefficients. */
  readonly ridge: number;
}

export interface HeadOutput {
  readonly probabilities: readonly number[];
  /** Coefficient of each example for each class. */
  readonly alphas: Matrix;
}

const steps = 60;

/**
 * Minimises Σ −log p(class) + ridge/2 · αᵀKα by accelerated gradient steps in function space, where the step is
 * α ← α − η(p − y + ridge·α) with η = 1 / (‖K‖/2 + ridge); scores are prior + Kα.
 */
export function fitHead(input: HeadInput): HeadOutput {
  const { kernel, classes, priors, ridge } = input;
  const n = classes.length;
  const classCount = priors.columns;
  const step = 1 / (largestRowSum(kernel) / 2 + ridge);
  const alphas = { columns: classCount, cells: new Float64Array(n * classCount) };
  const ahead = { columns: classCount, cells: new Float64Array(n * classCount) };
  const gradients = new Float64Array(n * classCount);
  const scores = new Float64Array(classCount);
  for (let turn = 0; turn < steps; turn++) {
    for (let row = 0; row < n; row++) {
      scores.set(priors.cells.subarray(row * classCount, (row + 1) * classCount));
      addScores(scores, kernel.cells.subarray(row * n, (row + 1) * n), ahead);
      softmax(scores);
      gradients.set(scores, row * classCount);
      const own = row * classCount + (classes[row] ?? 0);
      gradients[own] = at(gradients, own) - 1;
    }
    const momentum = turn / (turn + 3);
    for (let cell = 0; cell < gradients.length; cell++) {
      const before = at(alphas.cells, cell);
      const point = at(ahead.cells, cell);
      const moved = point - step * (at(gradients, cell) + ridge * point);
      alphas.cells[cell] = moved;
      ahead.cells[cell] = moved + momentum * (moved - before);
    }
  }
  scores.set(input.samplePrior);
  addScores(scores, input.toSample, alphas);
  softmax(scores);
  return { probabilities: [...scores], alphas };
}

/** A cell that is there by construction. */
const at = (cells: Float64Array, index: number): number => cells[index] ?? 0;

function addScores(scores: Float64Array, likeness: Float64Array, alphas: Matrix): void {
  const { columns, cells } = alphas;
  for (let row = 0; row < likeness.length; row++) {
    const weight = at(likeness, row);
    for (let k = 0; k < columns; k++) scores[k] = at(scores, k) + weight * at(cells, row * columns + k);
  }
}

/** Turns scores into probabilities, in place. */
function softmax(scores: Float64Array): void {
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < scores.length; k++) most = Math.max(most, at(scores, k));
  let total = 0;
  for (let k = 0; k < scores.length; k++) {
    scores[k] = Math.exp(at(scores, k) - most);
    total += at(scores, k);
  }
  for (let k = 0; k < scores.length; k++) scores[k] = at(scores, k) / total;
}

/** An upper bound of the largest eigenvalue. */
function largestRowSum({ columns, cells }: Matrix): number {
  let most = 0;
  for (let start = 0; start < cells.length; start += columns) {
    let sum = 0;
    for (let cell = start; cell < start + columns; cell++) sum += Math.abs(at(cells, cell));
    most = Math.max(most, sum);
  }
  return most;
}
