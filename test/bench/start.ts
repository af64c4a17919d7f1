/** How long `npm start` takes to the last decision, phase by phase: `npm run bench -- start [FOLDER …]`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import * as z from "zod";
import { closingWords, type Phase, phases } from "../../infra/local/run/words.ts";
import { rounded } from "./figures.ts";

export const describe =
  "seconds from `npm start` to the last decision, phase by phase: [FOLDER …] [--limit SECONDS]";

export const help = `Runs \`npm start -- --exit --json\` as a process of its own, the demo or the folders that are named.
  --limit SECONDS     ends the run, and the bench fails, after this time (300)
Result, in seconds:
  boot, synthesis, models, stack   each phase by itself
  submission          from the first upload until every sample is decided, pictures described and judges asked
  firstDecision       from the start until the progress shows a decided sample (it is shown every two seconds)
  lastDecision        from the start until every sample is decided and every result file written
  total               until the process has ended
  loadAverage         of the machine when the bench began, one minute`;

const program = path.resolve(import.meta.dirname, "../../infra/local/start.ts");
const outcomeSchema = z.looseObject({
  batches: z.array(z.looseObject({ total: z.number(), decided: z.boolean() })),
  durationMs: z.number(),
});

export async function run(args: readonly string[]): Promise<object> {
  const { values, positionals: folders } = parseArgs({
    args: [...args],
    options: { limit: { type: "string", default: "300" } },
    allowPositionals: true,
  });
  const loadAverage = rounded(loadavg()[0] ?? 0, 2);
  const started = performance.now();
  const seconds = (): number => rounded((performance.now() - started) / 1000, 2);
  const child = spawn(process.execPath, [program, "--exit", "--json", "--lang", "en", ...folders], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: Number(values.limit) * 1000,
  });
  const begun = new Map<Phase, number>();
  let firstDecision: number | null = null;
  createInterface({ input: child.stderr }).on("line", (line) => {
    console.error(line);
    const phase = phases.find((name) => line.endsWith(closingWords.en.phases[name]));
    if (phase !== undefined) begun.set(phase, seconds());
    if (isProgress(line)) firstDecision ??= seconds();
  });
  let last = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    last = line;
  });
  const [code, signal] = await once(child, "close");
  if (code !== 0) throw new Error(`npm start ended with ${signal ?? `code ${code}`} after ${seconds()} s`);
  const total = seconds();
  const { batches, durationMs } = outcomeSchema.parse(JSON.parse(last));
  if (batches.some(({ decided }) => !decided)) throw new Error(`a batch is undecided: ${last}`);
  const at = (phase: Phase): number => begun.get(phase) ?? Number.NaN;
  const lastDecision = rounded(at("synthesis") + durationMs / 1000, 2);
  const span = (from: Phase, to: Phase): number => rounded(at(to) - at(from), 2);
  return {
    boot: at("synthesis"),
    synthesis: span("synthesis", "models"),
    models: span("models", "stack"),
    stack: span("stack", "submission"),
    submission: rounded(lastDecision - at("submission"), 2),
    firstDecision,
    lastDecision,
    total,
    samples: batches.reduce((sum, batch) => sum + batch.total, 0),
    loadAverage,
  };
}

/** A progress line with at least one decided sample. */
const isProgress = (line: string): boolean => /[█░]\s+[1-9]\d*\/\d+/.test(line);
