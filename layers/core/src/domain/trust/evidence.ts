/** Which observed samples fit a calibration and which certify it: never both, whatever people said of them. */
import type { CalibrationPoint } from "../../schema/calibration.ts";
import { labelUse } from "../certificate/label-use.ts";
import { isDrawn, type Observed } from "./observed.ts";

/** How the random stream is drawn and shared; fixed before anybody looks at a label. */
export interface Draw {
  readonly rate: number;
  /** Share of the stream that fits. */
  readonly fitShare: number;
}

/** Of samples that are copies of each other only the first one counts. */
export const withoutCopies = (samples: readonly Observed[]): readonly Observed[] => {
  const seen = new Set<string>();
  return [...samples]
    .sort((left, right) => left.decidedAt - right.decidedAt)
    .filter(({ task, likeness }) => {
      const name = JSON.stringify([task, likeness]);
      if (seen.has(name)) return false;
      seen.add(name);
      return true;
    });
};

const useOf = ({ likeness, task }: Observed, { fitShare }: Draw) => labelUse(likeness, task, fitShare);

/**
 * Labels to fit by: all that people looked at, but for the part of the stream that certifies. Each weighs one over its
 * chance to be here: the accepted come by the stream's fitting part alone, the others always but for its certifying part.
 */
export const calibrationPoints = (samples: readonly Observed[], draw: Draw): readonly CalibrationPoint[] =>
  withoutCopies(samples).flatMap((sample) => {
    const { raw, agreeing, accepted, task } = sample;
    if (raw === null || agreeing === null) return [];
    const drawn = isDrawn(sample, draw.rate);
    if (drawn && useOf(sample, draw) === "certify") return [];
    // An accepted one that was not drawn was looked at for some reason, so it stands for nobody else.
    if (accepted && !drawn) return [];
    const chance = accepted ? draw.rate * draw.fitShare : 1 - draw.rate * (1 - draw.fitShare);
    return [{ probability: raw, correct: agreeing, weight: 1 / chance, task }];
  });

/** What to do about audits that nobody has answered; fixed before anybody looks at a label. */
export const pendingRules = ["end-before", "count-as-errors"] as const;
export type PendingRule = (typeof pendingRules)[number];

export interface CertifyingStream {
  /** All samples of the window that is certified: the pool. */
  readonly window: readonly Observed[];
  readonly audits: readonly (Observed & { readonly final: boolean })[];
  /** Audits that nobody has answered. */
  readonly pending: number;
  /** Answered audits that wait behind one of them. */
  readonly behind: number;
}

/**
 * The part of the random stream that certifies. Hard audits wait longest, so those that are not answered may not be left
 * out: either the window ends before the oldest of them, or they all count as errors.
 */
export const certifyingStream = (
  samples: readonly Observed[],
  draw: Draw,
  rule: PendingRule = "end-before",
): CertifyingStream => {
  const stream = withoutCopies(samples).filter(
    (sample) => sample.raw !== null && isDrawn(sample, draw.rate) && useOf(sample, draw) === "certify",
  );
  const unanswered = stream.filter(({ final }) => final === null);
  const end = rule === "end-before" ? (unanswered[0]?.decidedAt ?? Infinity) : Infinity;
  const isInside = ({ decidedAt }: Observed): boolean => decidedAt < end;
  const inside = stream.filter(isInside);
  return {
    window: samples.filter(isInside),
    audits: inside.map((sample) => ({ ...sample, final: sample.final ?? false })),
    pending: unanswered.length,
    behind: stream.length - unanswered.length - inside.filter(({ final }) => final !== null).length,
  };
};
