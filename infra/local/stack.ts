/** Starts a synthesised cloud assembly on this machine: services, resources, functions, pollers. The embedded AWS's front door. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { readAssembly } from "./assembly/manifest.ts";
import { holdDataDirectory } from "./data-directory.ts";
import { deploy, type StackOutputs } from "./deploy.ts";
import { type EventSource, startEventSource } from "./lambda/event-source.ts";
import type { Outcome } from "./lambda/function-worker.ts";
import { startSchedule } from "./lambda/schedule.ts";
import { metricsOrLog } from "./metrics/function-output.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { Deliver } from "./s3/operation.ts";
import type { QueueCounts } from "./sqs/server.ts";
import { type ServicePorts, startWorld } from "./start-world.ts";
import type { Tap } from "./tap.ts";
import type { DeployedFunction, World } from "./world.ts";

export interface StackOptions {
  /** Directory of the cloud assembly, usually `cdk.out`. */
  readonly assembly: string;
  /** Keeps buckets, queues and tables between runs, one process at a time; without it everything is gone at the end. */
  readonly dataDirectory?: string;
  /** Messages that an earlier run held come back after so many milliseconds at the latest; by default when visible again. */
  readonly heldReturnMs?: number;
  /** Stands between S3 and its queues: may repeat, delay and reorder the events of new objects. */
  readonly wrapDeliver?: (deliver: Deliver) => Deliver;
  /** Where bundles and layers are copied to; a temporary directory by default. */
  readonly workDirectory?: string;
  /** Fixed ports; `api` is that of the first HTTP API. Any free port by default. */
  readonly ports?: ServicePorts & { readonly api?: number };
  /** Replaces environment variables that a function's template declares, or sets any `AWS_ENDPOINT_URL_*`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** SageMaker endpoint (name or logical id) → base URL of a container that is already running. */
  readonly endpointOverrides?: Readonly<Record<string, string>>;
  /** Divides the periods of schedules, and nothing else. */
  readonly timeScale?: number;
  readonly taps?: readonly Tap[];
  /** Receives every line of functions (source: logical id), containers and the runner itself. */
  readonly log?: (source: string, line: string) => void;
  /** Aborting stops a start that is under way, or the running stack. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedStack {
  readonly endpoints: Readonly<Record<"s3" | "sqs" | "dynamodb" | "sagemaker", string>>;
  readonly outputs: StackOutputs;
  readonly region: string;
  /** The operator's; any other access key id with this secret is a user of that name. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Runs a function (name or logical id) once and returns its result; throws when the invocation fails. */
  invoke(logicalIdOrName: string, event: unknown): Promise<unknown>;
  functions(): ReadonlyArray<Pick<DeployedFunction, "id" | "name" | "arn">>;
  /** Ends all workers of a function at once, in the middle of whatever they do. */
  kill(logicalIdOrName: string): Promise<void>;
  readonly metrics: Pick<Metrics, "sum" | "all">;
  readonly recorder: Recorder;
  queues(): Record<string, QueueCounts>;
  /** CPU milliseconds that the warm workers of each function have used, by logical id; native threads excluded. */
  cpuMs(): Promise<Record<string, number>>;
  /**
   * Lets the visibility of messages in flight on a queue run out now, so that no test has to wait for it: of all that
   * were received by `upTo` (epoch milliseconds; by default now).
   */
  lapse(queue: string, upTo?: number): void;
  /** Delivers messages that are in flight once more, as SQS may; `isChosen` is asked once for each receipt. */
  repeat(queue: string, isChosen: (body: string, receives: number) => boolean): void;
  /** Stops S3, SQS and DynamoDB for so many milliseconds; functions go on and meet refused connections. */
  interrupt(milliseconds: number): Promise<void>;
  /** Pollers take no new messages until `resume`. */
  pause(): void;
  resume(): void;
  /** Stops polling, waits a little for invocations under way, then ends everything. */
  stop(): Promise<void>;
}

const region = "us-east-1";
const account = "000000000000";
const credentials = { accessKeyId: "operator", secretAccessKey: "embedded-secret-access-key" };
const drainLimitMs = 10_000;

