/** Certifies simulated streams as their audits come in, by fixed-sequence testing and naively, and counts broken promises. */
import { auditsNeeded } from "@touchstone/core/domain/certificate/audit-plan";
import {
  type AuditedAnswer,
  certify,
  coverageGrid,
  sequenceStarts,
} from "@touchstone/core/domain/certificate/certify";
import { dice } from "../../../events/generate-demo/random.ts";
import { rounded } from "../figures.ts";
import { errorAtRank, type SimulatedJudge, trueError } from "./judges.ts";

export const auditCounts = [500, 1000, 2000, 4000] as const;
export const wanted = 0.97;
export const delta = 0.05;
const poolSize = 5000;

export interface StreamRow {
  readonly judge: string;
  readonly alpha: number;
  readonly audits: number;
  /** Of all samples, over all streams; one that certifies nothing counts as 0. */
  readonly coverageMean: number;
  /** Streams whose certificate covers the wanted 97 % of the grid or more. */
  readonly reached: number;
  /** Streams whose certified threshold has more true error than alpha. */
  readonly violations: number;
  /** The same for whoever takes the deepest threshold at which k/n is at most alpha. */
  readonly naiveCoverageMean: number;
  readonly naiveViolations: number;
}

export interface Forecast {
  readonly judge: string;
  readonly alpha: number;
  readonly errorAtWanted: number;
  /** Audits for the wanted coverage with a chance of 80 %; null: out of reach. */
  readonly auditsNeeded: number | null;
}

/** What `auditsNeeded` says of a judge whose error is known. */
export const forecastOf = (judge: SimulatedJudge): Forecast => {
  const forecast = auditsNeeded({
    alpha: judge.alpha,
    delta,
    grid: coverageGrid,
    starts: sequenceStarts,
    target: wanted,
    errorAt: (coverage) => trueError(judge, coverage),
    costPerAudit: 0,
  });
  return {
    judge: judge.name,
    alpha: judge.alpha,
    errorAtWanted: rounded(trueError(judge, wanted), 4),
    auditsNeeded: forecast.kind === "reachable" ? forecast.audits : null,
  };
};

/** One row for each number of audits, over `runs` streams. */
export const simulateStreams = (judge: SimulatedJudge, runs: number, seed: number): readonly StreamRow[] => {
  const random = uniform(seed);
  const ends = Array.from({ length: runs }, () => endsOf(judge, random));
  return auditCounts.map((audits, index) => {
    const [proven, naive] = [tally(judge), tally(judge)];
    for (const end of ends) {
      proven.add(end[index]?.proven ?? null);
      naive.add(end[index]?.naive ?? null);
    }
    return {
      judge: judge.name,
      alpha: judge.alpha,
      audits,
      coverageMean: rounded(proven.coverage() / runs, 4),
      reached: proven.reached(),
      violations: proven.violations(),
      naiveCoverageMean: rounded(naive.coverage() / runs, 4),
      naiveViolations: naive.violations(),
    };
  });
};

interface Threshold {
  readonly tau: number;
  readonly grid: number;
}

interface End {
  readonly proven: Threshold | null;
  readonly naive: Threshold | null;
}

/** One stream, looked at after each number of audits: certifications of their own, not repeated ones. */
const endsOf = (judge: SimulatedJudge, random: () => number): readonly End[] => {
  const pool = Array.from({ length: poolSize }, random).sort((left, right) => right - left);
  const stream = Array.from({ length: auditCounts.at(-1) ?? 0 }, (): AuditedAnswer => {
    const confidence = random();
    return { confidence, error: random() < errorAtRank(judge, 1 - confidence) };
  });
  const { alpha } = judge;
  return auditCounts.map((count) => {
    const audits = stream.slice(0, count);
    const { proof } = certify({ pool, audits, alpha, delta, grid: coverageGrid, starts: sequenceStarts });
    return {
      proven: proof && { tau: proof.tau, grid: proof.coverage.grid },
      naive: naiveThreshold(pool, audits, alpha),
    };
  });
};

/** The deepest point of the grid whose observed error is at most alpha: what a spreadsheet would say. */
const naiveThreshold = (
  pool: readonly number[],
  audits: readonly AuditedAnswer[],
  alpha: number,
): Threshold | null => {
  const points = coverageGrid.map((grid) => ({
    grid,
    tau: pool[Math.ceil(grid * pool.length) - 1] ?? 0,
    n: 0,
    k: 0,
  }));
  for (const { confidence, error } of audits) {
    const first = points.find(({ tau }) => confidence !== null && confidence >= tau);
    if (!first) continue;
    first.n += 1;
    first.k += Number(error);
  }
  let [n, k] = [0, 0];
  let deepest: Threshold | null = null;
  for (const point of points) {
    [n, k] = [n + point.n, k + point.k];
    if (k <= alpha * n) deepest = point;
  }
  return deepest;
};

/** Confidence is 1 − rank, so that a threshold's true coverage is 1 − tau. */
const tally = (judge: SimulatedJudge) => {
  let [coverage, reached, violations] = [0, 0, 0];
  return {
    add: (threshold: Threshold | null): void => {
      if (!threshold) return;
      coverage += 1 - threshold.tau;
      reached += Number(threshold.grid >= wanted);
      violations += Number(trueError(judge, 1 - threshold.tau) > judge.alpha);
    },
    coverage: () => coverage,
    reached: () => reached,
    violations: () => violations,
  };
};

/** Numbers in [0, 1), the same for the same seed. */
export const uniform = (seed: number): (() => number) => {
  const { below } = dice(seed);
  return () => below(2 ** 30) / 2 ** 30;
};
