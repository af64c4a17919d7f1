/** `npm start -- --exit --json` as a person runs it: real model servers, real pictures, the demo's batches. */
import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";

const root = path.join(import.meta.dirname, "../..");

const outcomeSchema = z.strictObject({
  batches: z.array(
    z.strictObject({
      task: z.string(),
      batch: z.string(),
      total: z.int(),
      machine: z.int(),
      review: z.int(),
      invalid: z.int(),
      failed: z.int(),
      decided: z.boolean(),
      final: z.boolean(),
    }),
  ),
  machineReviewRate: z.number(),
  openReviewTasks: z.int(),
  judgeCalls: z.int(),
  durationMs: z.int(),
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["infra/local/start.ts", ...args], {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1", LANG: "en", JUDGE_URL: "", CAPTIONER_URL: "", ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });

test("the demo decides everything, most of it by machine, and says so in one JSON line", async () => {
  const { code, stdout, stderr } = await start(["--exit", "--json"]);
  expect(code, stderr).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  const outcome = outcomeSchema.parse(JSON.parse(lines[0] ?? ""));
  const sum = (name: "total" | "machine" | "review" | "invalid" | "failed"): number =>
    outcome.batches.reduce((total, batch) => total + batch[name], 0);
  expect(outcome.batches.every(({ decided }) => decided)).toBe(true);
  expect(sum("total")).toBeGreaterThanOrEqual(120);
  expect(sum("machine") + sum("review") + sum("invalid") + sum("failed")).toBe(sum("total"));
  expect(sum("machine")).toBeGreaterThanOrEqual(sum("total") / 2);
  expect(sum("failed")).toBe(0);
  expect(outcome.openReviewTasks).toBeGreaterThanOrEqual(sum("review"));
  expect(stderr).toContain("not a language model");
  expect(stderr).toMatch(/uncertified/);
  expect(stderr).toMatch(/media\/pst-login-page\.jpg: the file is a web page/);
}, 240_000);

test("help and bad usage", async () => {
  const help = await start(["--help"]);
  expect(help.code).toBe(0);
  expect(help.stdout).toContain("--json");
  const bad = await start(["--port", "eighty"]);
  expect(bad.code).toBe(2);
  expect(bad.stderr).toMatch(/a port is a whole number/);
  const missing = await start(["./there-is-no-such-folder", "--exit"]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toMatch(/there-is-no-such-folder/);
}, 120_000);
