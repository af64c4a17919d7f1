/** A judge under pressure, on the embedded AWS: throttled or shut for seconds (minutes at this time scale), and nothing is lost. */
import { setTimeout } from "node:timers/promises";
import type { BatchId } from "@touchstone/core/schema/identity";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type EmbeddedPipeline, startEmbeddedPipeline } from "./embedded-pipeline.ts";
import { okTemplate } from "./ok-task.ts";

/** Less than elsewhere: a call that a busy machine lets run into its time-out would be an attempt. */
const timeScale = 20;
const samples = 60;
let pipeline: EmbeddedPipeline;

beforeAll(async () => {
  pipeline = await startEmbeddedPipeline({ timeScale });
});
afterAll(() => pipeline?.stop());
beforeEach(() => pipeline.judge.refuse(null));

const linesOf = (prefix: string): string =>
  Array.from({ length: samples }, (_, index) =>
    JSON.stringify({ id: `${prefix}-${index}`, output: `hello #${prefix}-${index}#` }),
  ).join("\n");
const submit = (prefix: string, template = okTemplate): Promise<BatchId> =>
  pipeline.submit("ok", prefix, { "template.yaml": template, "samples.jsonl": linesOf(prefix) });
const callsOf = (prefix: string): readonly number[] =>
  [...pipeline.judge.calls].filter(([id]) => id.startsWith(`${prefix}-`)).map(([, count]) => count);
const storedOf = (batch: BatchId) =>
  pipeline.connection.samples.read(
    Array.from({ length: samples }, (_, ordinal) => ({ batch, run: 1, split: 0, ordinal })),
  );
const breakerNow = () => pipeline.connection.breakers.read("judge");

test("throttled, then shut to its key, for seconds: all decided, no attempt used up, each sample paid once", async () => {
  const { judge } = pipeline;
  judge.refuse({ status: 429, headers: { "retry-after": "1" } });
  const batch = await submit("held");
  await expect.poll(breakerNow, { timeout: 20_000 }).toMatchObject({ state: "open", reason: "throttled" });
  judge.refuse({ status: 401 });
  await expect.poll(breakerNow, { timeout: 20_000 }).toMatchObject({ state: "open", reason: "unusable" });
  const probed = judge.refusals.length;
  await setTimeout(3_000);
  // Once it is open, one call at a time is tried, a second apart at the least.
  expect(judge.refusals.length - probed).toBeLessThanOrEqual(3);
  judge.refuse(null);
  const { counts } = await pipeline.until(batch, ({ decided }) => decided, 60);
  expect(counts).toMatchObject({ total: samples, machine: samples, failed: 0 });
  expect((await storedOf(batch)).map((sample) => sample?.attempts)).toEqual(
    Array.from({ length: samples }, () => 0),
  );
  expect(callsOf("held")).toEqual(Array.from({ length: samples }, () => 1));
  expect(await breakerNow()).toMatchObject({ state: "closed", failing: [] });
}, 90_000);

test("a budget: stops at its limit without failing anybody, says so, and goes on when it is raised", async () => {
  const { stack, connection } = pipeline;
  const batch = await submit("money", `${okTemplate}budget: { judgeCallsPerBatch: 20 }\n`);
  await pipeline.until(batch, ({ counts }) => counts.machine === 20, 30);
  await expect
    .poll(
      () =>
        Object.values(stack.queues()).every((queue) => queue.visible + queue.inFlight + queue.delayed === 0),
      { timeout: 20_000 },
    )
    .toBe(true);
  expect(callsOf("money")).toHaveLength(20);
  const [budget] = await connection.budgets.read(batch, 1);
  expect(budget).toMatchObject({ limit: 20, left: 0 });
  if (!budget) throw new Error("no budget");
  await connection.budgets.setLimit(budget, samples, 20, Date.now());
  const sweeper = stack.functions().find(({ id }) => /Sweep/.test(id));
  await stack.invoke(sweeper?.id ?? "", {});
  const { counts } = await pipeline.until(batch, ({ decided }) => decided, 30);
  expect(counts).toMatchObject({ total: samples, machine: samples, failed: 0 });
  expect(callsOf("money")).toEqual(Array.from({ length: samples }, () => 1));
}, 90_000);
