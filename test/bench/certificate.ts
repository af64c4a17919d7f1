/** What certificates and their watch do on simulated streams: `npm run bench -- certificate [--runs N] [--seed N] [--samples-per-day N] [--audit-rate R]`. */
import { parseArgs } from "node:util";
import { type Alarms, drifts, simulateAlarms, watched } from "./certificate/alarms.ts";
import { judges } from "./certificate/judges.ts";
import {
  auditCounts,
  delta,
  type Forecast,
  forecastOf,
  type StreamRow,
  simulateStreams,
  wanted,
} from "./certificate/streams.ts";

export const describe =
  "simulated streams: coverage by number of audits, broken promises, days to alarm: [--runs N] [--seed N]";

export const help = `Simulated judges of known error, certified at δ = ${delta} as their audits come in; nothing is read or called.
  --runs N             streams for each judge (500), and four times as many histories for each drift
  --seed N             of everything that is drawn (1)
  --samples-per-day N  traffic in which a drift happens (10000)
  --audit-rate R       share of it that is audited (0.02)

Judges: ${judges.map(({ name, alpha }) => `${name} (α ${alpha})`).join(", ")}.
Two-start fixed-sequence testing on the default grid, thresholds from a pool of 5,000 samples without labels.

Result:
  streams    one row for each judge and number of audits (${auditCounts.join(", ")}):
    coverageMean       of all samples, over all streams; nothing certified counts as 0
    reached            streams whose certificate covers ${wanted} of the grid or more
    violations         streams whose threshold has more true error than α: at most δ · runs, and chance
    naiveCoverageMean, naiveViolations   the same where the deepest threshold with k/n ≤ α is taken
  forecasts  audits that core says ${wanted} would take, with a chance of 80 %; null: out of reach
  alarms     the watch over a certificate with ${watched.k} errors in ${watched.n} audits; per drift to an error of ${drifts.join(", ")}
    auditsMean         audits until the alarm; of the first row, which is no drift, until a false alarm
    daysMedian, days90, acceptedUntilAlarm (at the median)`;

export interface CertificateFigures {
  readonly seed: number;
  readonly runs: number;
  readonly delta: number;
  readonly streams: readonly StreamRow[];
  readonly forecasts: readonly Forecast[];
  readonly alarms: Alarms;
}

export async function run(args: readonly string[]): Promise<CertificateFigures> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: "string", default: "500" },
      seed: { type: "string", default: "1" },
      "samples-per-day": { type: "string", default: "10000" },
      "audit-rate": { type: "string", default: "0.02" },
    },
  });
  const [runs, seed] = [wholeNumber("runs", values.runs), wholeNumber("seed", values.seed)];
  const auditRate = Number(values["audit-rate"]);
  if (!(auditRate > 0 && auditRate <= 1)) throw new RangeError("--audit-rate is above 0 and up to 1");
  const streams = judges.flatMap((judge, index) => {
    console.error(`${judge.name}: ${runs} streams`);
    return simulateStreams(judge, runs, seed * 1000 + index);
  });
  console.error("drifts");
  const samplesPerDay = wholeNumber("samples-per-day", values["samples-per-day"]);
  const alarms = simulateAlarms({ samplesPerDay, auditRate }, runs * 4, seed * 1000 + judges.length);
  return { seed, runs, delta, streams, forecasts: judges.map(forecastOf), alarms };
}

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${name} is a whole number above 0`);
  return value;
};

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The figures for people. */
export function table({ runs, streams, forecasts, alarms }: CertificateFigures): string {
  const lines = streams.map((row) => [
    row.judge,
    percent(row.alpha),
    String(row.audits),
    percent(row.coverageMean),
    percent(row.reached / runs),
    `${row.violations}/${runs}`,
    percent(row.naiveCoverageMean),
    `${row.naiveViolations}/${runs}`,
  ]);
  const heads = ["judge", "alpha", "audits", "coverage", "reach 97 %", "violations", "naive", "violations"];
  return [
    inColumns([heads, ...lines]),
    "",
    inColumns([
      ["judge", "alpha", "error at 97 %", "audits that 97 % would take"],
      ...forecasts.map((row) => [
        row.judge,
        percent(row.alpha),
        percent(row.errorAtWanted),
        String(row.auditsNeeded ?? "out of reach"),
      ]),
    ]),
    "",
    `Watch: certified ${percent(alarms.certifiedError)}, noticed from ${percent(alarms.noticedError)}, ${alarms.auditsPerDay} audits a day`,
    inColumns([
      ["error now", "audits to alarm", "days (median)", "days (90 %)", "accepted until then"],
      ...alarms.rows.map((row) => [
        percent(row.error),
        String(row.auditsMean),
        String(row.daysMedian),
        String(row.days90),
        String(row.acceptedUntilAlarm),
      ]),
    ]),
  ].join("\n");
}

const inColumns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
};
