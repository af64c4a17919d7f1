/** How good probabilities are against human labels, in numbers: for the calibration record and the report. */
import type { CalibrationMetrics } from "../../schema/calibration.ts";
import { inside } from "./logit.ts";
import {
  adaptiveCalibrationError,
  expectedCalibrationError,
  maximalCalibrationError,
} from "./reliability.ts";
import { areaUnderRiskCoverage, auroc } from "./risk-coverage.ts";
import { weightedMean } from "./weights.ts";

/** A probability against its label. */
export interface Judgement {
  readonly probability: number;
  /** 1 right, 0 wrong, between where people disagree. */
  readonly correct: number;
  readonly weight: number;
}

/** Weighted mean of (p − y)². */
export const brier = (items: readonly Judgement[]): number =>
  weightedMean(
    items.map(({ probability, correct, weight }) => ({ value: (probability - correct) ** 2, weight })),
  );

/** Weighted mean of −y ln p − (1 − y) ln(1 − p), probabilities kept away from 0 and 1. */
export const logLoss = (items: readonly Judgement[]): number =>
  weightedMean(
    items.map(({ probability, correct, weight }) => {
      const p = inside(probability);
      return { value: -correct * Math.log(p) - (1 - correct) * Math.log1p(-p), weight };
    }),
  );

/** All measures; null without labels. */
export const calibrationMetrics = (items: readonly Judgement[]): CalibrationMetrics | null =>
  items.length === 0
    ? null
    : {
        brier: brier(items),
        logLoss: logLoss(items),
        ece: expectedCalibrationError(items),
        ace: adaptiveCalibrationError(items),
        mce: maximalCalibrationError(items),
        auroc: auroc(items),
        aurc: areaUnderRiskCoverage(items),
      };
