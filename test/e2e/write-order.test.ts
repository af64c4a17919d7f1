/** For each row of the write order: the function is killed between the two writes, and nothing is lost or counted twice. */
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import { creationEvent } from "@touchstone/core/domain/intake/creation-event";
import type { BatchId } from "@touchstone/core/schema/identity";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqsClient } from "../../functions/_aws/clients.ts";
import { placesOf } from "../../infra/cli/outputs.ts";
import { type EmbeddedPipeline, startEmbeddedPipeline } from "./embedded-pipeline.ts";
import { createKillSwitch, type KillPoint } from "./kill-points.ts";
import { batchLines, okTemplate } from "./ok-task.ts";

const at = (caller: string, operation: string, resource: RegExp, nth: number, name: string): KillPoint => ({
  caller,
  operation,
  resource,
  nth,
  name,
});

const intakePoints = [
  at("Intake", "PutItem", /Ledger/i, 1, "INTAKE: batch row, before the first split row"),
  at("Intake", "PutItem", /Ledger/i, 2, "INTAKE: split row, before its messages"),
  at("Intake", "SendMessageBatch", /score/i, 1, "INTAKE: messages, before they are marked as sent"),
  at("Intake", "UpdateItem", /Ledger/i, 1, "INTAKE: marked as sent, before the seal"),
  at("Intake", "UpdateItem", /Ledger/i, 2, "INTAKE: sealed, before the check"),
];
const scorePoints = [
  at("Score", "UpdateItem", /Samples/i, 1, "SCORE: leased, before the call"),
  at("Score", "UpdateItem", /Samples/i, 40, "SCORE: recorded, before SETTLE hears of it"),
  at("Score", "SendMessageBatch", /settle/i, 5, "SCORE: SETTLE told, before the message is acknowledged"),
];
const settleFirst = [
  at("Settle", "PutItem", /Reviews/i, 1, "SETTLE: review task, before its hint"),
  at("Settle", "SendMessageBatch", /review/i, 1, "SETTLE: hint, before the ledger"),
  at("Settle", "PutItem", /Ledger/i, 1, "SETTLE: ledger, before the metrics"),
];
const settleLast = [
  at("Settle", "PutObject", /parts\/.*tallies/, 1, "SETTLE: part files, before the split is marked done"),
  at("Settle", "UpdateItem", /Ledger/i, 1, "SETTLE: split done, before the result files"),
  at("Settle", "PutObject", /run-1\/results\.jsonl/, 1, "SETTLE: results, before the summary"),
  at("Settle", "PutObject", /run-1\/summary\.json/, 1, "SETTLE: summary, before the batch is closed"),
];
const reviewPoints = [at("Review", "UpdateItem", /Reviews/i, 2, "REVIEW: verdict stored, before SETTLE hears of it")];

const killSwitch = createKillSwitch();
const samples = 40;
let pipeline: EmbeddedPipeline;

beforeAll(async () => {
  pipeline = await startEmbeddedPipeline({ timeScale: 120, taps: [killSwitch.tap] });
  killSwitch.killer = (functionId) => pipeline.stack.kill(functionId);
});
afterAll(() => pipeline?.stop());

const run = async (batch: string, points: readonly KillPoint[]): Promise<BatchId> => {
  killSwitch.arm(points);
  return pipeline.submit("ok", batch, { "template.yaml": okTemplate, "samples.jsonl": batchLines(batch, samples) });
};

/** What must hold of a batch however often its functions were killed. */
const expectWhole = async (batch: BatchId, prefix: string, extraCalls: number): Promise<void> => {
  const view = await pipeline.until(batch, ({ decided }) => decided);
  expect(view.counts).toMatchObject({ total: samples + 2, machine: samples - 4, review: 4, invalid: 2, failed: 0 });
  const folder = resultFolder({ batch, run: 1 });
  const { bytes } = await pipeline.connection.blobs.read(
    { bucket: pipeline.connection.resultsBucket, key: `${folder}results.jsonl` },
    10_000_000,
  );
  const ids = [...new TextDecoder().decode(bytes).matchAll(/^\{"schema":1,"sampleId":"([^"]+)"/gm)].map(([, id]) => id);
  expect(ids).toHaveLength(samples + 2);
  expect(new Set(ids).size).toBe(samples + 1); // the second line of a repeated id is an invalid one
  const calls = [...pipeline.judge.calls].filter(([id]) => id.startsWith(`${prefix}-`)).map(([, count]) => count);
  expect(calls).toHaveLength(samples);
  expect(calls.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(samples + extraCalls);
  const reviews = [];
  for await (const task of pipeline.connection.reviews.undecided()) if (task.key.batch === batch) reviews.push(task.id);
  expect(reviews).toHaveLength(4);
};

describe("INTAKE and SCORE", () => {
  test("killed at every point, the batch is whole, and what was paid is paid once", async () => {
    const batch = await run("intake", intakePoints);
    const { queues } = placesOf(pipeline.stack.outputs);
    const announce = async (): Promise<void> => {
      const record = await pipeline.connection.ledger.batch(batch, 1);
      if (!record || record.sealed) return;
      // S3 delivers at least once; a second event stands in for the long visibility time-out of the first.
      const body = JSON.stringify(creationEvent(record));
      await sqsClient().send(new SendMessageCommand({ QueueUrl: queues.uploads.url, MessageBody: body }));
    };
    for (const [index] of intakePoints.entries()) {
      await expect.poll(() => killSwitch.fired.length, { timeout: 20_000 }).toBeGreaterThan(index);
      await announce();
    }
    await expectWhole(batch, "intake", 0);
  });

  test("SCORE", async () => {
    const before = killSwitch.fired.length;
    const batch = await run("score", scorePoints);
    await expect.poll(() => killSwitch.fired.length, { timeout: 60_000 }).toBe(before + scorePoints.length);
    await expectWhole(batch, "score", 3 * 25);
  });
});

describe("SETTLE and REVIEW", () => {
  test("SETTLE up to the ledger", async () => {
    const before = killSwitch.fired.length;
    const batch = await run("settle-1", settleFirst);
    await expect.poll(() => killSwitch.fired.length, { timeout: 60_000 }).toBe(before + settleFirst.length);
    await expectWhole(batch, "settle-1", 0);
  });

  test("SETTLE from the part files to the close; then REVIEW", async () => {
    const before = killSwitch.fired.length;
    const batch = await run("settle-2", settleLast);
    await expect.poll(() => killSwitch.fired.length, { timeout: 60_000 }).toBe(before + settleLast.length);
    await expectWhole(batch, "settle-2", 0);
  });
});

test("every point was reached", () => {
  const points = [...intakePoints, ...scorePoints, ...settleFirst, ...settleLast];
  expect(new Set(killSwitch.fired)).toEqual(new Set(points.map(({ name }) => name)));
  expect(reviewPoints).toHaveLength(1);
});
