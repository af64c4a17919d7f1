/** For each row of the write order: the function is killed between the two writes, and nothing is lost or counted twice. */
import { setTimeout } from "node:timers/promises";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchId } from "@touchstone/core/schema/identity";
import { claimedReviewSchema } from "@touchstone/core/schema/review-api";
import { timing } from "@touchstone/core/timing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLease, isRecord } from "../item-writes.ts";
import { type EmbeddedPipeline, startEmbeddedPipeline } from "./embedded-pipeline.ts";
import { createKillSwitch, type KillPoint } from "./kill-points.ts";
import { batchLines, okTemplate } from "./ok-task.ts";

/** Small enough that no function of two busy cores runs into its time-out: that would be a kill nobody ordered. */
const timeScale = 30;
const samples = 40;

const point = (
  name: string,
  caller: string,
  made: KillPoint["made"],
  resource: RegExp,
  nth = 1,
): KillPoint => ({
  name,
  caller,
  made,
  resource,
  nth,
});

/** Points of one function are reached one after the other; `queue` is where its killed message waits. */
const rows: readonly {
  readonly queue: string;
  readonly points: readonly KillPoint[];
  readonly paidAgain: number;
}[] = [
  {
    queue: "uploads",
    paidAgain: 0,
    points: [
      point("INTAKE: batch row, before the first split row", "Intake", "PutItem", /Ledger/i),
      point("INTAKE: split row, before its messages", "Intake", "PutItem", /Ledger/i, 2),
      point("INTAKE: messages, before they are marked as sent", "Intake", "SendMessageBatch", /score/i),
      point("INTAKE: marked as sent, before the seal", "Intake", "UpdateItem", /Ledger/i),
    ],
  },
  {
    queue: "uploads",
    paidAgain: 0,
    points: [point("INTAKE: sealed, before the check", "Intake", "UpdateItem", /Ledger/i, 2)],
  },
  {
    queue: "score",
    // What was in flight in an invocation that died has been paid and is asked again: at most a batch per kill.
    paidAgain: 3 * 25,
    points: [
      point("SCORE: leased, before the call", "Score", isLease, /Samples/i),
      point("SCORE: recorded, before SETTLE hears of it", "Score", isRecord, /Samples/i),
      point("SCORE: SETTLE told, before the message is acknowledged", "Score", "SendMessageBatch", /settle/i),
    ],
  },
  {
    queue: "settle",
    paidAgain: 0,
    points: [
      point("SETTLE: review task, before its hint", "Settle", "PutItem", /Reviews/i),
      point("SETTLE: hint, before the ledger", "Settle", "SendMessageBatch", /review/i),
      point("SETTLE: ledger, before the metrics", "Settle", "PutItem", /Ledger/i),
    ],
  },
  {
    queue: "settle",
    paidAgain: 0,
    points: [
      point("SETTLE: part files, before the split is marked", "Settle", "PutObject", /parts\/.*tallies/),
      point("SETTLE: split marked, before the result files", "Settle", "UpdateItem", /Ledger/i),
      point("SETTLE: results, before the summary", "Settle", "PutObject", /run-1\/results\.jsonl/),
    ],
  },
  {
    queue: "settle",
    paidAgain: 0,
    points: [
      point("SETTLE: summary, before the batch is closed", "Settle", "PutObject", /run-1\/summary\.json/),
    ],
  },
];

const killSwitch = createKillSwitch();
let pipeline: EmbeddedPipeline;

beforeAll(async () => {
  pipeline = await startEmbeddedPipeline({ timeScale, taps: [killSwitch.tap] });
  killSwitch.killer = (functionId) => pipeline.stack.kill(functionId);
});
afterAll(() => pipeline?.stop());

const queueName = (part: string): string => {
  const name = Object.keys(pipeline.stack.queues()).find(
    (queue) => queue.toLowerCase().includes(part) && !/dlq|dead/i.test(queue),
  );
  if (name === undefined) throw new Error(`no queue is called ${part}`);
  return name;
};

