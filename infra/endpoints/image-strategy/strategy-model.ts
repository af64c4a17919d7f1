/** From the network's logits to a description strategy, with calibrated probabilities; pure. */

export const strategyNames = ["text", "picture", "mixed"] as const;
export type StrategyName = (typeof strategyNames)[number];

/** What training found out beside the weights; model/strategy.json. */
export interface StrategySettings {
  readonly model: string;
  /** The order of the network's outputs. */
  readonly classes: readonly StrategyName[];
  /** Logits are divided by it, so that of answers given with 90 % about nine in ten are right. */
  readonly temperature: number;
  /** Below this top probability an answer is unsure. */
  readonly sureFrom: number;
}

export interface StrategyPrediction {
  readonly strategy: StrategyName;
  readonly probabilities: Readonly<Record<StrategyName, number>>;
  /** No strategy reaches `sureFrom`; the caller should describe in the mixed style. */
  readonly unsure: boolean;
}

/** Narrows the parsed settings file. Throws an `Error` that names it. */
export function readSettings(value: unknown, file: string): StrategySettings {
  if (typeof value !== "object" || value === null) throw new Error(`${file} is not a JSON object`);
  const { model, classes, temperature, sureFrom }: Partial<Record<string, unknown>> = { ...value };
  const known = Array.isArray(classes) ? classes.filter(isStrategyName) : [];
  if (
    typeof model !== "string" ||
    typeof temperature !== "number" ||
    typeof sureFrom !== "number" ||
    known.length !== strategyNames.length
  ) {
    throw new Error(`${file} must have model, classes (all of ${strategyNames}), temperature and sureFrom`);
  }
  return { model, classes: known, temperature, sureFrom };
}

const isStrategyName = (value: unknown): value is StrategyName =>
  strategyNames.some((name) => name === value);

/**
 * `logits` has one row per piece of the picture, [pieces, classes]. The pieces' probabilities are averaged: where one
 * is text and another a picture, none reaches the threshold, and the whole is described in the mixed style.
 */
export function predictStrategy(logits: Float32Array, settings: StrategySettings): StrategyPrediction {
  const probabilities = { text: 0, picture: 0, mixed: 0 };
  const { classes, temperature, sureFrom } = settings;
  const pieces = logits.length / classes.length;
  for (let piece = 0; piece < pieces; piece++) {
    const row = logits.subarray(piece * classes.length, (piece + 1) * classes.length);
    const highest = Math.max(...row);
    const powers = Array.from(row, (logit) => Math.exp((logit - highest) / temperature));
    const total = powers.reduce((sum, power) => sum + power, 0);
    for (const [i, name] of classes.entries()) probabilities[name] += (powers[i] ?? 0) / total / pieces;
  }
  const strategy = strategyNames.reduce((best, name) =>
    probabilities[name] > probabilities[best] ? name : best,
  );
  return { strategy, probabilities, unsure: probabilities[strategy] < sureFrom };
}
