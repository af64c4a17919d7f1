/** Chooses and fits the calibrator of a task family by how many labels there are and how well it does on unseen ones. */
import type {
  CalibrationChoice,
  CalibrationPoint,
  Calibrator,
  CalibratorKind,
} from "../../schema/calibration.ts";
import { applyCalibrator } from "./apply-calibrator.ts";
import { fitIsotonic } from "./fit-isotonic.ts";
import { fitBeta, fitPlatt, fitPooledPlatt, fitTemperature } from "./fit-parametric.ts";
import { logLoss } from "./metrics.ts";
import { effectiveSize } from "./weights.ts";

type Points = readonly CalibrationPoint[];

export interface FamilyFit {
  readonly calibrator: Calibrator;
  readonly choice: CalibrationChoice;
  /** For each point, in order, its probability by a fit that had not seen it. */
  readonly unseen: readonly number[];
}

/** Labels, equally weighted, and errors among them that a fit needs; isotonic regression needs more. */
const least = { labels: 50, errors: 10 };
const leastForIsotonic = { labels: 1000, errors: 50 };
const folds = 5;
/** Share of log loss by which another kind must beat Platt, so that chance does not choose. */
const worthwhile = 0.01;

/**
 * Platt, pooled where the family has several tasks, unless temperature, beta or (of more than 1,000 labels) isotonic
 * regression is clearly better on unseen labels. With fewer than 50 labels or 10 errors: the fallback, as it is.
 * Weights are 1/chance of being labelled; only the part of the audits that fits may be in it, never what certifies.
 */
export const fitFamily = (points: Points, fallback: Calibrator = { kind: "identity" }): FamilyFit => {
  const labels = effectiveSize(points.map(({ weight }) => weight));
  const errors = points.reduce((sum, { correct }) => sum + 1 - correct, 0);
  if (labels < least.labels || errors < least.errors) {
    const reason = labels < least.labels ? "too-few-labels" : "too-few-errors";
    return { calibrator: fallback, choice: { reason, candidates: [] }, unseen: applied(fallback, points) };
  }
  const platt = new Set(points.map(({ task }) => task)).size > 1 ? "pooled-platt" : "platt";
  const kinds: readonly FittedKind[] = [
    platt,
    "temperature",
    "beta",
    ...(labels > leastForIsotonic.labels && errors >= leastForIsotonic.errors ? ["isotonic" as const] : []),
  ];
  const tried = kinds.map((kind) => {
    const unseen = crossFitted(kind, points);
    return { kind, unseen, logLoss: logLoss(withProbabilities(points, unseen)) };
  });
  const best = tried.reduce((one, other) =>
    other.logLoss < one.logLoss * (one.kind === platt ? 1 - worthwhile : 1) ? other : one,
  );
  return {
    calibrator: fitted(best.kind, points),
    choice: {
      reason: "lowest-log-loss",
      candidates: tried.map(({ kind, logLoss }) => ({ kind, logLoss })),
    },
    unseen: best.unseen,
  };
};

/** The same points with other probabilities. */
export const withProbabilities = (points: Points, probabilities: readonly number[]): Points =>
  points.map((point, index) => ({ ...point, probability: probabilities[index] ?? point.probability }));

type FittedKind = Exclude<CalibratorKind, "identity">;

const fitted = (kind: FittedKind, points: Points): Calibrator => {
  switch (kind) {
    case "temperature":
      return fitTemperature(points);
    case "platt":
      return fitPlatt(points);
    case "pooled-platt":
      return fitPooledPlatt(points);
    case "beta":
      return fitBeta(points);
    case "isotonic":
      return fitIsotonic(points);
    default:
      return kind satisfies never;
  }
};

const applied = (calibrator: Calibrator, points: Points): readonly number[] =>
  points.map(({ probability, task }) => applyCalibrator(calibrator, probability, task));

/** Every fifth point is predicted by a fit to the other four fifths. */
const crossFitted = (kind: FittedKind, points: Points): readonly number[] => {
  const fits = Array.from({ length: folds }, (_, fold) =>
    fitted(
      kind,
      points.filter((_, index) => index % folds !== fold),
    ),
  );
  return points.map(({ probability, task }, index) => {
    const calibrator = fits[index % folds];
    return calibrator ? applyCalibrator(calibrator, probability, task) : probability;
  });
};
