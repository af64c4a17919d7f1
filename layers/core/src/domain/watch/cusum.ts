/** The Bernoulli CUSUM over audits: notices within how many audits that errors have become more frequent. */

export interface CusumRates {
  /** Error rate as certified, above 0. */
  readonly p0: number;
  /** Error rate to be noticed, above p0. */
  readonly p1: number;
}

export interface CusumPlan extends CusumRates {
  /** The alarm is raised once the score reaches it. */
  readonly h: number;
}

/** What the score gains by an error, and what it loses by a right answer; both positive. */
const steps = ({ p0, p1 }: CusumRates): { readonly up: number; readonly down: number } => {
  if (!(p0 > 0 && p0 < p1 && p1 < 1)) throw new RangeError(`a CUSUM needs 0 < p0 < p1 < 1, not ${p0}, ${p1}`);
  return { up: Math.log(p1 / p0), down: Math.log((1 - p0) / (1 - p1)) };
};

/** The score after one more audit: `max(0, S + y ln(p1/p0) + (1 - y) ln((1 - p1)/(1 - p0)))`. */
export const cusum = (score: number, isError: boolean, rates: CusumRates): number => {
  const { up, down } = steps(rates);
  return Math.max(0, isError ? score + up : score - down);
};

/**
 * Audits until the alarm on average, if each is an error with probability `p`: the ARL0 at p = p0, the delay at p1.
 * Brook and Evans' Markov chain on a grid of scores that a right answer crosses in `fall` cells. What an error adds is
 * rounded up to whole cells, at most a hundredth more, so the true run is a little longer than this, never shorter.
 */
export const averageRunLength = (p: number, plan: CusumPlan): number => {
  if (!(p > 0 && p <= 1)) throw new RangeError(`an error rate above 0 and up to 1 is needed, not ${p}`);
  const { fall, rise, cell } = gridOf(plan);
  const states = Math.max(1, Math.ceil(plan.h / cell - 1e-9));
  return firstOfBanded(states, fall, rise, p);
};

const gridOf = (
  rates: CusumRates,
): { readonly fall: number; readonly rise: number; readonly cell: number } => {
  const { up, down } = steps(rates);
  const fall = Math.max(1, Math.ceil((100 * down) / up));
  const cell = down / fall;
  return { fall, rise: Math.ceil(up / cell - 1e-9), cell };
};

/**
 * Solves `L(i) = 1 + (1 - p) L(max(0, i - fall)) + p L(i + rise)`, L = 0 from `states` on, and returns L(0). Rows have
 * `fall` places left of their diagonal and `rise` right of it, so elimination needs no more than that band; the diagonal
 * dominates, so it needs no pivots.
 */
const firstOfBanded = (states: number, fall: number, rise: number, p: number): number => {
  const width = fall + rise + 1;
  const band = new Float64Array(states * width);
  const right = new Float64Array(states).fill(1);
  const place = (row: number, column: number): number => row * width + column - row + fall;
  const add = (row: number, column: number, value: number): void => {
    band[place(row, column)] = (band[place(row, column)] ?? 0) + value;
  };
  for (let row = 0; row < states; row += 1) {
    add(row, row, 1);
    add(row, Math.max(0, row - fall), p - 1);
    if (row + rise < states) add(row, row + rise, -p);
  }
  for (let pivot = 0; pivot < states; pivot += 1)
    for (let row = pivot + 1; row <= Math.min(states - 1, pivot + fall); row += 1) {
      const factor = (band[place(row, pivot)] ?? 0) / (band[place(pivot, pivot)] ?? 1);
      if (factor === 0) continue;
      for (let column = pivot; column <= Math.min(states - 1, pivot + rise); column += 1)
        add(row, column, -factor * (band[place(pivot, column)] ?? 0));
      right[row] = (right[row] ?? 0) - factor * (right[pivot] ?? 0);
    }
  for (let row = states - 1; row >= 0; row -= 1) {
    let sum = right[row] ?? 0;
    for (let column = row + 1; column <= Math.min(states - 1, row + rise); column += 1)
      sum -= (band[place(row, column)] ?? 0) * (right[column] ?? 0);
    right[row] = sum / (band[place(row, row)] ?? 1);
  }
  return right[0] ?? 0;
};

/** How many audits a certified judge should pass, on average, between two false alarms. */
export const falseAlarmEvery = 5_000;

/** The lowest threshold, to a cell of the grid, whose average run without any change is `audits` or more. */
export const cusumThreshold = (rates: CusumRates, audits: number = falseAlarmEvery): number => {
  const { cell } = gridOf(rates);
  const lasts = (cells: number): boolean =>
    averageRunLength(rates.p0, { ...rates, h: cells * cell }) >= audits;
  let high = 1;
  while (!lasts(high)) high *= 2;
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (lasts(middle)) high = middle;
    else low = middle;
  }
  return high * cell;
};

/**
 * The rates to watch a certificate by: its own error estimate (one half added, so that no error at all is no zero), and
 * the target it promised, or twice the estimate where that is more: a target close to the estimate is noticed by nobody.
 */
export const watchedRates = (certificate: {
  readonly n: number;
  readonly k: number;
  readonly alpha: number;
}): CusumRates => {
  const p0 = Math.min(0.5, (certificate.k + 0.5) / (certificate.n + 1));
  return { p0, p1: Math.min(Math.max(certificate.alpha, 2 * p0), (1 + p0) / 2) };
};
