/** Bounds of an error rate from n audits with k errors: exact, for bounded losses, for strata; and an interval for reports. */
import { betaQuantile, regularisedBeta } from "./incomplete-beta.ts";

/** P(X ≤ k) of a binomial variable with n trials of chance p. */
export const binomialCdf = (k: number, n: number, p: number): number => {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return regularisedBeta(1 - p, n - Math.floor(k), Math.floor(k) + 1);
};

/** Exact (Clopper-Pearson) upper bound: the true rate is above it with chance at most delta. 1 of nothing. */
export const upperBound = (k: number, n: number, delta: number): number => {
  if (k >= n) return 1;
  if (k === 0) return -Math.expm1(Math.log(delta) / n);
  return betaQuantile(1 - delta, k + 1, n - k);
};

/** Exact (Clopper-Pearson) lower bound: the true rate is below it with chance at most delta. 0 of nothing. */
export const lowerBound = (k: number, n: number, delta: number): number =>
  k <= 0 || n <= 0 ? 0 : betaQuantile(delta, k, n - k + 1);

/** Whether `upperBound(k, n, delta) <= alpha`, without looking for the bound itself. */
export const isBounded = (k: number, n: number, alpha: number, delta: number): boolean =>
  n > 0 && binomialCdf(k, n, alpha) <= delta;

/**
 * Hoeffding-Bentkus p-value of "the mean loss is above alpha", for n losses in [0, 1] with this mean
 * (Angelopoulos et al. 2021). For losses that are 0 or 1, `binomialCdf(k, n, alpha)` is exact and smaller.
 */
export const hoeffdingBentkusP = (mean: number, n: number, alpha: number): number => {
  const hoeffding = Math.exp(-n * relativeEntropy(Math.min(mean, alpha), alpha));
  // A mean of k/n times n may come out a hair above k.
  const bentkus = Math.E * binomialCdf(Math.ceil(n * mean - 1e-9), n, alpha);
  return Math.min(1, hoeffding, bentkus);
};

/** Wilson's two-sided interval of a share, for reports; z = 1.96 for 95 %. */
export const wilsonInterval = (k: number, n: number, z = 1.959963984540054): readonly [number, number] => {
  if (n <= 0) return [0, 1];
  const share = k / n;
  const middle = share + (z * z) / (2 * n);
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return [Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale)];
};

export interface Stratum {
  /** Weight of the stratum: samples in it, or its share. */
  readonly weight: number;
  /** Audits drawn at random inside it, and their errors. */
  readonly n: number;
  readonly k: number;
}

/** Upper bound of the error over strata that were audited at different rates: Σ W_h · U_h(δ / H). */
export const stratifiedUpperBound = (strata: readonly Stratum[], delta: number): number => {
  const total = strata.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return 1;
  const bounded = ({ weight, n, k }: Stratum) => (weight / total) * upperBound(k, n, delta / strata.length);
  return strata.reduce((sum, stratum) => sum + bounded(stratum), 0);
};

/**
 * Error of the machine behind an observed disagreement with people who err themselves, in two labels and either way
 * alike: e = (d − h) / (1 − 2h), kept within 0 and 1. For planning; certificates rest on adjudicated labels.
 */
export const errorBehindNoise = (disagreement: number, humanError: number): number => {
  if (humanError >= 0.5) throw new RangeError("people who err half the time say nothing about the machine");
  return Math.min(1, Math.max(0, (disagreement - humanError) / (1 - 2 * humanError)));
};

/** Kullback-Leibler divergence of two coins. */
const relativeEntropy = (a: number, b: number): number =>
  (a > 0 ? a * Math.log(a / b) : 0) + (a < 1 ? (1 - a) * Math.log((1 - a) / (1 - b)) : 0);
