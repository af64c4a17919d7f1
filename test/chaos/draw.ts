/** Chance that belongs to an identity and not to an order of arrival: the same seed and words give the same number. */
import { createHash } from "node:crypto";

/** From 0 up to 1. */
export const draw = (seed: number, ...words: readonly (string | number)[]): number => {
  const hash = createHash("sha256")
    .update([seed, ...words].join("\u0000"))
    .digest();
  return hash.readUIntBE(0, 6) / 2 ** 48;
};

/** Deals out `items` in an order that the seed decides, so that each purpose gets its own and never too few. */
export const dealer = <Item>(
  seed: number,
  purpose: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): ((count: number) => readonly Item[]) => {
  const left = items
    .map((item) => ({ item, at: draw(seed, purpose, nameOf(item)) }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
  return (count) => left.splice(0, Math.max(0, Math.round(count)));
};
