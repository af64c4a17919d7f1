/** The Lambda runtime inside one worker thread: loads a handler from its deployed bundle and answers invocations. */
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { FromWorker, OutputChunk, RuntimeSettings, ToWorker } from "./worker-messages.ts";

const settings: RuntimeSettings = workerData;
const port = parentPort;
if (port === null) throw new Error("runtime-worker.ts runs only as a worker thread");
const post = (message: FromWorker) => port.postMessage(message);

let pending: OutputChunk[] = [];
captureOutput(process.stdout, "stdout");
captureOutput(process.stderr, "stderr");
confineImports(settings.roots);

try {
  const handler = await loadHandler();
  port.on("message", (message: ToWorker) => void answer(handler, message));
  post({ kind: "ready" });
} catch (error) {
  post({ kind: "init-failed", ...describe(error) });
}

type Handler = (event: unknown, context: object) => unknown;

async function loadHandler(): Promise<Handler> {
  const module: Record<string, unknown> = await import(pathToFileURL(settings.handlerFile).href);
  const handler = module[settings.handlerName];
  if (typeof handler !== "function")
    throw new Error(`${settings.handlerFile} exports no ${settings.handlerName}`);
  if (handler.length > 2)
    throw new Error("the handler declares a callback parameter, which nodejs24.x refuses: return a promise");
  return (event, context) => handler(event, context);
}

async function answer(handler: Handler, message: ToWorker): Promise<void> {
  const deadline = Date.now() + message.timeoutMs;
  const context = {
    functionName: settings.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: settings.functionArn,
    memoryLimitInMB: String(settings.memoryMb),
    awsRequestId: message.requestId,
    logGroupName: `/aws/lambda/${settings.functionName}`,
    logStreamName: "embedded",
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    const result = await handler(JSON.parse(message.payload), context);
    flushOutput();
    post({ kind: "result", payload: JSON.stringify(result) ?? "null" });
  } catch (error) {
    flushOutput();
    post({ kind: "thrown", ...describe(error) });
  }
}

function describe(error: unknown): { errorType: string; errorMessage: string; trace: string } {
  if (error instanceof Error)
    return { errorType: error.name, errorMessage: error.message, trace: error.stack ?? error.message };
  const text = typeof error === "string" ? error : (JSON.stringify(error) ?? String(error));
  return { errorType: "Error", errorMessage: text, trace: text };
}

/** Output travels with the results, on one port, so that a line is never seen after the answer it preceded. */
function captureOutput(stream: NodeJS.WriteStream, name: "stdout" | "stderr"): void {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (pending.length === 0) queueMicrotask(flushOutput);
    pending.push({ stream: name, text: typeof chunk === "string" ? chunk : Buffer.from(chunk).toString() });
    const done = rest.at(-1);
    if (typeof done === "function") queueMicrotask(() => done());
    return true;
  };
}

function flushOutput(): void {
  if (pending.length === 0) return;
  post({ kind: "output", chunks: pending });
  pending = [];
}

/** A bundle that would not find a module in the cloud must not find it in some folder of this machine. */
function confineImports(roots: readonly string[]): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      if (!resolved.url.startsWith("file:")) return resolved;
      const file = fileURLToPath(resolved.url);
      if (roots.some((root) => file.startsWith(root))) return resolved;
      throw new Error(
        `${specifier} is neither in the bundle nor in a layer of ${settings.functionName} (it was found at ${file}): bundle it`,
      );
    },
  });
}
