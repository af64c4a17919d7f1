/** Cuts very long pictures into overlapping tiles, so that their text stays large enough to find; pure. */
import type { Box, TextBox } from "./text-boxes.ts";

/** Longer than this many short sides is tiled: a long chat or page, not an ordinary screen. */
const tileAspect = 2.4;
/** Share of the short side that neighbouring tiles have in common; must exceed any line's height. */
const overlapShare = 0.25;

/** The tiles of a picture in order along its long side; a single one when it is not very long. */
export function tilesOf(width: number, height: number): Box[] {
  const short = Math.min(width, height);
  const long = Math.max(width, height);
  if (long <= short * tileAspect) return [{ x: 0, y: 0, width, height }];
  const overlap = Math.max(64, Math.round(short * overlapShare));
  const size = Math.min(long, Math.max(Math.round(short * 1.6), 4 * overlap));
  const count = Math.ceil((long - overlap) / (size - overlap));
  return Array.from({ length: count }, (_, i) => {
    const start = count === 1 ? 0 : Math.round((i * (long - size)) / (count - 1));
    return height >= width
      ? { x: 0, y: start, width, height: size }
      : { x: start, y: 0, width: size, height };
  });
}

/**
 * One list of boxes in picture coordinates out of `found`, which holds each tile's boxes in the tile's own coordinates.
 * A box in an overlap is seen twice; the larger sighting stays, since the smaller one was cut by its tile's edge.
 */
export function mergeTiles(tiles: readonly Box[], found: readonly (readonly TextBox[])[]): TextBox[] {
  const all = tiles.flatMap((tile, i) =>
    (found[i] ?? []).map((box) => ({ ...box, x: box.x + tile.x, y: box.y + tile.y })),
  );
  if (tiles.length === 1) return all;
  const kept: TextBox[] = [];
  for (const box of all.sort((a, b) => area(b) - area(a))) {
    if (!kept.some((other) => sharedArea(box, other) > 0.5 * area(box))) kept.push(box);
  }
  return kept;
}

function area(box: Box): number {
  return box.width * box.height;
}

function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}
