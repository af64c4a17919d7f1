/** Draws certifying labels again and again, and counts how often a threshold promises what is not so. Called by guarantee.ts. */
import { certify } from "@touchstone/core/domain/certificate/certify";
import type { Dice } from "../../../events/generate-demo/random.ts";
import type { Judged } from "./cross-fit.ts";
import { planFor } from "./plan.ts";

export interface DrawOptions {
  readonly draws: number;
  /** Of the set, drawn at random without replacement, to certify with. */
  readonly share: number;
  readonly alpha: number;
  readonly delta: number;
}

export interface DrawCounts {
  /** Draws whose certified threshold has more error than alpha. */
  readonly violations: number;
  /** Mean over all draws; nothing certified counts as 0. */
  readonly coverageMean: number;
  /** Draws that certified anything. */
  readonly certified: number;
  /** The same of the lowest threshold at which the drawn labels have no more error than alpha. */
  readonly naiveViolations: number;
  readonly naiveCoverageMean: number;
}

type Answered = Pick<Judged, "confidence" | "error">;

/**
 * Each of `populations` is the whole labelled set, judged; draws take turns among them. What a threshold is worth is
 * measured on the whole set: on what was not drawn, a correct procedure would look worse than it is, since lucky draws
 * leave their errors behind.
 */
export function countDraws(
  populations: readonly (readonly Answered[])[],
  { draws, share, alpha, delta }: DrawOptions,
  random: Dice,
): DrawCounts {
  const outcomes = Array.from({ length: draws }, (_, draw) => {
    const whole = populations[draw % populations.length] ?? [];
    const audits = random.shuffle(whole).slice(0, Math.round(share * whole.length));
    const pool = whole.map(({ confidence }) => confidence);
    const { proof } = certify({ pool, audits, ...planFor(alpha, delta, audits.length) });
    return { certified: worthOf(whole, proof?.tau), naive: worthOf(whole, naiveThreshold(audits, alpha)) };
  });
  const violations = (of: "certified" | "naive"): number =>
    outcomes.filter((outcome) => outcome[of].error > alpha).length;
  const coverage = (of: "certified" | "naive"): number =>
    outcomes.reduce((sum, outcome) => sum + outcome[of].coverage, 0) / Math.max(1, draws);
  return {
    violations: violations("certified"),
    coverageMean: coverage("certified"),
    certified: outcomes.filter(({ certified }) => certified.coverage > 0).length,
    naiveViolations: violations("naive"),
    naiveCoverageMean: coverage("naive"),
  };
}

/** Coverage and true error of accepting from `tau` up; nothing is accepted without a threshold. */
export function worthOf(
  whole: readonly Answered[],
  tau: number | undefined,
): { readonly coverage: number; readonly error: number } {
  const accepted = tau === undefined ? [] : whole.filter(({ confidence }) => confidence >= tau);
  const wrong = accepted.filter(({ error }) => error).length;
  return { coverage: accepted.length / whole.length, error: wrong / Math.max(1, accepted.length) };
}

/** What a hurried engineer would take: the lowest confidence from which the labels at hand are good enough. */
export function naiveThreshold(audits: readonly Answered[], alpha: number): number | undefined {
  const falling = [...audits].sort((left, right) => right.confidence - left.confidence);
  let wrong = 0;
  let lowest: number | undefined;
  for (const [at, { confidence, error }] of falling.entries()) {
    wrong += error ? 1 : 0;
    if (falling[at + 1]?.confidence === confidence) continue;
    if (wrong / (at + 1) <= alpha) lowest = confidence;
  }
  return lowest;
}

/** The most that any threshold could accept with no more error than alpha: what a perfect certificate would reach. */
export function mostCoverage(whole: readonly Answered[], alpha: number): number {
  return worthOf(whole, naiveThreshold(whole, alpha)).coverage;
}
