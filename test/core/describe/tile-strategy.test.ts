/** The style that a picture is described in: what its pieces agree on, and mixed where anybody could not tell. */
import { agreedStrategy } from "@touchstone/core/domain/describe/tile-strategy";
import type { Strategy, StrategyChoice } from "@touchstone/core/schema/gist";
import { expect, test } from "vitest";

const choice = (strategy: Strategy, unsure = false): StrategyChoice => ({
  ...{ strategy, unsure, model: "s" },
  probabilities: { text: 0.5, picture: 0.2, mixed: 0.3 },
});

test.each<[string, readonly StrategyChoice[], Strategy, boolean]>([
  ["one that is sure", [choice("text")], "text", false],
  ["one that is unsure", [choice("text", true)], "mixed", true],
  ["all agree", [choice("text"), choice("text")], "text", false],
  ["all agree, one is unsure", [choice("text"), choice("text", true)], "mixed", true],
  ["they differ", [choice("text"), choice("picture", true)], "mixed", false],
])("%s", (_, choices, strategy, unsure) => {
  expect(agreedStrategy(choices)).toMatchObject({ strategy, unsure });
});
