/** A model container as a child process: its image directory's `serve.ts`, until it answers `GET /ping`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

export interface Container {
  readonly url: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** SageMaker waits this long for a container's first healthy ping by default. */
const healthLimitMs = 8 * 60_000;

/** Starts `node serve.ts` in `directory`; throws when it ends, or answers no ping, before the limit. */
export async function startContainer(options: {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<Container> {
  const port = await freePort();
  const child = spawn(process.execPath, ["serve.ts"], {
    cwd: options.directory,
    env: { PATH: process.env.PATH, ...options.environment, SAGEMAKER_BIND_TO_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", options.log);
  // A runner that dies without stopping its containers should not leave them behind.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilHealthy(url, child, options.signal);
  } catch (error) {
    await stop(child);
    throw new Error(
      `container ${options.directory}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return { url, pid: child.pid, stop: () => stop(child) };
}

async function untilHealthy(
  url: string,
  child: ChildProcess,
  signal: AbortSignal | undefined,
): Promise<void> {
  await once(child, "spawn");
  const deadline = performance.now() + healthLimitMs;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    if (child.exitCode !== null)
      throw new Error(`serve.ts ended with code ${child.exitCode} before it was healthy`);
    const healthy = await fetch(`${url}/ping`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return;
    await setTimeout(50);
  }
  throw new Error(`no healthy answer to GET /ping within ${healthLimitMs / 1000} s`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const force = globalThis.setTimeout(() => child.kill("SIGKILL"), 3_000);
  await ended;
  clearTimeout(force);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port found");
  return address.port;
}
