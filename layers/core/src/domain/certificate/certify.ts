/** Picks a threshold by fixed-sequence testing with exact bounds; LEARN issues certificates from it. */
import type { ThresholdProof } from "../../schema/certificate.ts";
import { upperBound } from "./bounds.ts";

/**
 * An answer of the random audit stream, reviewed ones included, with its adjudicated label. The unit is the sample: fields
 * of one sample, or near copies of it, count once. One that nobody has answered yet must not be left out, since hard ones
 * wait longest: end the window before it, or count it as an error.
 */
export interface AuditedAnswer {
  /** null: no confidence could be measured, so it is never accepted. */
  readonly confidence: number | null;
  readonly error: boolean;
}

/** A chain of tests: from this point of the grid upwards, with this share of δ. */
export interface SequenceStart {
  readonly coverage: number;
  readonly share: number;
}

/** What must be fixed before a label is looked at. */
export interface CertificationPlan {
  /** Error among accepted that is to be bounded, and the chance that the bound is wrong. */
  readonly alpha: number;
  readonly delta: number;
  /** Coverages in rising order. */
  readonly grid: readonly number[];
  /** Points of the grid; their shares add up to at most 1. */
  readonly starts: readonly SequenceStart[];
}

export const coverageGrid: readonly number[] = [
  0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99, 0.995, 1,
];
/** Mostly from 80 %; the rest of δ from 50 %, for judges that cannot be trusted with 80 %. */
export const sequenceStarts: readonly SequenceStart[] = [
  { coverage: 0.8, share: 0.8 },
  { coverage: 0.5, share: 0.2 },
];

export interface CertificationInput extends CertificationPlan {
  /** Confidences of all samples of the window, labelled or not; null where there is none. */
  readonly pool: readonly (number | null)[];
  readonly audits: readonly AuditedAnswer[];
}

/** One test of a chain, passed or not. */
export interface ThresholdTest extends ThresholdProof {
  readonly start: number;
  readonly passed: boolean;
}

export interface Certification {
  /** The deepest threshold that passed; null: a person sees everything. */
  readonly proof: ThresholdProof | null;
  /** All tests in the order they were made, for the report. */
  readonly tests: readonly ThresholdTest[];
}

/**
 * Two-start fixed-sequence testing (Angelopoulos et al. 2021; Jung et al. 2024 for judges): tau at each point of the grid
 * comes from the pool alone; each start tests upwards until its first failure; the deepest pass of all is the proof.
 * With chance at least 1 − δ the error among samples with confidence ≥ tau is at most α, for traffic like the window's.
 * Audits must be the whole random stream and must not have fitted anything. RangeError for a plan that proves nothing.
 */
export const certify = ({ pool, audits, ...plan }: CertificationInput): Certification => {
  checkPlan(plan);
  const ranked = falling(pool);
  const audited = falling(audits.map(({ confidence }) => confidence));
  const wrong = falling(audits.flatMap(({ confidence, error }) => (error ? [confidence] : [])));
  const tests: ThresholdTest[] = [];
  let best: { readonly depth: number; readonly proof: ThresholdProof } | null = null;
  for (const { coverage: start, share } of plan.starts) {
    const level = plan.delta * share;
    for (let depth = plan.grid.indexOf(start); depth < plan.grid.length; depth++) {
      const grid = plan.grid[depth] ?? 1;
      const tau = thresholdAt(ranked, grid, pool.length);
      // Where even the unmeasured would have to be accepted, or nothing is there, there is nothing to test.
      if (tau === undefined) break;
      const [n, k] = [countAtLeast(audited, tau), countAtLeast(wrong, tau)];
      const coverage = { grid, pool: countAtLeast(ranked, tau) / pool.length };
      const proof = { tau, n, k, bound: n === 0 ? 1 : upperBound(k, n, level), level, coverage };
      const passed = proof.bound <= plan.alpha;
      tests.push({ ...proof, start, passed });
      if (!passed) break;
      if (best === null || depth > best.depth) best = { depth, proof };
    }
  }
  return { proof: best?.proof ?? null, tests };
};

/**
 * The confidence that accepts a share of a pool of `size`, whose measured confidences are given highest first; undefined
 * where so many were not measured. Its rank is ceil(g · N), where 0.95 · 1000 may come out a hair above 950.
 */
export const thresholdAt = (ranked: ArrayLike<number>, coverage: number, size: number): number | undefined =>
  ranked[Math.ceil(coverage * size - 1e-9 * size) - 1];

/** Highest first; what has no confidence is left out. */
const falling = (confidences: readonly (number | null)[]): Float64Array =>
  Float64Array.from(confidences.filter((confidence) => confidence !== null))
    .sort()
    .reverse();

/** How many of a falling list are at least `least`. */
const countAtLeast = (falling: Float64Array, least: number): number => {
  let [low, high] = [0, falling.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((falling[middle] ?? 0) >= least) low = middle + 1;
    else high = middle;
  }
  return low;
};

const checkPlan = ({ alpha, delta, grid, starts }: CertificationPlan): void => {
  if (!(alpha > 0 && alpha < 1 && delta > 0 && delta < 1))
    throw new RangeError("alpha and delta lie between 0 and 1");
  if (!grid.every((point, index) => point > (grid[index - 1] ?? 0) && point <= 1))
    throw new RangeError("the grid of coverages must rise, above 0 and up to 1");
  if (!starts.every(({ coverage, share }) => grid.includes(coverage) && share > 0))
    throw new RangeError("every start must be a point of the grid and have a share of delta");
  if (starts.reduce((sum, { share }) => sum + share, 0) > 1 + 1e-9)
    throw new RangeError("the starts' shares of delta may not exceed 1 together");
};
