/** Medians, quantiles and rounding of what benches measure. */

/** Value below which `share` of the values lie; NaN of nothing. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => {
  const [low, high] = [
    quantile(values, 0.5),
    quantile(
      values.map((value) => -value),
      0.5,
    ),
  ];
  return (low - high) / 2;
};

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
