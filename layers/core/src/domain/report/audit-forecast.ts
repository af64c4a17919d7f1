/** What it would take to certify that the machine may answer nearly all: audits, work, money and days. */
import { auditsNeeded } from "../certificate/audit-plan.ts";
import { coverageGrid, sequenceStarts } from "../certificate/certify.ts";
import { type RiskCurve, riskAt } from "./risk-curve.ts";

/** What an audit takes; money only where somebody has named a price. */
export interface AuditPrice {
  readonly minutes: number;
  readonly perHour: number | null;
  /** As people write it, e.g. `CNY`. */
  readonly currency: string;
}

export interface ForecastInput {
  /** Coverage that is wanted, e.g. 0.97. */
  readonly target: number;
  readonly alpha: number;
  /** What the next certification may use of delta. */
  readonly delta: number;
  readonly curve: RiskCurve;
  /** Coverage that is certified now; null without a valid certificate. */
  readonly certified: number | null;
  /** Accepted random labels that may certify and are there, near copies counted once. */
  readonly usable: number;
  /** Share of new audits that may certify; the others fit the calibration. */
  readonly certifyingShare: number;
  /** Audits of accepted samples in a day, at the present traffic and rate; null where it is not known. */
  readonly auditsPerDay: number | null;
  readonly price: AuditPrice;
}

export type Forecast = { readonly target: number } & (
  | { readonly kind: "reached" }
  /** Too few random labels to say anything. */
  | { readonly kind: "unknown"; readonly labels: number; readonly needed: number }
  /** So many answers have no confidence at all that no threshold accepts enough. */
  | { readonly kind: "unmeasured"; readonly measured: number }
  /** The judge errs too often at that coverage: audits cannot help, a better judge or standard can. */
  | {
      readonly kind: "out-of-reach";
      readonly coverage: number;
      readonly error: number;
      readonly alpha: number;
    }
  | {
      readonly kind: "reachable";
      /** Audits of accepted samples that may certify: needed in all, there already. */
      readonly needed: number;
      readonly usable: number;
      /** Audits to be made yet, those that will fit the calibration among them. */
      readonly missing: number;
      readonly hours: number;
      readonly cost: number | null;
      readonly currency: string;
      readonly days: number | null;
      /** Error estimated at the hardest test on the way. */
      readonly hardest: { readonly coverage: number; readonly error: number };
    }
);

/** Below so many random labels, errors that nobody has seen yet decide everything. */
const fewestLabels = 30;

/** By the errors of the curve, with a chance of four in five that the certification then passes. */
export const auditForecast = (input: ForecastInput): Forecast => {
  const { target, alpha, delta, curve, certified, usable, price } = input;
  if (certified !== null && certified >= target) return { target, kind: "reached" };
  if (curve.labels < fewestLabels)
    return { target, kind: "unknown", labels: curve.labels, needed: fewestLabels };
  const measured = curve.points.at(-1)?.coverage ?? 0;
  if (measured < target - 1e-9) return { target, kind: "unmeasured", measured };
  const found = auditsNeeded({
    ...{ alpha, delta, target, grid: coverageGrid, starts: sequenceStarts, costPerAudit: price.minutes },
    errorAt: (coverage) => riskAt(curve, coverage) ?? 1,
  });
  if (found.kind === "out-of-reach")
    return { target, kind: found.kind, coverage: found.coverage, error: found.error, alpha };
  const missing = Math.ceil(Math.max(0, found.extra - usable) / input.certifyingShare);
  const hours = (missing * price.minutes) / 60;
  return {
    ...{ target, kind: found.kind, needed: found.extra, usable, missing, hours, currency: price.currency },
    cost: price.perHour === null ? null : hours * price.perHour,
    days: input.auditsPerDay === null || input.auditsPerDay <= 0 ? null : missing / input.auditsPerDay,
    hardest: found.hardest,
  };
};
