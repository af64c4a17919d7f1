/** The whole pipeline for benches: the synthesised app on the embedded AWS, the fixed judge in a process of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildApp } from "../../infra/app.ts";
import { type Connection, openConnection } from "../../infra/cli/connection.ts";
import { writeSession } from "../../infra/cli/session.ts";
import { configFrom } from "../../infra/config.ts";
import type { CallCount } from "../../infra/local/recorder.ts";
import { type EmbeddedStack, startStack } from "../../infra/local/stack.ts";
import type { ServiceCall, ServiceReply } from "../../infra/local/tap.ts";
import { benchTemplate } from "./bench-task.ts";
import { type ChildServer, startChildServer } from "./child-server.ts";

export interface BatchRun {
  /** From the upload's first byte until `summary.json` stands. */
  readonly seconds: number;
  /** Folder of the result files, with a slash at its end. */
  readonly folder: string;
  /** Of every function's threads, milliseconds. */
  readonly handlerCpuMs: number;
  /** The same by the function's name in the template, such as `Score`. */
  readonly cpuByFunction: Readonly<Record<string, number>>;
  /** Of this process's main thread: emulators and pollers. */
  readonly emulatorCpuMs: number;
  /** Of Node's helper threads: garbage collection, compilation, file system. */
  readonly helperCpuMs: number;
  readonly calls: readonly CallCount[];
}

export interface BenchPipeline {
  readonly stack: EmbeddedStack;
  /** Directory of the cloud assembly that runs. */
  readonly assembly: string;
  readonly connection: Connection;
  readonly judge: ChildServer;
  /** Uploads one file and waits for its result files. */
  runBatch(name: string, lines: string): Promise<BatchRun>;
  stop(): Promise<void>;
}

export async function startBenchPipeline(options: {
  readonly judgeLatencyMs: number;
  readonly concurrency: number;
  /** What the judge says of every sample; a short sentence by default. */
  readonly explanation?: string;
  /** Alternatives of each token of the judge's answers. */
  readonly alternatives?: number;
  readonly say: (line: string) => void;
}): Promise<BenchPipeline> {
  const directory = await mkdtemp(path.join(tmpdir(), "touchstone-bench-"));
  const { assembly, build } = await synthesise(options.say);
  const judge = await startChildServer(new URL("./fixed-judge.ts", import.meta.url), [
    "--latency",
    String(options.judgeLatencyMs),
    "--concurrency",
    String(options.concurrency),
    ...(options.explanation === undefined ? [] : ["--explanation", options.explanation]),
    ...(options.alternatives === undefined ? [] : ["--alternatives", String(options.alternatives)]),
  ]);
  const summaries = new Map<string, (key: string) => void>();
  const watchSummaries = (call: ServiceCall, reply: ServiceReply): void => {
    if (call.operation !== "PutObject" || !call.resource.endsWith("/summary.json") || reply.status !== 200)
      return;
    for (const [name, done] of summaries) if (call.resource.includes(`/bench/${name}/`)) done(call.resource);
  };
  const url = `${judge.url}/v1`;
  options.say("starting the embedded AWS");
  const stack = await startStack({
    assembly,
    environment: { JUDGE_URL: url, JUDGE_MODEL: "fixed-judge", CAPTIONER_URL: url, CAPTIONER_MODEL: "none" },
    taps: [{ after: watchSummaries }],
    log: (source, line) => {
      if (line.includes('"level":"ERROR"') || line.startsWith("ERROR")) options.say(`${source}: ${line}`);
    },
  });
  const connection = await connect(stack, directory);
  await connection.blobs.write(
    { bucket: connection.uploadsBucket, key: "templates/bench/template.yaml" },
    benchTemplate(options.alternatives),
    "application/yaml",
  );

  return {
    stack,
    assembly,
    connection,
    judge,
    async runBatch(name, lines) {
      const bucket = connection.uploadsBucket;
      const summary = new Promise<string>((resolve) => summaries.set(name, resolve));
      stack.recorder.reset();
      const before = await cpuTimes(stack);
      const started = performance.now();
      await connection.blobs.write(
        { bucket, key: `inbox/bench/${name}/samples.jsonl` },
        lines,
        "application/jsonl",
      );
      const key = await summary;
      const seconds = (performance.now() - started) / 1000;
      const after = await cpuTimes(stack);
      summaries.delete(name);
      return {
        seconds,
        folder: key.slice(key.indexOf("/") + 1, key.lastIndexOf("/") + 1),
        handlerCpuMs: after.handlers - before.handlers,
        cpuByFunction: Object.fromEntries(
          Object.entries(after.byFunction).map(([id, ms]) => [
            id.replace(/Function.*/, ""),
            ms - (before.byFunction[id] ?? 0),
          ]),
        ),
        emulatorCpuMs: after.main - before.main,
        helperCpuMs:
          after.process - before.process - (after.main - before.main) - (after.handlers - before.handlers),
        calls: stack.recorder.calls(),
      };
    },
    async stop() {
      connection.close();
      await stack.stop();
      await judge.stop();
      await rm(directory, { recursive: true, force: true });
      await rm(build, { recursive: true, force: true });
    },
  };
}

/** Bundles and templates as `npm start` makes them, in a directory of their own below the project. */
async function synthesise(say: (line: string) => void): Promise<{ assembly: string; build: string }> {
  say("synthesising");
  // Below the project, so that the bundled container of the strategy endpoint finds its packages.
  const build = await mkdtemp(path.join(import.meta.dirname, "../../.build-e2e-"));
  const app = await buildApp(configFrom({ native: "host" }), path.join(build, "cdk.out"), {
    build: path.join(build, "parts"),
  });
  return { assembly: app.synth().directory, build };
}

async function connect(stack: EmbeddedStack, directory: string): Promise<Connection> {
  const sessionFile = path.join(directory, "session.json");
  const { accessKeyId, secretAccessKey } = stack.credentials;
  await writeSession(sessionFile, {
    schema: 1,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    region: stack.region,
    endpoints: stack.endpoints,
    credentials: { accessKeyId, secretAccessKey },
    outputs: stack.outputs,
  });
  return openConnection({ embedded: true, sessionFile });
}

interface CpuTimes {
  readonly byFunction: Readonly<Record<string, number>>;
  readonly handlers: number;
  readonly main: number;
  readonly process: number;
}

async function cpuTimes(stack: EmbeddedStack): Promise<CpuTimes> {
  const total = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
  const byFunction = await stack.cpuMs();
  return {
    byFunction,
    handlers: Object.values(byFunction).reduce((sum, ms) => sum + ms, 0),
    main: total(process.threadCpuUsage()),
    process: total(process.cpuUsage()),
  };
}
