/** Tables for spreadsheets: what Excel opens as it stands, and nothing that it would run. */

/** Excel takes a file without it for one in the code page of the machine. */
const byteOrderMark = "\ufeff";

/** A text that begins so is a formula, or becomes one when the cell is split. */
const formula = /^[=+\-@\t\r]/;

/** Rows of cells as CSV with its byte-order mark, each row ending in CRLF. Numbers stay plain; null is an empty cell. */
export const csvText = (rows: readonly (readonly (string | number | null)[])[]): string =>
  byteOrderMark + rows.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");

const csvCell = (cell: string | number | null): string => {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n\t]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
};
