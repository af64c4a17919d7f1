/** One warm execution environment seen from outside: a worker thread that takes one invocation at a time. */
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { transformSync } from "esbuild";
import type { Failure, FromWorker, RuntimeSettings, ToWorker } from "./worker-messages.ts";

export type Outcome =
  | { readonly kind: "result"; readonly payload: string }
  | ({ readonly kind: "failure" } & Failure);

export interface WorkerSettings extends RuntimeSettings {
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** One line of the function's output. */
  readonly log: (line: string) => void;
}

export interface FunctionWorker {
  /** Resolves when the handler is loaded, or with the failure to load it. */
  readonly ready: Promise<Failure | undefined>;
  /** False once the thread has ended. */
  readonly alive: boolean;
  invoke(requestId: string, payload: string): Promise<Outcome>;
  terminate(reason: Failure): Promise<void>;
  /** CPU time of the thread so far; 0 before it runs and once it has ended. */
  cpuMs(): Promise<number>;
}

/** Lambda gives a cold start 10 s; a laptop that starts everything at once is slower than that. */
const initLimitMs = 30_000;
/** Stripped of its types once: every worker would otherwise start the compiler for itself, as long as it starts. */
const runtimeSource = transformSync(readFileSync(new URL("./runtime-worker.ts", import.meta.url), "utf8"), {
  loader: "ts",
  format: "esm",
  target: "node24",
}).code;
const runtimeModule = new URL(`data:text/javascript,${encodeURIComponent(runtimeSource)}`);

export function startWorker(settings: WorkerSettings): FunctionWorker {
  const { environment, timeoutMs, log, ...runtime } = settings;
  const thread = new Worker(runtimeModule, {
    name: runtime.functionName,
    env: { ...environment },
    workerData: runtime satisfies RuntimeSettings,
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: runtime.memoryMb },
  });
  const lines = { stdout: lineSplitter(log), stderr: lineSplitter(log) };
  // What native code or Node itself prints does not pass through the captured streams.
  thread.stdout.setEncoding("utf8").on("data", lines.stdout);
  thread.stderr.setEncoding("utf8").on("data", lines.stderr);

  const ready = Promise.withResolvers<Failure | undefined>();
  let answer: ((outcome: Outcome) => void) | undefined;
  let alive = true;
  let online = false;
  let ending: Failure | undefined;

  const initTimer = setTimeout(() => {
    const errorMessage = `the handler was not loaded within ${initLimitMs / 1000} seconds`;
    void terminate({ errorType: "Sandbox.Timedout", errorMessage, trace: errorMessage });
  }, initLimitMs);
  void ready.promise.then(() => clearTimeout(initTimer));

  const settle = (outcome: Outcome): void => {
    const waiting = answer;
    answer = undefined;
    waiting?.(outcome);
  };
  const end = (failure: Failure): void => {
    alive = false;
    ready.resolve(failure);
    settle({ kind: "failure", ...failure });
  };

  thread.once("online", () => {
    online = true;
  });
  thread.on("message", (message: FromWorker) => {
    switch (message.kind) {
      case "ready":
        ready.resolve(undefined);
        break;
      case "init-failed":
        ending = { errorType: message.errorType, errorMessage: message.errorMessage, trace: message.trace };
        void thread.terminate();
        break;
      case "output":
        for (const chunk of message.chunks) lines[chunk.stream](chunk.text);
        break;
      case "result":
        settle(message);
        break;
      case "thrown":
        settle({ ...message, kind: "failure" });
        break;
      default:
        message satisfies never;
    }
  });
  thread.on("error", (error: Error) => {
    ending ??= {
      errorType: "Runtime.ExitError",
      errorMessage: error.message,
      trace: error.stack ?? error.message,
    };
  });
  thread.on("exit", (code) => {
    const errorMessage = `Runtime exited with exit status ${code}`;
    end(ending ?? { errorType: "Runtime.ExitError", errorMessage, trace: errorMessage });
  });

  const terminate = async (reason: Failure): Promise<void> => {
    ending ??= reason;
    // Callers must see a dead worker from this moment on, not from the next turn.
    end(ending);
    await thread.terminate();
  };

  return {
    ready: ready.promise,
    get alive() {
      return alive;
    },
    async invoke(requestId, payload) {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      if (!alive) throw new Error(`${runtime.functionName}: this worker has ended`);
      answer = resolve;
      const timer = setTimeout(() => {
        const errorMessage = `${requestId} Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
        void terminate({ errorType: "Sandbox.Timedout", errorMessage, trace: errorMessage });
      }, timeoutMs);
      thread.postMessage({ requestId, payload, timeoutMs } satisfies ToWorker);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    },
    terminate,
    async cpuMs() {
      // A thread that is being started cannot be asked yet.
      if (!alive || !online) return 0;
      const { user, system } = await thread.cpuUsage();
      return (user + system) / 1000;
    },
  };
}

/** Turns chunks of text into calls of `log`, one per complete line. */
function lineSplitter(log: (line: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) log(line);
  };
}
