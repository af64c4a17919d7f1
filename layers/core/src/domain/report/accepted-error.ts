/** How often the machine's accepted answers are wrong, by the audits of the window. */
import { upperBound } from "../certificate/bounds.ts";
import { type Share, shareOf } from "./share.ts";
import { isJudged, type TrustSample } from "./trust-sample.ts";

export interface AcceptedError extends Share {
  /** Exact upper bound at this level of doubt. What people may rely on is the certificate's: it was fixed beforehand. */
  readonly bound: number;
  readonly delta: number;
}

/** null before the first audit has a verdict. */
export const acceptedError = (samples: readonly TrustSample[], delta: number): AcceptedError | null => {
  const audited = samples.filter(
    (sample) =>
      sample.isAudit && sample.isRight !== null && isJudged(sample) && sample.decision === "machine",
  );
  const errors = audited.filter(({ isRight }) => isRight === false).length;
  const share = shareOf(errors, audited.length);
  return share && { ...share, bound: upperBound(errors, audited.length, delta), delta };
};
