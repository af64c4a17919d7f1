/** Log odds and back, kept finite: calibration works on them. */

/** Probabilities nearer to 0 or 1 count as this near. */
export const leastProbability = 1e-9;

/** Keeps a probability away from 0 and 1. */
export const inside = (probability: number): number =>
  Math.min(1 - leastProbability, Math.max(leastProbability, probability));

/** ln(p / (1 − p)), finite for every p in [0, 1]. */
export const logit = (probability: number): number => {
  const p = inside(probability);
  return Math.log(p) - Math.log1p(-p);
};

/** 1 / (1 + e^−x), without overflow. */
export const sigmoid = (x: number): number =>
  x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));

/** ln(1 + e^x), without overflow. */
export const softplus = (x: number): number =>
  x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
