/** `npm run synth` as people run it: without an account, the same every time, with answers to mistakes. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { buildApp } from "../../infra/app.ts";
import { configFrom } from "../../infra/config.ts";
import { scratch } from "./declared.ts";

const root = path.resolve(import.meta.dirname, "../..");
const strategyImage = path.join(import.meta.dirname, "stub/image");

const templatesIn = async (build: string): Promise<readonly string[]> => {
  const app = await buildApp(configFrom({ native: "host" }), scratch(), { build, strategyImage });
  return Promise.all(app.synth().stacks.map((stack) => readFile(stack.templateFullPath, "utf8")));
};

test("two syntheses, built in different places, give the same templates", async () => {
  const first = await templatesIn(scratch());
  const second = await templatesIn(scratch());
  expect(first).toHaveLength(4);
  expect(second).toEqual(first);
});

const synth = (...flags: readonly string[]) =>
  promisify(execFile)(process.execPath, [path.join(root, "infra/synth.ts"), ...flags], {
    cwd: scratch(),
    env: { PATH: process.env.PATH },
  });

test("--help names the flags", async () => {
  const { stdout } = await synth("--help");
  for (const flag of ["--stage", "--native", "--time-scale", "--out"]) expect(stdout).toContain(flag);
});

test("a wrong value fails with its name, before anything is built", async () => {
  await expect(synth("--time-scale", "fast")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("timeScale"),
  });
});
