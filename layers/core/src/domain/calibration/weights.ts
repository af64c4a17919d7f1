/** Labels of unequal worth: what was reviewed anyway stands for itself, an audit for many that nobody looked at. */

/** One over the chance of being labelled: 1 for a reviewed sample, 1/r for an accepted one, audited at rate r. */
export const labelWeight = (reviewed: boolean, auditRate: number): number => {
  if (reviewed) return 1;
  if (!(auditRate > 0 && auditRate <= 1)) throw new RangeError("an audit rate lies above 0 and up to 1");
  return 1 / auditRate;
};

/** Number of equally weighted labels that would tell as much (Kish): (Σw)² / Σw². */
export const effectiveSize = (weights: readonly number[]): number => {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const squares = weights.reduce((total, weight) => total + weight * weight, 0);
  return squares === 0 ? 0 : (sum * sum) / squares;
};

/** Weighted mean Σwy / Σw (Hájek): the mean over all traffic, from labels of unequal chance. NaN of nothing. */
export const weightedMean = (
  items: readonly { readonly value: number; readonly weight: number }[],
): number => {
  const sum = items.reduce((total, { weight }) => total + weight, 0);
  return items.reduce((total, { value, weight }) => total + value * weight, 0) / sum;
};
