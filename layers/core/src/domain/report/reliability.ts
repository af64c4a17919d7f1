/** The reliability diagram: whether a stated probability is how often the machine is right. */

import { brier, type Judgement } from "../calibration/metrics.ts";
import { expectedCalibrationError, reliabilityBins } from "../calibration/reliability.ts";
import { auroc } from "../calibration/risk-coverage.ts";
import { effectiveSize, labelWeight } from "../calibration/weights.ts";
import { wilsonInterval } from "../certificate/bounds.ts";
import { isJudged, randomLabels, type TrustSample } from "./trust-sample.ts";

export interface ReliabilityPoint {
  readonly from: number;
  readonly to: number;
  readonly labels: number;
  /** Share of all labels by weight: of traffic, not of what people happened to see. */
  readonly share: number;
  readonly confidence: number;
  readonly accuracy: number;
  /** Wilson's 95 % interval of the accuracy, for as many labels as the weighted ones are worth. */
  readonly low: number;
  readonly high: number;
}

export interface ReliabilitySeries {
  readonly bins: readonly ReliabilityPoint[];
  readonly labels: number;
  readonly ece: number;
  readonly brier: number;
  /** null where all are right, or all wrong. */
  readonly auroc: number | null;
}

export interface Reliability {
  readonly raw: ReliabilitySeries | null;
  /** null where nothing is calibrated. Only of labels that certify: all others fitted the calibration. */
  readonly calibrated: ReliabilitySeries | null;
}

/**
 * Raw probabilities against all labels, where a review counts once and an audit 1/rate times: what people see is not what
 * the machine sees. Calibrated ones against the certifying part of the random stream, which is uniform.
 */
export const reliability = (samples: readonly TrustSample[], auditRate: number): Reliability => {
  const labelled = samples.filter(
    (sample) => sample.isRight !== null && isJudged(sample) && (auditRate > 0 || !sample.isAudit),
  );
  return {
    raw: series(
      labelled.flatMap(({ raw, isRight, isAudit }) =>
        raw === null
          ? []
          : [{ probability: raw, correct: Number(isRight), weight: labelWeight(!isAudit, auditRate) }],
      ),
    ),
    calibrated: series(
      randomLabels(labelled).flatMap(({ calibrated, isRight, drawn }) =>
        calibrated === null || drawn !== "certify"
          ? []
          : [{ probability: calibrated, correct: Number(isRight), weight: 1 }],
      ),
    ),
  };
};

const series = (items: readonly Judgement[]): ReliabilitySeries | null => {
  if (items.length === 0) return null;
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  return {
    labels: items.length,
    ece: expectedCalibrationError(items),
    brier: brier(items),
    auroc: auroc(items),
    bins: reliabilityBins(items).map((bin) => {
      const inside = items.filter(({ probability }) => isInside(probability, bin));
      const worth = effectiveSize(inside.map(({ weight }) => weight));
      const [low, high] = wilsonInterval(bin.accuracy * worth, worth);
      return {
        ...{ from: bin.from, to: bin.to, labels: bin.count, share: bin.weight / total },
        ...{ confidence: bin.confidence, accuracy: bin.accuracy, low, high },
      };
    }),
  };
};

const isInside = (
  probability: number,
  { from, to }: { readonly from: number; readonly to: number },
): boolean => (probability > from + 1e-10 || (from === 0 && probability >= 0)) && probability <= to + 1e-10;
