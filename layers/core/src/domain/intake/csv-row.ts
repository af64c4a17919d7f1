/** The columns of a CSV batch file, and how a record becomes a sample. */
import { type Row, rowFromValue } from "./read-row.ts";

const plainColumns = ["id", "task", "input", "output", "reference"] as const;

/** Column names that a CSV may have: the plain ones, `image…` for pictures of the output, `labels.x`, `meta.x`. */
export const csvColumnFault = (columns: readonly string[]): string | null => {
  const unknown = columns.filter((column) => !isKnown(column));
  if (unknown.length > 0) {
    return `unknown column ${unknown.map((name) => `"${name}"`).join(", ")}; use ${plainColumns.join(", ")}, image, image2…, labels.<field> or meta.<name>`;
  }
  if (!columns.includes("id")) return 'there is no column "id" in the first line';
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  return twice === undefined ? null : `column "${twice}" appears twice`;
};

const isKnown = (column: string): boolean =>
  plainColumns.some((name) => name === column) ||
  /^image\d*$/.test(column) ||
  /^(labels|meta)\..+$/s.test(column);

/**
 * A record as a sample. Empty cells of optional columns are absent; an empty `output` is an empty answer, which is
 * a valid sample. Picture columns follow the output's text.
 */
export const rowFromCsv = (record: Readonly<Record<string, string>>, line: number, bytes: number): Row => {
  const value: Record<string, unknown> = {};
  const groups: Record<"labels" | "meta", Record<string, string>> = { labels: {}, meta: {} };
  const images: { type: "image"; ref: string }[] = [];
  for (const [column, cell] of Object.entries(record)) {
    const [, group, name] = /^(labels|meta)\.(.+)$/s.exec(column) ?? [];
    if ((group === "labels" || group === "meta") && name !== undefined) {
      if (cell !== "") groups[group][name] = cell;
    } else if (column.startsWith("image")) {
      if (cell !== "") images.push({ type: "image", ref: cell });
    } else if (cell !== "" || column === "output") {
      value[column] = cell;
    }
  }
  if (images.length > 0) {
    const text =
      typeof value.output === "string" && value.output !== "" ? [{ type: "text", text: value.output }] : [];
    value.output = [...text, ...images];
  }
  if (Object.keys(groups.labels).length > 0) value.labels = groups.labels;
  if (Object.keys(groups.meta).length > 0) value.meta = groups.meta;
  return rowFromValue(value, line, bytes);
};
