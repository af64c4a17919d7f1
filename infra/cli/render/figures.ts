/** Numbers and moments as people read them. */

/** `93.3%`; a dash where there is no rate. */
export const percent = (rate: number | null): string => (rate === null ? "–" : `${(rate * 100).toFixed(1)}%`);

/** Two digits, and never `1.00` for what is less than certain. */
export const probability = (value: number | null): string =>
  value === null ? "–" : (Math.floor(value * 100 + 1e-9) / 100).toFixed(2);

/** Local time, to the second: `2026-03-09 10:11:12`. */
export const moment = (epochMs: number): string => new Date(epochMs).toLocaleString("sv-SE");

/** `812 B`, `4.1 KB`, `17.3 MB`. */
export const size = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB", "TB"];
  const step = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(1)} ${units[step - 1]}`;
};
