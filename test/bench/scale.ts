/** Whether cost and time grow in step with the batch: `npm run bench -- scale [--sizes 1000,4000,16000]`. */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type BatchRun, startBenchPipeline } from "./bench-pipeline.ts";
import { benchLines } from "./bench-task.ts";
import { checkCounts } from "./check-counts.ts";
import { rounded } from "./figures.ts";

export const describe =
  "time and CPU a sample for batches of several sizes: [--sizes N,N,…] [--judge-latency MS]";

export const help = `Runs a warm-up, then one batch of each size through the embedded pipeline, the smallest first.
  --sizes N,N,…       samples of each batch (1000,4000,16000)
  --judge-latency MS  time of each judge call (50)
  --concurrency N     judge calls in flight at most (50)
Result:
  runs           for each size: seconds from the upload's first byte until summary.json stands; the same by the sample;
                 CPU by the sample of handlers, and of the emulators
  spread         largest deviation from the mean of the sizes, in percent, of each figure by the sample
  fixedSeconds   what a batch takes however small it is, by the two largest sizes: the last collecting windows above all
  msPerSample    what each further sample takes, by the two largest sizes`;

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
    await pipeline.runBatch("warm-up", benchLines("warm-up", 4000));
    const runs: Sized[] = [];
    for (const samples of sizes) {
      const name = `size-${samples}`;
      const done = await pipeline.runBatch(name, benchLines(name, samples));
      await checkCounts(pipeline.connection, done.folder, samples);
      runs.push({ samples, run: done });
      say(`${samples} samples: ${done.seconds.toFixed(1)} s`);
    }
    return { ...report(runs), loadAverage };
  } finally {
    await pipeline.stop();
  }
}

function report(runs: readonly Sized[]): object {
  const rows = runs.map(({ samples, run: { seconds, handlerCpuMs, emulatorCpuMs } }) => ({
    samples,
    seconds: rounded(seconds, 2),
    msPerSample: rounded((seconds * 1000) / samples, 3),
    handlerCpuMsPerSample: rounded(handlerCpuMs / samples, 3),
    emulatorCpuMsPerSample: rounded(emulatorCpuMs / samples, 3),
  }));
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
