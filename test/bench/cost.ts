/**
 * What a million text samples and an idle month cost on AWS, from counted calls and list prices:
 * `npm run bench -- cost [--judge-latency MS] [--tail X] [--tasks N] [--samples N] [--review-share X]`.
 */
import { parseArgs } from "node:util";
import { timing } from "@touchstone/core/timing";
import { startBenchPipeline } from "./bench-pipeline.ts";
import { billOf, linesOf } from "./cost-bill.ts";
import { type Counted, countBatch, countIdleSweep, type Declared, readDeclared } from "./cost-counts.ts";
import { type Assumptions, fixedUsage, variableUsage } from "./cost-usage.ts";
import { rounded } from "./figures.ts";
import { prices } from "./prices.ts";

export const describe =
  "USD for a million samples and for an idle month: [--judge-latency MS] [--tail X] [--tasks N] [--samples N] [--review-share X]";

export const help = `Runs one batch on the embedded AWS with a judge that answers at once, lets people answer its reviews, and counts
every call with its size. What a laptop cannot count is assumed, and told with the result.
  --judge-latency MS  mean time of a judge call in the cloud (4000)
  --tail X            the slowest call of a full SCORE invocation takes X times the mean (2.5)
  --tasks N           tasks, each with metrics of its own (40)
  --samples N         samples in the batch that is counted (4000, a full split)
  --review-share X    share of samples that people answer (0.1)
Result:
  variableUsdPerMillion  total and by service, for a million samples; models and data transfer out excluded
  fixedUsdPerMonth       total and by service, with nothing submitted; model endpoints, storage and backups excluded
  lines                  the largest lines of both, each with its quantity
  assumptions, prices    what went in; prices are dated and have to be looked up again before they are relied on`;

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "judge-latency": { type: "string", default: "4000" },
      tail: { type: "string", default: "2.5" },
      tasks: { type: "string", default: "40" },
      samples: { type: "string", default: "4000" },
      "review-share": { type: "string", default: "0.1" },
    },
  });
  const number = (name: keyof typeof values, least: number, most = 1e9): number => {
    const value = Number(values[name]);
    if (value >= least && value <= most) return value;
    throw new Error(`--${name} takes a number from ${least} to ${most}, not "${values[name]}"`);
  };
  const samples = number("samples", 1);
  const reviewShare = number("review-share", 0, 1);
  const judgeLatencyMs = number("judge-latency", 0);
  const tail = number("tail", 1);
  const tasks = number("tasks", 0);
  const say = (line: string): void => console.error(line);
  const pipeline = await startBenchPipeline({ judgeLatencyMs: 0, concurrency: 1000, explanation, say });
  try {
    const declared = await readDeclared(pipeline.assembly);
    const assumed: Assumptions = {
      ...{ judgeLatencyMs, tail, tasks },
      ...standing,
      toldTogether: toldTogether(declared, judgeLatencyMs * tail),
    };
    say("warming up");
    await countBatch(pipeline, "warm-up", 200, 20);
    say(`counting a batch of ${samples}`);
    const counted = await countBatch(pipeline, "counted", samples, Math.round(samples * reviewShare));
    const idleSweep = await countIdleSweep(pipeline);
    return report(counted, idleSweep, declared, assumed, reviewShare);
  } finally {
    await pipeline.stop();
  }
}

/** As long as a judge's usually are: it makes results of about a kilobyte and a half. */
const explanation =
  "The assistant opens with a greeting before it turns to the parcel, which is what the standard asks for; the greeting is its own " +
  "and no quotation of the customer's words. The rest of the answer names the warehouse, a time within which the order should " +
  "arrive, and what to do if it is late, none of which bears on the question. Nothing contradicts the greeting.";

const standing = {
  callMs: 10,
  fullCpuMb: 1769,
  ...{ platformLogLines: 3, platformLogBytes: 420, logLineOverheadBytes: 26 },
  ...{ hoursPerMonth: 730, pollersPerQueue: 5, longPollSeconds: 20, sweepsPerMonth: 8760 },
  ...{ metrics: 15, metricsPerTask: 2 },
} as const;

/** What an invocation of SCORE finishes is told in as many messages as it lasts gathering times. */
const toldTogether = ({ batchSize }: Declared, invocationMs: number): number =>
  (batchSize.score ?? 1) / Math.max(1, Math.ceil(invocationMs / (timing().gatherOutcomes * 1000)));

const report = (
  counted: Counted,
  idleSweep: Counted,
  declared: Declared,
  assumed: Assumptions,
  reviewShare: number,
): object => {
  const variable = variableUsage(counted, declared, assumed);
  const fixed = fixedUsage(idleSweep, declared, assumed);
  const cents = (bill: object): object =>
    Object.fromEntries(Object.entries(bill).map(([service, usd]) => [service, rounded(Number(usd), 2)]));
  const largest = (usages: typeof variable) =>
    linesOf(usages)
      .filter(({ usd }) => usd >= 0.005)
      .map(({ what, price, quantity, usd }) => ({
        what,
        price,
        quantity: Math.round(quantity),
        usd: rounded(usd, 3),
      }));
  return {
    variableUsdPerMillion: cents(billOf(variable)),
    fixedUsdPerMonth: cents(billOf(fixed)),
    lines: { variable: largest(variable), fixed: largest(fixed) },
    assumptions: { ...assumed, samplesPerBatch: counted.samples, reviewShare, region: "us-east-1", declared },
    prices,
  };
};
