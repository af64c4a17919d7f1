/** Ten probabilities and labels whose fits and measures were computed with other software, and points made of such lists. */
import type { CalibrationPoint } from "@touchstone/core/schema/calibration";

export const goldenProbabilities = [0.55, 0.6, 0.62, 0.7, 0.74, 0.8, 0.85, 0.9, 0.95, 0.99];
export const goldenLabels = [0, 1, 0, 1, 1, 1, 0, 1, 1, 1];

export const pointsOf = (
  probabilities: readonly number[],
  labels: readonly number[],
  weights: readonly number[] = [],
  task = "task",
): readonly CalibrationPoint[] =>
  probabilities.map((probability, index) => ({
    probability,
    correct: labels[index] ?? 0,
    weight: weights[index] ?? 1,
    task,
  }));
