/** How long the watch over a certificate takes to notice that a judge has become worse. */
import { cusum, cusumThreshold, watchedRates } from "@touchstone/core/domain/watch/cusum";
import { quantile, rounded } from "../figures.ts";
import { uniform } from "./streams.ts";

/** The certificate that is watched: 2 % observed, 3 % promised, 97 % covered. */
export const watched = { n: 1940, k: 39, alpha: 0.03, coverage: 0.97 } as const;
/** Error among accepted samples after the drift; the first is no drift. */
export const drifts: readonly number[] = [0.02, 0.03, 0.04, 0.06, 0.1];

export interface Traffic {
  readonly samplesPerDay: number;
  readonly auditRate: number;
}

export interface AlarmRow {
  /** Error among accepted samples from the drift on. */
  readonly error: number;
  readonly auditsMean: number;
  readonly daysMedian: number;
  readonly days90: number;
  /** Samples accepted at that error until the median alarm. */
  readonly acceptedUntilAlarm: number;
}

export interface Alarms {
  readonly certifiedError: number;
  readonly noticedError: number;
  readonly threshold: number;
  readonly auditsPerDay: number;
  readonly rows: readonly AlarmRow[];
}

/** From a score of 0 at the moment of the drift, the worst case, over `runs` histories for each drift. */
export const simulateAlarms = ({ samplesPerDay, auditRate }: Traffic, runs: number, seed: number): Alarms => {
  const rates = watchedRates(watched);
  const threshold = cusumThreshold(rates);
  const acceptedPerDay = samplesPerDay * watched.coverage;
  const auditsPerDay = acceptedPerDay * auditRate;
  const random = uniform(seed);
  const untilAlarm = (error: number): number => {
    let audits = 0;
    for (let score = 0; score < threshold; audits++) score = cusum(score, random() < error, rates);
    return audits;
  };
  const rows = drifts.map((error): AlarmRow => {
    const lengths = Array.from({ length: runs }, () => untilAlarm(error));
    const days = (share: number): number => quantile(lengths, share) / auditsPerDay;
    return {
      error,
      auditsMean: Math.round(lengths.reduce((sum, length) => sum + length, 0) / runs),
      daysMedian: rounded(days(0.5), 1),
      days90: rounded(days(0.9), 1),
      acceptedUntilAlarm: Math.round(days(0.5) * acceptedPerDay),
    };
  });
  return {
    certifiedError: rounded(rates.p0, 4),
    noticedError: rounded(rates.p1, 4),
    threshold: rounded(threshold, 2),
    auditsPerDay: rounded(auditsPerDay, 1),
    rows,
  };
};
