/** Measures of how well a score ranks, and of what a constant answer would reach; used by the benchmarks. */

/** Probability that a positive scores above a negative, ties counting half; null where one of the two is absent. */
export function auroc(
  items: readonly { readonly positive: boolean; readonly score: number }[],
): number | null {
  const positives = items.filter(({ positive }) => positive);
  const negatives = items.filter(({ positive }) => !positive);
  if (positives.length === 0 || negatives.length === 0) return null;
  let won = 0;
  for (const { score } of positives) {
    for (const other of negatives) won += score > other.score ? 1 : score === other.score ? 0.5 : 0;
  }
  return won / (positives.length * negatives.length);
}

/** Share of items that carry the most frequent label of their group. */
export function majorityShare(items: readonly { readonly group: string; readonly label: string }[]): number {
  const groups = Map.groupBy(items, ({ group }) => group);
  let most = 0;
  for (const group of groups.values()) {
    const labels = Map.groupBy(group, ({ label }) => label);
    most += Math.max(...[...labels.values()].map((list) => list.length));
  }
  return most / Math.max(1, items.length);
}
