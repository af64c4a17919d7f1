/** The strategy of a very long picture from those of its tiles: one look at its middle would miss what stands elsewhere. */
import type { StrategyChoice } from "../../schema/gist.ts";

/** First, middle and last; of a picture that is one tile, that tile. */
export const tilesToAsk = <Tile>(tiles: readonly Tile[]): readonly Tile[] => {
  const wanted = new Set([0, Math.floor(tiles.length / 2), tiles.length - 1]);
  return tiles.filter((_, index) => wanted.has(index));
};

/**
 * What all agree on; else the mixed style, since text stands in one place and pictures in another. Where the classifier could
 * not tell, it is the mixed style too, whatever came out first. Throws on no choice.
 */
export const agreedStrategy = (choices: readonly StrategyChoice[]): StrategyChoice => {
  const [first, ...others] = choices;
  if (first === undefined)
    throw new RangeError("a picture has at least one tile, so it has at least one choice");
  if (others.length === 0) return first.unsure ? { ...first, strategy: "mixed" } : first;
  const mean = (name: "text" | "picture" | "mixed"): number =>
    choices.reduce((sum, { probabilities }) => sum + probabilities[name], 0) / choices.length;
  const agree = others.every(({ strategy }) => strategy === first.strategy);
  const unsure = agree && choices.some((choice) => choice.unsure);
  return {
    ...first,
    strategy: agree && !unsure ? first.strategy : "mixed",
    unsure,
    probabilities: { text: mean("text"), picture: mean("picture"), mixed: mean("mixed") },
  };
};
