/** The whole pipeline for end-to-end tests: the synthesised app on the embedded AWS, with a scripted judge. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { BatchId } from "@touchstone/core/schema/identity";
import { buildApp } from "../../infra/app.ts";
import { type BatchView, batchView } from "../../infra/cli/batch-view.ts";
import { type Connection, openConnection } from "../../infra/cli/connection.ts";
import { writeSession } from "../../infra/cli/session.ts";
import { submitFolder } from "../../infra/cli/submit-folder.ts";
import { configFrom } from "../../infra/config.ts";
import { type EmbeddedStack, type StackOptions, startStack } from "../../infra/local/stack.ts";
import type { Tap } from "../../infra/local/tap.ts";
import { type ScriptedJudge, startScriptedJudge } from "./scripted-judge.ts";

export interface EmbeddedPipeline {
  readonly stack: EmbeddedStack;
  readonly connection: Connection;
  readonly judge: ScriptedJudge;
  readonly directory: string;
  readonly log: readonly string[];
  /** Writes a folder and submits it; returns the id of its one batch. */
  submit(task: string, batch: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<BatchId>;
  /** Waits until the view of the batch satisfies the test; fails with what stood at the end. */
  until(batch: BatchId, isDone: (view: BatchView) => boolean, seconds?: number): Promise<BatchView>;
  /**
   * The same, with SWEEP called every so many seconds: what a dead worker's lease swallowed is healed by it, here as on
   * AWS, and its schedule is slower than any test.
   */
  sweepUntil(batch: BatchId, isDone: (view: BatchView) => boolean, every: number): Promise<BatchView>;
  stop(): Promise<void>;
}

export interface BuiltAssembly {
  readonly directory: string;
  remove(): Promise<void>;
}

/** The synthesised app with every duration divided by `timeScale`. */
export const buildAssembly = async (timeScale: number): Promise<BuiltAssembly> => {
  // Below the project, so that the bundled container of the strategy endpoint finds its packages.
  const build = await mkdtemp(path.join(import.meta.dirname, "../../.build-e2e-"));
  const config = configFrom({ native: "host", timeScale });
  const app = await buildApp(config, path.join(build, "cdk.out"), { build: path.join(build, "parts") });
  return {
    directory: app.synth().directory,
    remove: () => rm(build, { recursive: true, force: true }),
  };
};

export const startEmbeddedPipeline = async (options: {
  readonly timeScale: number;
  readonly taps?: readonly Tap[];
  /** What the stack is started with besides; the judge too may be another. */
  readonly stack?: Partial<StackOptions>;
}): Promise<EmbeddedPipeline> => {
  const directory = await mkdtemp(path.join(tmpdir(), "touchstone-e2e-"));
  const assembly = await buildAssembly(options.timeScale);
  const judge = await startScriptedJudge();
  const log: string[] = [];
  const stack = await startStack({
    assembly: assembly.directory,
    // Schedules would heal what a test wants to see healed by redelivery alone; tests call SWEEP themselves.
    timeScale: 1,
    taps: options.taps ?? [],
    log: (source, line) => log.push(`${source}: ${line}`),
    ...options.stack,
    environment: {
      JUDGE_URL: judge.url,
      JUDGE_MODEL: "scripted-judge",
      CAPTIONER_URL: judge.url,
      CAPTIONER_MODEL: "none",
      ...options.stack?.environment,
    },
  });
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
  const connection = await openConnection({ embedded: true, sessionFile });

  const until: EmbeddedPipeline["until"] = async (batch, isDone, seconds = 60) => {
    let view: BatchView | null = null;
    for (let waited = 0; waited < seconds * 10; waited += 1) {
      const record = await connection.ledger.batch(batch, 1);
      view = record ? await batchView(connection, record) : null;
      if (view && isDone(view)) return view;
      await setTimeout(100);
    }
    throw new Error(
      `after ${seconds} s: ${JSON.stringify(view)}\nqueues: ${JSON.stringify(stack.queues())}\n${log.slice(-20).join("\n")}`,
    );
  };

  return {
    stack,
    connection,
    judge,
    directory,
    log,
    async submit(task, batch, files) {
      const dir = path.join(directory, task, batch);
      for (const [name, content] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(dir, name)), { recursive: true });
        await writeFile(path.join(dir, name), content);
      }
      const { files: sent } = await submitFolder(connection, dir, { task, batch });
      const [first] = sent;
      if (!first) throw new Error("the folder held no batch file");
      return first.batchId;
    },
    until,
    async sweepUntil(batch, isDone, every) {
      const sweep = stack.functions().find(({ id }) => id.includes("Sweep"))?.id ?? "";
      const done = new AbortController();
      const sweeping = (async () => {
        for (;;) {
          await setTimeout(every * 1000, undefined, { signal: done.signal });
          await stack.invoke(sweep, {});
        }
      })().catch((error: unknown) => {
        if (!done.signal.aborted) throw error;
      });
      try {
        return await until(batch, isDone, 120);
      } finally {
        done.abort();
        await sweeping;
      }
    },
    async stop() {
      connection.close();
      await stack.stop();
      await judge.close();
      await rm(directory, { recursive: true, force: true });
      await assembly.remove();
    },
  };
};