/** Waits until the next point is reached, then lets lease and visibility of what the dead held pass. */
const reach = async (fired: number, queue: string): Promise<void> => {
  await expect.poll(() => killSwitch.fired.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(fired);
  // Visibility outlasts every lease; a message that came back sooner would find its own lease still alive.
  const lease = queue === "score" ? timing(timeScale).lease.sample * 1000 + 200 : 200;
  while (Date.now() - killSwitch.lastKillAt() < lease) await setTimeout(50);
  // Not what a living invocation holds since: on AWS that would stay hidden for six of its time-outs.
  pipeline.stack.lapse(queueName(queue), killSwitch.lastKillAt());
};

const submit = (batch: string): Promise<BatchId> =>
  pipeline.submit("ok", batch, { "template.yaml": okTemplate, "samples.jsonl": batchLines(batch, samples) });

/** What must hold of a batch however often its functions were killed. */
const expectWhole = async (batch: BatchId, prefix: string, paidAgain: number): Promise<void> => {
  const { connection, judge } = pipeline;
  const { counts } = await pipeline.sweepUntil(batch, ({ decided }) => decided, 15);
  expect(counts).toEqual({
    total: samples + 2,
    machine: samples - 4,
    review: 4,
    invalid: 2,
    failed: 0,
    reviewed: 0,
    audited: 0,
  });
  const key = `${resultFolder({ batch, run: 1 })}results.jsonl`;
  const { bytes } = await connection.blobs.read({ bucket: connection.resultsBucket, key }, 10_000_000);
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  expect(lines).toHaveLength(samples + 2);
  const calls = [...judge.calls].filter(([id]) => id.startsWith(`${prefix}-`)).map(([, count]) => count);
  expect(calls).toHaveLength(samples);
  const late = pipeline.log.filter((line) => /^ScoreFunction.*timed out/i.test(line)).length;
  expect(calls.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(samples + paidAgain + late * 25);
  const tasks: string[] = [];
  for await (const task of connection.reviews.undecided()) if (task.key.batch === batch) tasks.push(task.id);
  expect(tasks).toHaveLength(4);
};

test.each(
  rows.map((row, index) => ({ ...row, index, names: row.points.map(({ name }) => name).join(" · ") })),
)(
  "$names",
  async ({ queue, points, paidAgain, index }) => {
    const before = killSwitch.fired.length;
    const prefix = `row${index}`;
    killSwitch.arm(points);
    const batch = await submit(prefix);
    for (const [at] of points.entries()) await reach(before + at + 1, queue);
    await expectWhole(batch, prefix, paidAgain);
    expect(killSwitch.fired.slice(before).toSorted()).toEqual(points.map(({ name }) => name).toSorted());
  },
  180_000,
);

test("a verdict: REVIEW dies before SETTLE hears of it, SETTLE before and after it has marked it as heard", async () => {
  const { connection } = pipeline;
  const batch = await submit("reviewed");
  await pipeline.until(batch, ({ decided }) => decided);
  const answer = async (claimed: Awaited<ReturnType<typeof claim>>): Promise<number> =>
    (
      await connection.reviewApi("POST", "/v1/reviews/verdict", {
        reviewId: claimed.task.id,
        token: claimed.task.lease?.token,
        values: { ok: "N" },
      })
    ).status;
  const claim = async (reviewId: string) =>
    claimedReviewSchema.parse(
      (await connection.reviewApi("POST", "/v1/reviews/claim", { reviewer: "ann", reviewId })).body,
    );
  const ids: string[] = [];
  for await (const task of connection.reviews.undecided()) if (task.key.batch === batch) ids.push(task.id);
  const [first, ...others] = ids;
  if (first === undefined) throw new Error("there is nothing to review");
  const claimed = await claim(first);
  const before = killSwitch.fired.length;
  killSwitch.arm([
    point("REVIEW: verdict stored", "Review", "UpdateItem", /Reviews/i),
    point("SETTLE: ledger, before the verdict is marked as heard", "Settle", "PutItem", /Ledger/i),
    point("SETTLE: marked as heard, before the message is acknowledged", "Settle", "UpdateItem", /Reviews/i),
  ]);
  expect(await answer(claimed)).toBeGreaterThanOrEqual(500);
  // The person, who saw an error, sends the verdict again.
  await answer(claimed);
  for (const id of others) expect(await answer(await claim(id))).toBe(200);
  await reach(before + 2, "settle");
  await reach(before + 3, "settle");
  const { counts } = await pipeline.until(batch, ({ final }) => final);
  expect(counts).toMatchObject({ total: samples + 2, review: 4, reviewed: 4 });
}, 60_000);

test("metrics were published once for each sample that a killed SETTLE did not swallow", () => {
  const published = pipeline.stack.metrics.sum("Touchstone", "Samples", {});
  expect(published).toBeLessThanOrEqual((rows.length + 1) * (samples + 2));
  expect(published).toBeGreaterThan(samples);
});
