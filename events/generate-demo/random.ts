/** Seeded choices, so that the demo's data is the same wherever it is made; used by every generator here. */

export interface Dice {
  /** A whole number from 0 up to, but not including, `bound`. */
  readonly below: (bound: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly shuffle: <Item>(items: readonly Item[]) => Item[];
}

/** Park and Miller's minimal standard generator (multiplier 48271, modulus 2^31 − 1): exact in doubles. */
export function dice(seed: number): Dice {
  const modulus = 2_147_483_647;
  let state = (Math.abs(seed) % (modulus - 1)) + 1;
  const below = (bound: number): number => {
    state = (state * 48_271) % modulus;
    return Math.floor((state / modulus) * bound);
  };
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from: the list is empty");
      return item;
    },
    shuffle: (items) => {
      const result = [...items];
      for (let i = result.length - 1; i > 0; i--) {
        const j = below(i + 1);
        const [a, b] = [result[i], result[j]];
        if (a === undefined || b === undefined) continue;
        result[i] = b;
        result[j] = a;
      }
      return result;
    },
  };
}
