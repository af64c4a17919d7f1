/** Labels drawn from known curves, the same in every run. */
import { sigmoid } from "@touchstone/core/domain/calibration/logit";
import type { CalibrationPoint } from "@touchstone/core/schema/calibration";
import { seededRandom } from "../watch/seeded-random.ts";

/** `labels` of each task, in turn, right with the chance σ(slope · logit(raw) + the task's shift). */
export const drawnLabels = ({
  tasks,
  labels,
  slope,
}: {
  readonly tasks: Readonly<Record<string, number>>;
  readonly labels: number;
  readonly slope: number;
}): readonly CalibrationPoint[] => {
  const random = seededRandom(11);
  return Array.from({ length: labels }, () => Object.entries(tasks))
    .flat()
    .map(([task, shift]) => {
      const odds = 4 * random() - 0.5;
      const correct = random() < sigmoid(slope * odds + shift) ? 1 : 0;
      return { probability: sigmoid(odds), correct, weight: 1, task };
    });
};
