/** Which audits may fit a calibrator and which may certify: never both, whatever they say. */
import { hash64 } from "../intake/id-set.ts";

/**
 * `fit` for a share of audits, decided by the sample's id and a salt alone; the rest certify. Independent of how audits
 * are drawn, so that the certifying part stays a uniform sample. Near copies of a sample must share one id here. What was
 * reviewed and is no audit certifies nothing, and may always fit.
 */
export const labelUse = (sampleId: string, salt: string, fitShare: number): "fit" | "certify" => {
  const [high, low] = hash64(`label-use\u0000${salt}\u0000${sampleId}`);
  return (high * 2 ** 32 + low) / 2 ** 64 < fitShare ? "fit" : "certify";
};

/** Share of audits that fit; the rest certify. */
export const defaultFitShare = 0.4;
