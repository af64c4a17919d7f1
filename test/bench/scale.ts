/** Whether cost and time grow in step with the batch: `npm run bench -- scale [--sizes N,N,…] [--rounds N]`. */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type BatchRun, startBenchPipeline } from "./bench-pipeline.ts";
import { benchLines } from "./bench-task.ts";
import { checkCounts } from "./check-counts.ts";
import { median, rounded } from "./figures.ts";

export const describe =
  "time and CPU a sample for batches of several sizes: [--sizes N,N,…] [--judge-latency MS] [--rounds N]";

export const help = `Runs a warm-up, then rounds of one batch of each size through the embedded pipeline, the smallest first.
  --sizes N,N,…       samples of each batch (1000,4000,16000)
  --judge-latency MS  time of each judge call (50)
  --concurrency N     judge calls in flight at most (50)
  --rounds N          rounds to take the median of (3)
Result:
  runs           for each size, medians: seconds from the upload's first byte until summary.json stands; the same by the sample;
                 CPU by the sample of handlers, and of the emulators
  spread         largest deviation from the mean of the sizes, in percent, of each figure by the sample
  fixedSeconds   what a batch takes however small it is, by the two largest sizes; below zero where the largest was the slowest
  msPerSample    what each further sample takes, by the two largest sizes`;

const warmUpSamples = 16_000;

interface Sized {
  readonly samples: number;
  readonly run: BatchRun;
}

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "1000,4000,16000" },
      "judge-latency": { type: "string", default: "50" },
      concurrency: { type: "string", default: "50" },
      rounds: { type: "string", default: "3" },
    },
  });
  const sizes = values.sizes.split(",").map(Number);
  const loadAverage = rounded(loadavg()[0] ?? 0, 2);
  const say = (line: string): void => console.error(line);
  const pipeline = await startBenchPipeline({
    judgeLatencyMs: Number(values["judge-latency"]),
    concurrency: Number(values.concurrency),
    say,
  });
  try {
    say("warming up");
    // Long enough that no worker still compiles while the smallest batch runs.
    await pipeline.runBatch("warm-up", benchLines("warm-up", warmUpSamples));
    const runs: Sized[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      for (const samples of sizes) {
        const name = `round-${round}-size-${samples}`;
        const run = await pipeline.runBatch(name, benchLines(name, samples));
        await checkCounts(pipeline.connection, run.folder, samples);
        runs.push({ samples, run });
        say(`${samples} samples: ${run.seconds.toFixed(1)} s`);
      }
    }
    return { ...report(sizes, runs), loadAverage };
  } finally {
    await pipeline.stop();
  }
}

function report(sizes: readonly number[], runs: readonly Sized[]): object {
  const rows = sizes.map((samples) => {
    const own = runs.filter((one) => one.samples === samples).map(({ run }) => run);
    const middle = (value: (run: BatchRun) => number): number => median(own.map(value));
    const seconds = middle((run) => run.seconds);
    return {
      samples,
      seconds: rounded(seconds, 2),
      msPerSample: rounded((seconds * 1000) / samples, 3),
      handlerCpuMsPerSample: rounded(middle((run) => run.handlerCpuMs) / samples, 3),
      emulatorCpuMsPerSample: rounded(middle((run) => run.emulatorCpuMs) / samples, 3),
    };
  });
  const [small, large] = rows.slice(-2);
  const slope =
    small && large && large.samples !== small.samples
      ? (large.seconds - small.seconds) / (large.samples - small.samples)
      : Number.NaN;
  return {
    runs: rows,
    spread: {
      msPerSample: spread(rows.map((row) => row.msPerSample)),
      handlerCpuMsPerSample: spread(rows.map((row) => row.handlerCpuMsPerSample)),
      emulatorCpuMsPerSample: spread(rows.map((row) => row.emulatorCpuMsPerSample)),
    },
    fixedSeconds: large ? rounded(large.seconds - slope * large.samples, 2) : null,
    msPerSample: rounded(slope * 1000, 3),
  };
}

/** Percent. */
function spread(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return rounded(Math.max(...values.map((value) => Math.abs(value / mean - 1))) * 100, 1);
}
