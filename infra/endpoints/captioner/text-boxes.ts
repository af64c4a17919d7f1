/** From the detector's probability map to text boxes (the DB post-processing of Liao et al. 2019, for upright lines). */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A box with the detector's mean text probability inside it. */
export interface TextBox extends Box {
  readonly score: number;
}

export interface ProbabilityMap {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** PP-OCRv4's published settings. */
const pixelThreshold = 0.3;
const boxThreshold = 0.6;
const unclipRatio = 1.5;
const minSide = 3;

/**
 * Groups neighbouring text pixels, drops groups the detector is unsure of, and grows each by
 * area · ratio ÷ perimeter, because the network learns shrunken lines. Coordinates are map pixels.
 */
export function textBoxes(map: ProbabilityMap): TextBox[] {
  const seen = new Uint8Array(map.data.length);
  const boxes: TextBox[] = [];
  for (let start = 0; start < map.data.length; start++) {
    if (seen[start] || (map.data[start] ?? 0) <= pixelThreshold) continue;
    const box = floodFill(map, seen, start);
    if (Math.min(box.width, box.height) < minSide) continue;
    const score = meanInside(map, box);
    if (score < boxThreshold) continue;
    boxes.push({ ...grow(box, map), score });
  }
  return boxes;
}

/** Bounding box of the 8-connected group of text pixels around `start`; marks them as seen. */
function floodFill(map: ProbabilityMap, seen: Uint8Array, start: number): Box {
  const { data, width, height } = map;
  const stack = [start];
  seen[start] = 1;
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const x = at % width;
    const y = (at - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
        const next = ny * width + nx;
        if (seen[next] || (data[next] ?? 0) <= pixelThreshold) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function meanInside(map: ProbabilityMap, box: Box): number {
  let sum = 0;
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) sum += map.data[y * map.width + x] ?? 0;
  }
  return sum / (box.width * box.height);
}

function grow(box: Box, map: ProbabilityMap): Box {
  const by = (box.width * box.height * unclipRatio) / (2 * (box.width + box.height));
  const x = Math.max(0, box.x - by);
  const y = Math.max(0, box.y - by);
  return {
    x,
    y,
    width: Math.min(map.width, box.x + box.width + by) - x,
    height: Math.min(map.height, box.y + box.height + by) - y,
  };
}
