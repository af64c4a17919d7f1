/** A deployed function: its warm workers, its concurrency limit, its invocations. Event sources, HTTP and schedules call it. */
import { randomUUID } from "node:crypto";
import { type FunctionWorker, type Outcome, startWorker, type WorkerSettings } from "./function-worker.ts";

export interface Invocation {
  readonly functionId: string;
  readonly durationMs: number;
  readonly initMs: number;
  readonly outcome: Outcome["kind"];
}

export interface FunctionPoolOptions {
  readonly functionId: string;
  readonly worker: WorkerSettings;
  /** Reserved concurrency; further invocations wait for a worker to come free. */
  readonly maximumWorkers: number;
  readonly onInvocation: (invocation: Invocation) => void;
}

export interface FunctionPool {
  readonly functionId: string;
  readonly functionName: string;
  readonly timeoutMs: number;
  /** Runs the handler on one JSON payload. A failed invocation is an outcome, not an exception. */
  invoke(payload: string): Promise<Outcome>;
  /** Ends every worker at once; invocations under way fail as if the runtime had crashed. */
  kill(): Promise<void>;
  readonly warmWorkers: number;
  /** CPU milliseconds that the warm workers have used since they were started. */
  cpuMs(): Promise<number>;
}

/** The runtime is loaded from a URL that holds all of its source. */
const runtimeUrl = /data:text\/javascript,\S*?(?=:\d+:\d+)/g;
const maximumPayloadBytes = 6 * 1024 * 1024;

export function createFunctionPool(options: FunctionPoolOptions): FunctionPool {
  const { worker: settings, functionId } = options;
  const workers = new Set<FunctionWorker>();
  const idle: FunctionWorker[] = [];
  const waiting: Array<() => void> = [];

  const take = async (): Promise<{ worker: FunctionWorker; fresh: boolean }> => {
    for (;;) {
      for (let worker = idle.pop(); worker !== undefined; worker = idle.pop())
        if (worker.alive) return { worker, fresh: false };
        else workers.delete(worker);
      if (workers.size < options.maximumWorkers) {
        const worker = startWorker(settings);
        workers.add(worker);
        return { worker, fresh: true };
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const giveBack = (worker: FunctionWorker): void => {
    if (worker.alive) idle.push(worker);
    else workers.delete(worker);
    waiting.shift()?.();
  };

  const run = async (worker: FunctionWorker, fresh: boolean, payload: string): Promise<Outcome> => {
    const begun = performance.now();
    const initFailure = fresh ? await worker.ready : undefined;
    const started = performance.now();
    const outcome: Outcome =
      initFailure === undefined && worker.alive
        ? withinLimit(await worker.invoke(randomUUID(), payload))
        : { kind: "failure", ...(initFailure ?? killed) };
    options.onInvocation({
      functionId,
      durationMs: performance.now() - started,
      initMs: fresh ? started - begun : 0,
      outcome: outcome.kind,
    });
    if (outcome.kind === "failure")
      for (const line of `${outcome.errorType}: ${outcome.trace}`.split("\n"))
        settings.log(`ERROR ${line.replaceAll(runtimeUrl, "runtime-worker.ts")}`);
    return outcome;
  };

  return {
    functionId,
    functionName: settings.functionName,
    timeoutMs: settings.timeoutMs,
    async invoke(payload) {
      if (payload.length > maximumPayloadBytes) {
        const errorMessage = `the payload of ${payload.length} bytes exceeds Lambda's limit of 6 MB`;
        return {
          kind: "failure",
          errorType: "RequestEntityTooLargeException",
          errorMessage,
          trace: errorMessage,
        };
      }
      const { worker, fresh } = await take();
      try {
        return await run(worker, fresh, payload);
      } finally {
        giveBack(worker);
      }
    },
    async kill() {
      const all = [...workers];
      idle.length = 0;
      workers.clear();
      await Promise.all(all.map((worker) => worker.terminate(killed)));
    },
    get warmWorkers() {
      return workers.size;
    },
    async cpuMs() {
      const times = await Promise.all([...workers].map((worker) => worker.cpuMs()));
      return times.reduce((total, ms) => total + ms, 0);
    },
  };
}

function withinLimit(outcome: Outcome): Outcome {
  return outcome.kind === "result" && outcome.payload.length > maximumPayloadBytes
    ? tooLarge("Function.ResponseSizeTooLarge", outcome.payload)
    : outcome;
}

function tooLarge(errorType: string, payload: string): Outcome {
  const errorMessage = `the payload of ${payload.length} bytes exceeds Lambda's limit of 6 MB`;
  return { kind: "failure", errorType, errorMessage, trace: errorMessage };
}

const killed = {
  errorType: "Runtime.ExitError",
  errorMessage: "the worker was killed",
  trace: "the worker was killed",
};
