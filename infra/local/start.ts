/** `npm start`: runs batches through the deployed bundles on an embedded AWS, and shows what became of every sample. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { openConnection } from "../cli/connection.ts";
import { projectRoot, sessionPath, writeSession } from "../cli/session.ts";
import { holdDataDirectory } from "./data-directory.ts";
import { beginBatches, heldReturnSeconds, requireFolders } from "./run/batches.ts";
import { gatherOutcome, outcomeJson, taskTable, trustLines, whereLines } from "./run/closing-report.ts";
import { exampleBlocks } from "./run/examples.ts";
import { startModels } from "./run/models.ts";
import { type RunOptions, readOptions } from "./run/options.ts";
import { progressScreen, watchBatches } from "./run/progress.ts";
import { createRunLog } from "./run/run-log.ts";
import { synthesise } from "./run/synthesise.ts";
import { closingWords, type Phase } from "./run/words.ts";
import { startStack } from "./stack.ts";

const options = readOptions(process.argv.slice(2));
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());

try {
  await run(options, stopping.signal);
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(error instanceof Error ? `${error.message}\n` : error);
    if (process.env.TOUCHSTONE_DEBUG) console.error(error);
    process.exitCode = 1;
  }
}
// Workers and keep-alive sockets of a run that failed half-way must not keep the process.
process.exit();

async function run(given: RunOptions, signal: AbortSignal): Promise<void> {
  const words = closingWords[given.language];
  const started = performance.now();
  const say = (text: string): void => {
    (given.json ? process.stderr : process.stdout).write(`${text}\n`);
  };
  const phase = (name: Phase): void =>
    say(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${words.phases[name]}`);
  const log = createRunLog(path.join(projectRoot, ".touchstone", "run.log"));

  await requireFolders(given.folders);
  // The stack takes the directory itself; a second run on it should hear so before it has overwritten anything.
  if (given.dataDir !== undefined) holdDataDirectory(given.dataDir).release();
  phase("synthesis");
  const assembly = given.assembly ?? (await synthesise(path.join(projectRoot, "cdk.out")));
  phase("models");
  const models = await startModels(process.env, log.write);
  const closers: (() => Promise<unknown>)[] = [() => models.stop(), () => log.close()];
  try {
    phase("stack");
    const stack = await startStack({
      assembly,
      environment: {
        ...models.environment,
        ...(process.env.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME
          ? { AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: process.env.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME }
          : {}),
      },
      ...(given.dataDir === undefined
        ? {}
        : { dataDirectory: given.dataDir, heldReturnMs: heldReturnSeconds * 1000 }),
      ...(given.port === undefined ? {} : { ports: portsFrom(given.port) }),
      log: log.write,
    });
    closers.unshift(() => stack.stop());
    await writeSession(sessionPath(), {
      schema: 1,
      pid: process.pid,
      startedAt: new Date().toISOString(),
      region: stack.region,
      endpoints: stack.endpoints,
      // Field by field: SDK clients leave marks of their own on the object.
      credentials: {
        accessKeyId: stack.credentials.accessKeyId,
        secretAccessKey: stack.credentials.secretAccessKey,
      },
      outputs: stack.outputs,
    });
    closers.unshift(() => rm(sessionPath(), { force: true }));
    const connection = await openConnection({ embedded: true });
    phase("submission");
    const batches = await beginBatches(connection, given, say);
    const screen = progressScreen(given.json ? process.stderr : process.stdout, () => performance.now());
    const views = await watchBatches(connection, batches, screen, signal);
    const durationMs = performance.now() - started;
    const outcome = await gatherOutcome(connection, views);
    say(`\n${taskTable(outcome.results, given.language)}\n`);
    for (const line of trustLines(outcome.results, given.language)) say(line);
    if (models.baselineJudge) say(words.baseline);
    say(`\n${words.examples}`);
    for (const block of await exampleBlocks(connection, outcome, given.language)) say(`\n${block}`);
    say("");
    for (const line of whereLines(connection, outcome, given.language)) say(line);
    if (!given.exit) {
      say(`\n${words.stays}`);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    if (given.json) process.stdout.write(`${JSON.stringify(outcomeJson(outcome, durationMs))}\n`);
  } finally {
    for (const close of closers) await close();
  }
}

/** The services stand beside the review API, in a fixed order. */
function portsFrom(api: number): Record<"api" | "s3" | "sqs" | "dynamodb" | "sagemaker", number> {
  return { api, s3: api + 1, sqs: api + 2, dynamodb: api + 3, sagemaker: api + 4 };
}
