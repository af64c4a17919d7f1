/** Which groups of samples lag: they are answered less often, or answered worse, than the rest of the task. */
import { lowerBound, upperBound } from "../certificate/bounds.ts";
import { type Share, shareOf } from "./share.ts";
import { isJudged, type TrustSample } from "./trust-sample.ts";

export interface StratumFigures {
  readonly value: string;
  readonly samples: number;
  /** Share that the machine answers. */
  readonly coverage: Share;
  /** Errors among audited accepted samples; null before the first verdict. */
  readonly error: Share | null;
  /** What it lags in, beyond chance; empty where it does not. */
  readonly lags: readonly ("coverage" | "error")[];
}

export interface Stratification {
  /** A name of `meta`, or `length`. */
  readonly by: string;
  /** Lagging ones first, then the largest. */
  readonly values: readonly StratumFigures[];
}

/** Names with more values than this tell samples apart, not groups; so do values that hardly a sample has. */
const mostValues = 16;
const fewestSamples = 20;

/** Chance of any false finding in the whole report. */
const falseFinding = 0.05;

/** A difference in coverage below this does not matter, however sure it is. */
const leastDifference = 0.02;

/** Names in the order of the alphabet, `length` last. Bounds are exact and shared out over everything that is looked at. */
export const stratify = (samples: readonly TrustSample[]): readonly Stratification[] => {
  const valid = samples.filter(({ decision }) => decision !== "invalid");
  const names = [...new Set(valid.flatMap(({ strata }) => Object.keys(strata)))].sort();
  const groups = [
    ...names.map((by) => ({ by, groups: groupBy(valid, (sample) => sample.strata[by]) })),
    { by: "length", groups: byLength(valid) },
  ]
    .map((one) => ({ ...one, groups: one.groups.filter(([, members]) => members.length >= fewestSamples) }))
    .filter(({ groups: found }) => found.length >= 2 && found.length <= mostValues);
  const looks = 2 * groups.reduce((sum, one) => sum + one.groups.length, 0);
  const overall = errorAndCoverage(valid);
  return groups.map(({ by, groups: found }) => ({
    by,
    values: found
      .map(([value, members]) => figuresOf(value, members, overall, falseFinding / looks))
      .sort(
        (left, right) =>
          right.lags.length - left.lags.length ||
          (by === "length" ? 0 : right.samples - left.samples || (left.value < right.value ? -1 : 1)),
      ),
  }));
};

const groupBy = (
  samples: readonly TrustSample[],
  named: (sample: TrustSample) => string | undefined,
): readonly (readonly [string, readonly TrustSample[]])[] =>
  [...Map.groupBy(samples, named)].flatMap(([value, members]) =>
    value === undefined ? [] : [[value, members] as const],
  );

/** Tenths by rank, named by their lengths: `120–260`. Equal lengths stay together. */
const byLength = (
  samples: readonly TrustSample[],
): readonly (readonly [string, readonly TrustSample[]])[] => {
  const sorted = samples
    .flatMap((sample) => (sample.length === null ? [] : [{ sample, length: sample.length }]))
    .sort((left, right) => left.length - right.length);
  const firstRank = new Map<number, number>();
  for (const [rank, { length }] of sorted.entries()) if (!firstRank.has(length)) firstRank.set(length, rank);
  const tenths = Map.groupBy(sorted, ({ length }) =>
    Math.floor(((firstRank.get(length) ?? 0) * 10) / sorted.length),
  );
  return [...tenths.values()].map((members) => {
    const [shortest, longest] = [members[0]?.length ?? 0, members.at(-1)?.length ?? 0];
    const name = shortest === longest ? String(shortest) : `${shortest}–${longest}`;
    return [name, members.map(({ sample }) => sample)] as const;
  });
};

interface Counted {
  readonly coverage: Share | null;
  readonly error: Share | null;
}

const errorAndCoverage = (samples: readonly TrustSample[]): Counted => {
  const accepted = samples.filter(({ decision }) => decision === "machine");
  const audited = accepted.filter((sample) => sample.isAudit && sample.isRight !== null && isJudged(sample));
  return {
    coverage: shareOf(accepted.length, samples.length),
    error: shareOf(audited.filter(({ isRight }) => isRight === false).length, audited.length),
  };
};

const figuresOf = (
  value: string,
  members: readonly TrustSample[],
  overall: Counted,
  level: number,
): StratumFigures => {
  const { coverage, error } = errorAndCoverage(members);
  const covered = coverage ?? { part: 0, of: 0, rate: 0, low: 0, high: 1 };
  const [allCovered, allWrong] = [overall.coverage?.rate ?? 0, overall.error?.rate ?? 1];
  const lagsInCoverage =
    covered.rate < allCovered - leastDifference && upperBound(covered.part, covered.of, level) < allCovered;
  const lagsInError = error !== null && lowerBound(error.part, error.of, level) > allWrong;
  return {
    value,
    samples: members.length,
    coverage: covered,
    error,
    lags: [...(lagsInCoverage ? (["coverage"] as const) : []), ...(lagsInError ? (["error"] as const) : [])],
  };
};
