/** Likeness of texts by the rarer terms they share: cosine of weighted term counts. Called by classify.ts. */
import type { TextView } from "./text-view.ts";

/** Terms in more than this share of the texts tell nothing apart. */
const tooCommon = 0.5;

/** Cosines of every two texts, row by row. */
export function textKernel(views: readonly TextView[]): Float64Array[] {
  const n = views.length;
  const postings = new Map<string, { at: number; weight: number }[]>();
  views.forEach((view, at) => {
    for (const [term, count] of view.counts) {
      const list = postings.get(term) ?? [];
      list.push({ at, weight: Math.sqrt(count) });
      postings.set(term, list);
    }
  });
  const products = Array.from({ length: n }, () => new Float64Array(n));
  for (const list of postings.values()) {
    if (list.length < 2 && n > 1) {
      addSelf(products, list, Math.log(n + 1));
      continue;
    }
    if (n > 8 && list.length > tooCommon * n) continue;
    const rarity = Math.log((n + 1) / list.length);
    for (const one of list) {
      const row = products[one.at];
      if (!row) continue;
      for (const other of list) {
        row[other.at] = (row[other.at] ?? 0) + one.weight * other.weight * rarity ** 2;
      }
    }
  }
  return normalised(products);
}

function addSelf(
  products: readonly Float64Array[],
  list: readonly { at: number; weight: number }[],
  rarity: number,
): void {
  for (const { at, weight } of list) {
    const row = products[at];
    if (row) row[at] = (row[at] ?? 0) + (weight * rarity) ** 2;
  }
}

function normalised(products: readonly Float64Array[]): Float64Array[] {
  const norms = products.map((row, at) => Math.sqrt(row[at] ?? 0) || 1);
  return products.map((row, at) =>
    row.map((value, other) => value / ((norms[at] ?? 1) * (norms[other] ?? 1))),
  );
}