/** Resolves when all is created and polling has begun; on failure everything started so far is ended again. */
export async function startStack(options: StackOptions): Promise<EmbeddedStack> {
  const closers: Array<() => Promise<void>> = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    return await start(options, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  options: StackOptions,
  closers: Array<() => Promise<void>>,
  close: () => Promise<void>,
): Promise<EmbeddedStack> {
  if (options.dataDirectory !== undefined) {
    const held = holdDataDirectory(options.dataDirectory);
    closers.push(async () => held.release());
  }
  const assembly = await readAssembly(options.assembly);
  const log = options.log ?? (() => {});
  const recorder = createRecorder();
  const metrics = createMetrics();
  const functionOutput = metricsOrLog(metrics, log);
  const workDirectory = options.workDirectory ?? (await temporaryDirectory(closers));
  const { world, data } = await startWorld({
    assets: assembly.assets,
    ports: options.ports ?? {},
    dataDirectory: options.dataDirectory,
    heldReturnMs: options.heldReturnMs,
    wrapDeliver: options.wrapDeliver,
    operator: credentials,
    // The recorder comes before the caller's taps: a call that one of them interrupts has still happened.
    taps: [recorder, ...(options.taps ?? [])],
    closers,
    settings: {
      region,
      account,
      secretAccessKey: credentials.secretAccessKey,
      workDirectory: path.resolve(workDirectory),
      apiPort: options.ports?.api,
      timeScale: options.timeScale ?? 1,
      environment: options.environment ?? {},
      endpointOverrides: options.endpointOverrides ?? {},
      log,
      functionOutput: (id, line) => {
        recorder.recordOutput(id, line);
        functionOutput(id, line);
      },
      onInvocation: recorder.recordInvocation,
      signal: options.signal,
    },
  });

  const outputs = await deploy(assembly, world);
  await Promise.all(world.containers);
  options.signal?.throwIfAborted();
  const eventSources = world.eventSources.map(startEventSource);
  const schedules = world.schedules.map(startSchedule);
  closers.push(async () => {
    for (const schedule of schedules) schedule.stop();
    await drain(eventSources, log);
  });

  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= close();
    return stopping;
  };
  options.signal?.addEventListener("abort", () => void stop(), { once: true });

  return {
    endpoints: world.endpoints,
    outputs,
    region,
    credentials,
    metrics,
    recorder,
    functions: () => [...world.functions.values()].map(({ id, name, arn }) => ({ id, name, arn })),
    kill: (nameOrId) => lookUp(world, nameOrId).pool.kill(),
    async invoke(nameOrId, event) {
      return resultOf(await lookUp(world, nameOrId).pool.invoke(JSON.stringify(event) ?? "null"), nameOrId);
    },
    queues: () => world.sqs.counts(),
    async cpuMs() {
      const times = [...world.functions.values()].map(
        async ({ id, pool }) => [id, await pool.cpuMs()] as const,
      );
      return Object.fromEntries(await Promise.all(times));
    },
    lapse: (queue, upTo) => world.sqs.lapse(queue, upTo),
    repeat: (queue, isChosen) => world.sqs.repeat(queue, isChosen),
    interrupt: data.interrupt,
    pause: () => eventSources.forEach((source) => void source.pause()),
    resume: () => eventSources.forEach((source) => void source.resume()),
    stop,
  };
}

async function drain(
  sources: readonly EventSource[],
  log: (source: string, line: string) => void,
): Promise<void> {
  const limit = new AbortController();
  const all = Promise.all(sources.map((source) => source.stop())).then(() => "drained");
  const late = setTimeout(drainLimitMs, "late", { signal: limit.signal }).catch(() => "drained");
  if ((await Promise.race([all, late])) === "late")
    log("runner", `invocations still ran ${drainLimitMs / 1000} s after polling had stopped; they are ended`);
  limit.abort();
}

function lookUp(world: World, nameOrId: string): DeployedFunction {
  const found =
    world.callers.get(nameOrId) ?? [...world.functions.values()].find(({ name }) => name === nameOrId);
  if (found === undefined) throw new Error(`there is no function with the name or logical id ${nameOrId}`);
  return found;
}

function resultOf(outcome: Outcome, nameOrId: string): unknown {
  if (outcome.kind === "failure")
    throw new Error(`${nameOrId} failed with ${outcome.errorType}: ${outcome.errorMessage}`, {
      cause: outcome.trace,
    });
  return JSON.parse(outcome.payload);
}

async function temporaryDirectory(closers: Array<() => Promise<void>>): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "touchstone-"));
  closers.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
