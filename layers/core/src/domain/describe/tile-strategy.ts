/** The strategy of a very long picture from those of its tiles: one look at its middle would miss what stands elsewhere. */
import type { StrategyChoice } from "../../schema/gist.ts";

/** First, middle and last; of a picture that is one tile, that tile. */
export const tilesToAsk = <Tile>(tiles: readonly Tile[]): readonly Tile[] => {
  const wanted = new Set([0, Math.floor(tiles.length / 2), tiles.length - 1]);
  return tiles.filter((_, index) => wanted.has(index));
};

/** What all agree on; else the mixed style, since text stands in one place and pictures in another. Throws on no choice. */
export const agreedStrategy = (choices: readonly StrategyChoice[]): StrategyChoice => {
  const [first, ...others] = choices;
  if (first === undefined)
    throw new RangeError("a picture has at least one tile, so it has at least one choice");
  if (others.length === 0) return first;
  const mean = (name: "text" | "picture" | "mixed"): number =>
    choices.reduce((sum, { probabilities }) => sum + probabilities[name], 0) / choices.length;
  const agree = others.every(({ strategy }) => strategy === first.strategy);
  return {
    ...first,
    strategy: agree ? first.strategy : "mixed",
    unsure: agree ? choices.some(({ unsure }) => unsure) : false,
    probabilities: { text: mean("text"), picture: mean("picture"), mixed: mean("mixed") },
  };
};
