/** Makes the record of a calibration: the fit, why it was chosen, and how much it helps. `touchstone calibrate` stores it. */
import type { Calibration, CalibrationPoint, Calibrator, LabelCounts } from "../../schema/calibration.ts";
import { fitFamily, withProbabilities } from "./fit-family.ts";
import { calibrationMetrics } from "./metrics.ts";
import { effectiveSize } from "./weights.ts";

export interface CalibrateInput {
  readonly family: string;
  /** Of the judges whose answers the points are. */
  readonly fingerprints: readonly string[];
  readonly points: readonly CalibrationPoint[];
  /** Used as it is where labels are too few, e.g. a temperature fitted to other families; identity unless given. */
  readonly fallback?: Calibrator;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The calibration of a family from its labels; its metrics "after" are of probabilities by fits that had not seen them. */
export const calibrateFamily = ({
  family,
  fingerprints,
  points,
  fallback,
  at,
}: CalibrateInput): Calibration => {
  const { calibrator, choice, unseen } = fitFamily(points, fallback);
  const tasks = [...Map.groupBy(points, ({ task }) => task)].sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  return {
    schema: 1,
    family,
    fingerprints: [...fingerprints],
    calibrator,
    choice,
    fittedOn: {
      ...counts(points),
      effective: effectiveSize(points.map(({ weight }) => weight)),
      tasks: Object.fromEntries(tasks.map(([task, own]) => [task, counts(own)])),
    },
    metrics: {
      before: calibrationMetrics(points),
      after: calibrationMetrics(withProbabilities(points, unseen)),
    },
    at,
  };
};

const counts = (points: readonly CalibrationPoint[]): LabelCounts => ({
  points: points.length,
  errors: points.reduce((sum, { correct }) => sum + 1 - correct, 0),
});
