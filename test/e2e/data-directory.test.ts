/** `npm start -- --data-dir`: killed in the middle of a batch and started again, it goes on; nothing is lost or doubled. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltAssembly, buildAssembly } from "./embedded-pipeline.ts";
import { batchLines, okTemplate } from "./ok-task.ts";
import { type ScriptedJudge, startScriptedJudge } from "./scripted-judge.ts";

const root = path.join(import.meta.dirname, "../..");
const samples = 80;
/** Visibility 13 s, leases 3 s. */
const timeScale = 60;

const children: ChildProcess[] = [];
let directory: string;
let assembly: BuiltAssembly;
let judge: ScriptedJudge;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "touchstone-data-"));
  await mkdir(path.join(directory, "batch"));
  await writeFile(path.join(directory, "batch/template.yaml"), okTemplate);
  await writeFile(path.join(directory, "batch/samples.jsonl"), batchLines("kept", samples));
  [assembly, judge] = await Promise.all([buildAssembly(timeScale), startScriptedJudge({ latencyMs: 300 })]);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await judge?.close();
  await assembly?.remove();
  await rm(directory, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
}

const start = (...args: readonly string[]): Run => {
  const child = spawn(
    process.execPath,
    [
      "infra/local/start.ts",
      ...args,
      "--data-dir",
      path.join(directory, "data"),
      "--assembly",
      assembly.directory,
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        NO_COLOR: "1",
        LANG: "en",
        JUDGE_URL: judge.url,
        JUDGE_MODEL: "scripted-judge",
        CAPTIONER_URL: judge.url,
      },
    },
  );
  children.push(child);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: Buffer) => {
      output[name] += chunk.toString();
    });
  return { child, output };
};

const ended = async ({ child }: Run): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
};

/** Key and version id of everything in the uploads bucket, from the disk itself. */
const uploadedVersions = async (): Promise<readonly string[]> => {
  const buckets = path.join(directory, "data/s3/buckets");
  const uploads = (await readdir(buckets)).find((name) => name.includes("uploads")) ?? "";
  const files = await readdir(path.join(buckets, uploads, "objects"), { recursive: true });
  const records = await Promise.all(
    files
      .filter((file) => file.endsWith(".json"))
      .map((file) => readFile(path.join(buckets, uploads, "objects", file), "utf8")),
  );
  return records
    .map((text) => {
      const { key, versionId } = Object(JSON.parse(text));
      return `${key}@${versionId}`;
    })
    .sort();
};

test("a run that is killed goes on at the next start, and a second process is refused", async () => {
  // However fast the machine, the process dies in mid-batch: half of it is never answered.
  judge.answerUpTo(30);
  const first = start(path.join(directory, "batch"), "--task", "ok");
  await expect
    .poll(() => judge.calls.size, { timeout: 60_000, message: first.output.stderr })
    .toBeGreaterThan(30);
  const second = start("--exit");
  expect(await ended(second)).toBe(1);
  expect(second.output.stderr).toMatch(
    new RegExp(`data directory .*data is in use by process ${first.child.pid}: .*--data-dir`),
  );
  const versions = await uploadedVersions();
  first.child.kill("SIGKILL");
  await ended(first);
  judge.answerUpTo(Number.POSITIVE_INFINITY);

  const third = start("--exit", "--json");
  expect(await ended(third), third.output.stderr).toBe(0);
  expect(third.output.stderr).toMatch(/Going on with 1 unfinished batch;/);
  expect(third.output.stderr).toMatch(/the demo is not submitted again/);
  const { batches } = Object(JSON.parse(third.output.stdout));
  expect(batches).toEqual([
    {
      task: "ok",
      batch: expect.stringMatching(/^batch-/),
      total: samples + 2,
      machine: samples - 4,
      review: 4,
      invalid: 2,
      failed: 0,
      decided: true,
      final: false,
    },
  ]);
  expect(await uploadedVersions()).toEqual(versions);
  const calls = [...judge.calls.values()];
  expect(calls).toHaveLength(samples);
  // Two workers of 25 samples each may have been asking when the process died.
  expect(calls.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(samples + 125);
}, 120_000);
