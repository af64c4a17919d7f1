/** How many audits a certificate takes: the least for a number of errors, and what a target coverage would cost. */
import { binomialCdf, isBounded } from "./bounds.ts";
import type { CertificationPlan } from "./certify.ts";

/** Smallest n for which `errors` among n audits bound the rate by alpha at level delta. */
export const leastAudits = (errors: number, alpha: number, delta: number): number => {
  let high = errors + 1;
  while (!isBounded(errors, high, alpha, delta)) high *= 2;
  let low = errors;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isBounded(errors, middle, alpha, delta)) high = middle;
    else low = middle;
  }
  return high;
};

export interface AuditForecastInput extends CertificationPlan {
  /** Coverage that is wanted, e.g. 0.97; the next point of the grid counts. */
  readonly target: number;
  /** Estimated error among the accepted at each coverage, e.g. a risk-coverage curve's. */
  readonly errorAt: (coverage: number) => number;
  /** Chance with which each test should pass; 0.8 unless given. */
  readonly power?: number;
  /** Price of one audit, in whatever currency. */
  readonly costPerAudit: number;
}

export type AuditForecast =
  | {
      readonly kind: "reachable";
      /** Audits of the whole random stream, reviewed zone included. */
      readonly audits: number;
      /** Those of them that are above the threshold: the labels nobody would have made anyway. */
      readonly extra: number;
      readonly cost: number;
      /** The hardest test on the way: its coverage, and the error estimated there. */
      readonly hardest: { readonly coverage: number; readonly error: number };
    }
  /** The estimated error is too near alpha, or above it, at this coverage: more audits cannot help, a better judge can. */
  | { readonly kind: "out-of-reach"; readonly coverage: number; readonly error: number };

/**
 * How many audits would certify the target coverage, by the start that needs fewest. Each test on the way passes with the
 * chance asked for by itself; tests share their labels, so that all of them pass with little less.
 */
export const auditsNeeded = (input: AuditForecastInput): AuditForecast => {
  const { grid, starts, target, costPerAudit } = input;
  const last = grid.find((point) => point >= target) ?? grid.at(-1) ?? 1;
  const chains = starts
    .filter(({ coverage }) => coverage <= last)
    .map(({ coverage: from, share }) =>
      hardestOf(
        grid.filter((point) => point >= from && point <= last).map((point) => demandOf(point, share, input)),
      ),
    )
    .sort((left, right) => left.audits - right.audits);
  const easiest = chains[0];
  if (!easiest) throw new RangeError("no start lies at or below the target coverage");
  const { audits, coverage, error } = easiest;
  if (audits === Number.POSITIVE_INFINITY) return { kind: "out-of-reach", coverage, error };
  return {
    kind: "reachable",
    audits,
    extra: Math.ceil(audits * last),
    cost: audits * costPerAudit,
    hardest: { coverage, error },
  };
};

interface Demand {
  readonly coverage: number;
  readonly error: number;
  /** Infinite where no number would do. */
  readonly audits: number;
}

const demandOf = (
  coverage: number,
  share: number,
  { alpha, delta, power = 0.8, errorAt }: AuditForecastInput,
): Demand => {
  const error = errorAt(coverage);
  return {
    coverage,
    error,
    audits: Math.ceil(auditsForPower(error, alpha, delta * share, power) / coverage),
  };
};

const hardestOf = (demands: readonly Demand[]): Demand =>
  demands.reduce((hardest, demand) => (demand.audits > hardest.audits ? demand : hardest));

/** More tolerated errors than this are millions of audits: nobody will make them. */
const mostErrors = 20_000;

/** Audits among accepted with which a judge of this error passes with the chance `power`. */
const auditsForPower = (error: number, alpha: number, delta: number, power: number): number => {
  if (error >= alpha) return Number.POSITIVE_INFINITY;
  // With k errors allowed, the least n that allows them is where passing is likeliest.
  const passes = (errors: number): boolean =>
    binomialCdf(errors, leastAudits(errors, alpha, delta), error) >= power;
  if (passes(0)) return leastAudits(0, alpha, delta);
  let high = 1;
  while (!passes(high)) {
    high *= 2;
    if (high > mostErrors) return Number.POSITIVE_INFINITY;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return leastAudits(high, alpha, delta);
};
