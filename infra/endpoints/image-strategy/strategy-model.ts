/** From picture statistics to a description strategy: a softmax over six numbers with fixed weights; pure. */
import type { PictureStatistics } from "./picture-statistics.ts";

export const strategyModel =
  "image-strategy-statistics-0 (OCR coverage and edge statistics; not a trained classifier)";

export const strategyNames = ["text", "picture", "mixed"] as const;
export type StrategyName = (typeof strategyNames)[number];

export interface StrategyPrediction {
  readonly strategy: StrategyName;
  readonly probabilities: Readonly<Record<StrategyName, number>>;
  /** No strategy reaches `sureFrom`; the caller should describe in the mixed style. */
  readonly unsure: boolean;
}

const sureFrom = 0.6;
/** From this coverage on there certainly is text; a word on a sign stays below. */
const someText = 0.03;

/**
 * Weights of [1, √coverage, flatness, colour bits ÷ 8, √photo share, min(1, coverage ÷ 0.03)]: a logistic regression on
 * rendered screens and free photos, rounded to one decimal. They say: text covers much and leaves the rest flat and of
 * few colours; a picture has no text; mixed has some text beside a large area of many tones.
 */
const weights: Readonly<Record<StrategyName, readonly number[]>> = {
  text: [-1.0, 2.7, 1.3, -2.0, -3.6, 1.2],
  picture: [3.9, -1.7, -0.7, 0.5, 0.4, -4.6],
  mixed: [-2.9, -1.0, -0.6, 1.5, 3.2, 3.4],
};

/** The three probabilities sum to one. */
export function predictStrategy(statistics: PictureStatistics): StrategyPrediction {
  const features = [
    1,
    Math.sqrt(statistics.coverage),
    statistics.flatness,
    statistics.colourBits / 8,
    Math.sqrt(statistics.photoShare),
    Math.min(1, statistics.coverage / someText),
  ];
  const power = (name: StrategyName) =>
    Math.exp(weights[name].reduce((sum, weight, i) => sum + weight * (features[i] ?? 0), 0));
  const powers = { text: power("text"), picture: power("picture"), mixed: power("mixed") };
  const total = powers.text + powers.picture + powers.mixed;
  const probabilities = {
    text: powers.text / total,
    picture: powers.picture / total,
    mixed: powers.mixed / total,
  };
  const strategy = strategyNames.reduce((best, name) =>
    probabilities[name] > probabilities[best] ? name : best,
  );
  return { strategy, probabilities, unsure: probabilities[strategy] < sureFrom };
}
