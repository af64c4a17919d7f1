/** Puts text lines into the order in which a person reads them; pure. */
import type { Box } from "./text-boxes.ts";

/** A column of running text has at least this many lines, most of them this wide compared to the widest. */
const minColumnLines = 4;
const columnFill = 0.6;

/** Rows from top to bottom and left to right in a row; two columns of running text one after the other. */
export function readingOrder<Line extends Box>(lines: readonly Line[]): Line[] {
  const gutter = findGutter(lines);
  if (gutter === undefined) return rows(lines).flat();
  const isLeft = (line: Line) => line.x + line.width <= gutter;
  const isRight = (line: Line) => line.x >= gutter;
  const columns = lines.filter((line) => isLeft(line) || isRight(line));
  const top = Math.min(...columns.map((line) => line.y));
  const across = lines.filter((line) => !isLeft(line) && !isRight(line));
  return [
    ...rows(across.filter((line) => line.y < top)).flat(),
    ...rows(columns.filter(isLeft)).flat(),
    ...rows(columns.filter(isRight)).flat(),
    ...rows(across.filter((line) => line.y >= top)).flat(),
  ];
}

/** Lines that stand beside each other, left to right; rows from top to bottom. */
export function rows<Line extends Box>(lines: readonly Line[]): Line[][] {
  const result: Line[][] = [];
  const middle = (line: Line) => line.y + line.height / 2;
  for (const line of [...lines].sort((a, b) => middle(a) - middle(b))) {
    const last = result.at(-1);
    const anchor = last?.[0];
    if (last && anchor && sharedHeight(anchor, line) > 0.5 * Math.min(anchor.height, line.height))
      last.push(line);
    else result.push([line]);
  }
  for (const row of result) row.sort((a, b) => a.x - b.x);
  return result;
}

/** Pixels of height that two boxes have in common. */
export function sharedHeight(a: Box, b: Box): number {
  return Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
}

/** The x that parts two columns of running text, if there are two. Table cells and chat bubbles are not columns. */
function findGutter(lines: readonly Box[]): number | undefined {
  for (const candidate of [...new Set(lines.map((line) => line.x))].sort((a, b) => a - b)) {
    const left = lines.filter((line) => line.x + line.width <= candidate);
    const right = lines.filter((line) => line.x >= candidate);
    const crossing = lines.length - left.length - right.length;
    if (crossing > 0.25 * lines.length) continue;
    if (isColumn(left) && isColumn(right) && standBeside(left, right)) return candidate;
  }
  return undefined;
}

function isColumn(lines: readonly Box[]): boolean {
  if (lines.length < minColumnLines) return false;
  const start = Math.min(...lines.map((line) => line.x));
  const width = Math.max(...lines.map((line) => line.x + line.width)) - start;
  return lines.filter((line) => line.width >= columnFill * width).length >= lines.length / 2;
}

/** Most lines of the shorter side have a neighbour in the same row; messages of a chat alternate instead. */
function standBeside(left: readonly Box[], right: readonly Box[]): boolean {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  const beside = few.filter((line) =>
    many.some((other) => sharedHeight(line, other) > 0.3 * Math.min(line.height, other.height)),
  );
  return beside.length >= 0.6 * few.length;
}
