/** Single samples for the trust report's tests: an accepted one, as nothing else is said. */
import type { TrustSample } from "@touchstone/core/domain/report/trust-sample";

let made = 0;

export const accepted = (part: Partial<TrustSample> = {}): TrustSample => {
  made += 1;
  return {
    id: `one-${made}`,
    decision: "machine",
    reasons: [{ code: "confident" }],
    vouchedBy: "provisional-threshold",
    ...{ raw: 0.95, calibrated: null, isAudit: false, isChecked: false, isRight: null, drawn: null },
    strata: {},
    length: null,
    decidedAt: 1_000,
    ...part,
  };
};

/** Drawn, checked, and right or wrong. */
export const audited = (isRight: boolean, part: Partial<TrustSample> = {}): TrustSample =>
  accepted({ isAudit: true, isChecked: true, isRight, drawn: "certify", ...part });

export const reviewed = (part: Partial<TrustSample> = {}): TrustSample =>
  accepted({ decision: "review", reasons: [{ code: "low-confidence" }], vouchedBy: null, raw: 0.6, ...part });

export const many = (count: number, make: (index: number) => TrustSample): readonly TrustSample[] =>
  Array.from({ length: count }, (_, index) => make(index));
