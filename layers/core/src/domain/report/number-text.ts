/** Numbers as the trust report writes them, the same in its sentences, its tables and its figures. */

/** `91.2%`, `3%`, `0.05%`: one decimal, two significant digits below 1 %, no zeros at the end; never 100 % for less. */
export const percentText = (rate: number): string => {
  const percent = rate * 100;
  if (percent === 0) return "0%";
  if (percent < 1) return `${Number(percent.toPrecision(2))}%`;
  const rounded = Math.round(percent * 10) / 10;
  return `${rounded === 100 && rate < 1 ? 99.9 : rounded}%`;
};

/** `12,345`; fractions are rounded. */
export const countText = (count: number): string =>
  String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");

/** `0.931`: three decimals, never `1.000` for less than 1. */
export const decimalText = (value: number): string =>
  (value < 1 ? Math.min(0.999, Math.round(value * 1000) / 1000) : value).toFixed(3);

/** `2026-11-29` in UTC. */
export const dayText = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** `2026-11-10 – 2026-11-29`, or the one day. */
export const periodText = (from: number, to: number): string =>
  dayText(from) === dayText(to) ? dayText(from) : `${dayText(from)} – ${dayText(to)}`;

/** `3.6`, `113`: a decimal below ten hours. */
export const hoursText = (hours: number): string =>
  hours < 10 ? String(Math.round(hours * 10) / 10) : countText(hours);
