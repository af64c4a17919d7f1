/** Puts the tiles of one long picture together again, so that no line is read twice or cut in two; pure. */
import type { DecodedImage } from "../image-strategy/decode-image.ts";

/**
 * Tiles follow each other along their longer side and have the same shorter one; of what two of them share, each gives
 * the half that is further from its edge. Throws `RangeError` where their shorter sides differ.
 */
export function joinTiles(tiles: readonly DecodedImage[], overlap: number): DecodedImage {
  const [first] = tiles;
  if (first === undefined) throw new RangeError("A picture has at least one tile");
  if (tiles.length === 1) return first;
  const isUpright = first.height >= first.width;
  if (tiles.some(({ width, height }) => (isUpright ? width !== first.width : height !== first.height)))
    throw new RangeError("Tiles of one picture have the same shorter side");
  const kept = tiles.map((tile, index) => {
    const length = isUpright ? tile.height : tile.width;
    const half = (length * overlap) / 2;
    const from = index === 0 ? 0 : Math.round(half);
    return { tile, from, to: index === tiles.length - 1 ? length : length - Math.floor(half) };
  });
  const length = kept.reduce((sum, { from, to }) => sum + to - from, 0);
  const size = isUpright ? { width: first.width, height: length } : { width: length, height: first.height };
  const data = Buffer.alloc(size.width * size.height * 3);
  let at = 0;
  for (const { tile, from, to } of kept) {
    if (isUpright) tile.data.copy(data, at * size.width * 3, from * size.width * 3, to * size.width * 3);
    else copyColumns(tile, from, to, data, at, size.width);
    at += to - from;
  }
  return { data, ...size, originalWidth: size.width, originalHeight: size.height };
}

function copyColumns(tile: DecodedImage, from: number, to: number, data: Buffer, at: number, width: number) {
  for (let row = 0; row < tile.height; row++) {
    const start = row * tile.width;
    tile.data.copy(data, (row * width + at) * 3, (start + from) * 3, (start + to) * 3);
  }
}
