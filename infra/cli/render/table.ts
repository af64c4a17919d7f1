/** Plain aligned tables; every column as wide as its widest cell. */
import { displayWidth } from "./display-width.ts";

export interface Column {
  readonly title: string;
  /** Numbers to the right. Left by default. */
  readonly align?: "left" | "right";
}

/** Header and rows, two blanks apart, without blanks at the end of a line. Cells may be coloured. */
export const renderTable = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  header: (line: string) => string = (line) => line,
): string => {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...rows].map((row) => displayWidth(row[index] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? "";
        const blanks = " ".repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)));
        return align === "right" ? blanks + cell : cell + blanks;
      })
      .join("  ")
      .trimEnd();
  return [header(line(titles)), ...rows.map(line)].join("\n");
};
