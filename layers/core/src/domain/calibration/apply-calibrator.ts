/** Turns a raw probability into a calibrated one; SCORE calls it for every field. */
import type { Calibrator } from "../../schema/calibration.ts";
import { inside, logit, sigmoid } from "./logit.ts";

/** Monotone in the raw probability for a given task; a task the calibrator does not know gets its family's curve. */
export const applyCalibrator = (calibrator: Calibrator, probability: number, task: string): number => {
  switch (calibrator.kind) {
    case "identity":
      return probability;
    case "temperature":
      return sigmoid(logit(probability) / calibrator.temperature);
    case "platt":
      return sigmoid(calibrator.slope * logit(probability) + calibrator.intercept);
    case "beta": {
      const p = inside(probability);
      return sigmoid(calibrator.a * Math.log(p) - calibrator.b * Math.log1p(-p) + calibrator.c);
    }
    case "isotonic":
      return between(calibrator.knots, probability);
    case "pooled-platt": {
      const shift = Object.hasOwn(calibrator.shifts, task) ? (calibrator.shifts[task] ?? 0) : 0;
      return sigmoid(calibrator.slope * logit(probability) + calibrator.intercept + shift);
    }
    default:
      return calibrator satisfies never;
  }
};

type Knots = Extract<Calibrator, { kind: "isotonic" }>["knots"];

const between = (knots: Knots, raw: number): number => {
  const after = knots.findIndex((knot) => knot.raw >= raw);
  const right = knots[after] ?? knots.at(-1);
  const left = after <= 0 ? right : knots[after - 1];
  if (!left || !right) return raw;
  if (right.raw === left.raw || after === -1) return right.calibrated;
  const share = (raw - left.raw) / (right.raw - left.raw);
  // Rounding must not lift it above the next knot: the order of answers is what a threshold rests on.
  return Math.min(right.calibrated, left.calibrated + share * (right.calibrated - left.calibrated));
};
