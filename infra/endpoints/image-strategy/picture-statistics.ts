/** Measures how much of a picture is text, how much is painted flat and how much looks photographed; pure. */
import type { Pixels } from "./decode-image.ts";
import type { TextBox } from "./text-boxes.ts";

export interface PictureStatistics {
  /** Share of the picture inside plausible text boxes. */
  readonly coverage: number;
  /** Share of the cells without text whose brightness hardly varies. */
  readonly flatness: number;
  /** Entropy, in bits, of the 4,096 coarse colours outside text: low for screens, high for photos. */
  readonly colourBits: number;
  /** Share of the picture in the largest connected area of cells with many intermediate tones. */
  readonly photoShare: number;
}

const cell = 8;
const flatDeviation = 1.2;
/** A photographed cell has this range of brightness, and this share of pixels well inside the range. */
const photoRange = 5;
const photoMiddle = 0.2;

export function pictureStatistics(image: Pixels, boxes: readonly TextBox[]): PictureStatistics {
  const mask = textMask(image, boxes);
  const columns = Math.floor(image.width / cell);
  const rows = Math.floor(image.height / cell);
  const photo = new Uint8Array(columns * rows);
  let textless = 0;
  let flat = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const tones = cellTones(image, mask, column * cell, row * cell);
      if (tones === null) continue;
      textless++;
      if (deviation(tones) < flatDeviation) flat++;
      if (looksPhotographed(tones)) photo[row * columns + column] = 1;
    }
  }
  return {
    coverage: mask.reduce((sum, bit) => sum + bit, 0) / mask.length,
    flatness: flat / Math.max(1, textless),
    colourBits: colourEntropy(image, mask),
    photoShare: largestArea(photo, columns, rows) / Math.max(1, columns * rows),
  };
}

/** 1 where a text box lies. A huge squarish box is a logo or a drawing, not a line of text. */
function textMask(image: Pixels, boxes: readonly TextBox[]): Uint8Array {
  const mask = new Uint8Array(image.width * image.height);
  for (const box of boxes) {
    const aspect = box.width / box.height;
    if (box.height > 0.25 * image.height && aspect < 3 && aspect > 0.35) continue;
    const right = Math.min(image.width, Math.ceil(box.x + box.width));
    const bottom = Math.min(image.height, Math.ceil(box.y + box.height));
    for (let y = Math.floor(box.y); y < bottom; y++) {
      mask.fill(1, y * image.width + Math.floor(box.x), y * image.width + right);
    }
  }
  return mask;
}

/** Luma (Rec. 601) of a cell's pixels, or null when text touches the cell. */
function cellTones(image: Pixels, mask: Uint8Array, left: number, top: number): number[] | null {
  const tones: number[] = [];
  for (let y = top; y < top + cell; y++) {
    for (let x = left; x < left + cell; x++) {
      const at = y * image.width + x;
      if (mask[at]) return null;
      const o = at * 3;
      tones.push(
        0.299 * (image.data[o] ?? 0) + 0.587 * (image.data[o + 1] ?? 0) + 0.114 * (image.data[o + 2] ?? 0),
      );
    }
  }
  return tones;
}

function deviation(tones: readonly number[]): number {
  const mean = tones.reduce((sum, tone) => sum + tone, 0) / tones.length;
  return Math.sqrt(tones.reduce((sum, tone) => sum + (tone - mean) ** 2, 0) / tones.length);
}

/** Drawn edges have two tones with little between them; surfaces in photos have all tones. */
function looksPhotographed(tones: readonly number[]): boolean {
  const low = Math.min(...tones);
  const range = Math.max(...tones) - low;
  if (range < photoRange) return false;
  const middle = tones.filter((tone) => tone > low + 0.2 * range && tone < low + 0.8 * range);
  return middle.length / tones.length >= photoMiddle;
}

function colourEntropy(image: Pixels, mask: Uint8Array): number {
  const counts = new Uint32Array(4_096);
  let total = 0;
  for (let y = 0; y < image.height; y += 2) {
    for (let x = 0; x < image.width; x += 2) {
      const at = y * image.width + x;
      if (mask[at]) continue;
      const [r, g, b] = [image.data[at * 3] ?? 0, image.data[at * 3 + 1] ?? 0, image.data[at * 3 + 2] ?? 0];
      const bin = ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4);
      counts[bin] = (counts[bin] ?? 0) + 1;
      total++;
    }
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / total) * Math.log2(count / total);
  return bits;
}

/** Cells in the largest 4-connected group. */
function largestArea(cells: Uint8Array, columns: number, rows: number): number {
  const open = cells.slice();
  let largest = 0;
  for (let start = 0; start < open.length; start++) {
    if (!open[start]) continue;
    const stack = [start];
    open[start] = 0;
    let size = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      size++;
      const x = at % columns;
      const y = (at - x) / columns;
      const neighbours = [
        x > 0 ? at - 1 : -1,
        x < columns - 1 ? at + 1 : -1,
        y > 0 ? at - columns : -1,
        y < rows - 1 ? at + columns : -1,
      ];
      for (const next of neighbours) {
        if (next < 0 || !open[next]) continue;
        open[next] = 0;
        stack.push(next);
      }
    }
    largest = Math.max(largest, size);
  }
  return largest;
}
