/**
 * How fast the whole pipeline is, and what it costs the processor, beside the bare loop on the same emulators:
 * `npm run bench -- throughput [--samples N] [--judge-latency MS] [--concurrency N] [--rounds N]`.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import * as z from "zod";
import { type BareLoop, startBareLoop } from "./bare-loop.ts";
import { type BatchRun, type BenchPipeline, startBenchPipeline } from "./bench-pipeline.ts";
import { benchLines } from "./bench-task.ts";
import { checkCounts } from "./check-counts.ts";
import { median, quantile, rounded } from "./figures.ts";

export const describe =
  "samples a second of the embedded pipeline beside a bare loop: [--samples N] [--judge-latency MS] [--concurrency N] [--rounds N]";

export const help = `Runs a warm-up, then rounds of one batch through INTAKE, SCORE and SETTLE (the deployed bundles, in workers) and
of the bare loop, and reports medians.
  --samples N         samples a batch (2000)
  --judge-latency MS  time of each judge call (50)
  --concurrency N     judge calls in flight at most, and messages in the bare loop's hands (50)
  --alternatives N    of each token of an answer (5); at 20, what a template asks for that says nothing, an answer has 53 KB
  --rounds N          rounds to take the median of (3)
Result:
  samplesPerSecond      from the upload's first byte until summary.json stands
  bareSamplesPerSecond  receive, conditional put, judge, conditional update, send, on a queue that is full already
  cpuMsPerSample        CPU of the functions' threads, warm; emulators, models and Node's helper threads excluded
  helperCpuMsPerSample  CPU of Node's helper threads (garbage collection, compilation) of the whole process
  p50, p95              milliseconds from a sample's lease to its decision, the judge's included
  callsPerSample        calls to AWS by the functions and their pollers
  loadAverage           of the machine when the bench began, one minute; the goals are for two quiet cores`;

/** Each of the workers compiles the code for itself. */
const warmUpSamples = 2_000;

interface Round {
  readonly run: BatchRun;
  readonly bare: { readonly seconds: number; readonly cpuMs: number };
}

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      samples: { type: "string", default: "2000" },
      "judge-latency": { type: "string", default: "50" },
      concurrency: { type: "string", default: "50" },
      alternatives: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
    },
  });
  const loadAverage = rounded(loadavg()[0] ?? 0, 2);
  const samples = Number(values.samples);
  const concurrency = Number(values.concurrency);
  const say = (line: string): void => console.error(line);
  const pipeline = await startBenchPipeline({
    judgeLatencyMs: Number(values["judge-latency"]),
    concurrency,
    alternatives: Number(values.alternatives),
    say,
  });
  try {
    const bare = await startBareLoop({ concurrency, judgeUrl: pipeline.judge.url });
    try {
      say("warming up");
      await pipeline.runBatch("warm-up", benchLines("warm-up", warmUpSamples));
      await bare.run(warmUpSamples);
      const rounds: Round[] = [];
      for (let round = 1; round <= Number(values.rounds); round += 1) {
        rounds.push(await oneRound(pipeline, bare, `round-${round}`, samples, say));
      }
      const latencies = await latenciesOf(pipeline, rounds.at(-1)?.run.folder ?? "");
      return { ...report(rounds, samples, latencies), loadAverage };
    } finally {
      await bare.stop();
    }
  } finally {
    await pipeline.stop();
  }
}

async function oneRound(
  pipeline: BenchPipeline,
  bare: BareLoop,
  name: string,
  samples: number,
  say: (line: string) => void,
): Promise<Round> {
  const run = await pipeline.runBatch(name, benchLines(name, samples));
  await checkCounts(pipeline.connection, run.folder, samples);
  const bareRun = await bare.run(samples);
  const each = (ms: number): string => (ms / samples).toFixed(2);
  say(
    `${name}: ${(samples / run.seconds).toFixed(0)}/s (handlers ${each(run.handlerCpuMs)}, emulators ${each(run.emulatorCpuMs)}, helpers ${each(run.helperCpuMs)} ms CPU a sample); bare loop ${(samples / bareRun.seconds).toFixed(0)}/s (${each(bareRun.cpuMs)} ms)`,
  );
  return { run, bare: bareRun };
}

const resultSchema = z.looseObject({ latencyMs: z.looseObject({ total: z.number() }) });

async function latenciesOf({ connection }: BenchPipeline, folder: string): Promise<number[]> {
  const ref = { bucket: connection.resultsBucket, key: `${folder}results.jsonl` };
  const { bytes } = await connection.blobs.read(ref, 512 * 1024 * 1024);
  const lines = new TextDecoder().decode(bytes).split("\n").filter(Boolean);
  return lines.map((line) => resultSchema.parse(JSON.parse(line)).latencyMs.total);
}

function report(rounds: readonly Round[], samples: number, latencies: readonly number[]): object {
  const middle = (value: (round: Round) => number, digits: number): number =>
    rounded(median(rounds.map(value)), digits);
  const calls = new Map<string, number>();
  for (const { service, operation, caller, calls: count } of rounds.at(-1)?.run.calls ?? []) {
    if (caller === "operator") continue;
    const name = `${service}:${operation}`;
    calls.set(name, (calls.get(name) ?? 0) + count);
  }
  return {
    samplesPerSecond: middle(({ run }) => samples / run.seconds, 1),
    bareSamplesPerSecond: middle(({ bare }) => samples / bare.seconds, 1),
    ratio: middle(({ run, bare }) => bare.seconds / run.seconds, 3),
    cpuMsPerSample: middle(({ run }) => run.handlerCpuMs / samples, 2),
    cpuMsPerSampleByFunction: Object.fromEntries(
      Object.keys(rounds[0]?.run.cpuByFunction ?? {}).map((name) => [
        name,
        middle(({ run }) => (run.cpuByFunction[name] ?? 0) / samples, 3),
      ]),
    ),
    bareCpuMsPerSample: middle(({ bare }) => bare.cpuMs / samples, 2),
    emulatorCpuMsPerSample: middle(({ run }) => run.emulatorCpuMs / samples, 2),
    helperCpuMsPerSample: middle(({ run }) => run.helperCpuMs / samples, 2),
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    callsPerSample: Object.fromEntries(
      [...calls]
        .sort(([left], [right]) => left.localeCompare(right))
        .map(([name, count]) => [name, rounded(count / samples, 4)]),
    ),
  };
}
