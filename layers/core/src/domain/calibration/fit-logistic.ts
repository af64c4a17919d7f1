/** Weighted logistic regression with soft targets and a quadratic penalty, by Newton steps; all parametric fits use it. */
import { sigmoid, softplus } from "./logit.ts";

export interface LogisticProblem {
  readonly parameters: number;
  readonly rows: readonly LogisticRow[];
  /** For each parameter, what half its square costs. */
  readonly penalties: readonly number[];
  readonly start: readonly number[];
  /** Parameters that may not be negative: the worst offender is set to 0, and the rest fitted again. */
  readonly nonNegative: readonly number[];
}

export interface LogisticRow {
  /** Parameter and the feature it multiplies; absent ones are 0. */
  readonly features: readonly (readonly [parameter: number, value: number])[];
  readonly target: number;
  readonly weight: number;
}

/** The parameters of least penalised log loss. */
export const fitLogistic = (problem: LogisticProblem): readonly number[] => {
  const dropped = new Set<number>();
  for (;;) {
    const found = newton(problem, dropped);
    const worst = problem.nonNegative
      .filter((parameter) => (found[parameter] ?? 0) < 0)
      .sort((left, right) => (found[left] ?? 0) - (found[right] ?? 0))[0];
    if (worst === undefined) return found;
    dropped.add(worst);
  }
};

/** Σ w (ln(1 + e^z) − t z) + ½ Σ penalty θ²: what is minimised. */
export const logisticLoss = ({ rows, penalties }: LogisticProblem, at: readonly number[]): number => {
  const loss = rows.reduce((sum, { features, target, weight }) => {
    const z = dot(features, at);
    return sum + weight * (softplus(z) - target * z);
  }, 0);
  return loss + at.reduce((sum, value, index) => sum + ((penalties[index] ?? 0) * value * value) / 2, 0);
};

const newton = (problem: LogisticProblem, dropped: ReadonlySet<number>): readonly number[] => {
  let at = problem.start.map((value, index) => (dropped.has(index) ? 0 : value));
  let loss = logisticLoss(problem, at);
  for (let turn = 0; turn < 200; turn++) {
    const step = solve(...slopes(problem, at, dropped));
    let scale = 1;
    let next = at;
    let nextLoss = Number.POSITIVE_INFINITY;
    while (scale > 1e-10) {
      next = at.map((value, index) => value - scale * (step[index] ?? 0));
      nextLoss = logisticLoss(problem, next);
      if (nextLoss < loss) break;
      scale /= 2;
    }
    if (!(nextLoss < loss)) return at;
    const gain = loss - nextLoss;
    [at, loss] = [next, nextLoss];
    if (gain < 1e-13 * (1 + Math.abs(loss))) return at;
  }
  return at;
};

const dot = (features: LogisticRow["features"], at: readonly number[]): number =>
  features.reduce((sum, [parameter, value]) => sum + value * (at[parameter] ?? 0), 0);

/** Hessian and gradient; a dropped parameter stands still. */
const slopes = (
  { parameters, rows, penalties }: LogisticProblem,
  at: readonly number[],
  dropped: ReadonlySet<number>,
): [number[][], number[]] => {
  // A hair of the identity keeps a direction without data solvable.
  const hessian = Array.from({ length: parameters }, (_, row) =>
    Array.from({ length: parameters }, (_, column) => (row === column ? (penalties[row] ?? 0) + 1e-10 : 0)),
  );
  const gradient = at.map((value, index) => (penalties[index] ?? 0) * value);
  for (const { features, target, weight } of rows) {
    const p = sigmoid(dot(features, at));
    for (const [row, left] of features) {
      if (dropped.has(row)) continue;
      gradient[row] = (gradient[row] ?? 0) + weight * (p - target) * left;
      const line = hessian[row] ?? [];
      for (const [column, right] of features) {
        if (dropped.has(column)) continue;
        line[column] = (line[column] ?? 0) + weight * p * (1 - p) * left * right;
      }
    }
  }
  for (const parameter of dropped) gradient[parameter] = 0;
  return [hessian, gradient];
};

/** Solves a symmetric positive system by Gaussian elimination, in place. */
const solve = (matrix: number[][], right: number[]): readonly number[] => {
  const size = right.length;
  for (let pivot = 0; pivot < size; pivot++) {
    const top = matrix[pivot] ?? [];
    for (let row = pivot + 1; row < size; row++) {
      const line = matrix[row] ?? [];
      const factor = (line[pivot] ?? 0) / (top[pivot] ?? 1);
      if (factor === 0) continue;
      for (let column = pivot; column < size; column++) {
        line[column] = (line[column] ?? 0) - factor * (top[column] ?? 0);
      }
      right[row] = (right[row] ?? 0) - factor * (right[pivot] ?? 0);
    }
  }
  const solution = Array.from({ length: size }, () => 0);
  for (let row = size - 1; row >= 0; row--) {
    const line = matrix[row] ?? [];
    let rest = right[row] ?? 0;
    for (let column = row + 1; column < size; column++) rest -= (line[column] ?? 0) * (solution[column] ?? 0);
    solution[row] = rest / (line[row] ?? 1);
  }
  return solution;
};
