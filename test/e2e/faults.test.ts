/** A judge that answers garbage or errors, and messages that vanish: each sample ends in the right state, its neighbours untouched. */
import { PurgeQueueCommand } from "@aws-sdk/client-sqs";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchId } from "@touchstone/core/schema/identity";
import { resultSchema } from "@touchstone/core/schema/result";
import { timing } from "@touchstone/core/timing";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { sqsClient } from "../../functions/_aws/clients.ts";
import { placesOf } from "../../infra/cli/outputs.ts";
import { type EmbeddedPipeline, startEmbeddedPipeline } from "./embedded-pipeline.ts";
import { createKillSwitch } from "./kill-points.ts";
import { batchLines, okTemplate } from "./ok-task.ts";

const timeScale = 60;
const killSwitch = createKillSwitch();
let pipeline: EmbeddedPipeline;

beforeAll(async () => {
  pipeline = await startEmbeddedPipeline({ timeScale, taps: [killSwitch.tap] });
  killSwitch.killer = (functionId) => pipeline.stack.kill(functionId);
});
afterAll(() => pipeline?.stop());

const lineSchema = z.looseObject(resultSchema.shape);
const resultsOf = async (batch: BatchId) => {
  const key = `${resultFolder({ batch, run: 1 })}results.jsonl`;
  const { bytes } = await pipeline.connection.blobs.read(
    { bucket: pipeline.connection.resultsBucket, key },
    10_000_000,
  );
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const result = lineSchema.parse(JSON.parse(line));
      return [result.sampleId, result] as const;
    }),
  );
};

test("garbage goes to a person, a judge that always fails ends as failed, and the others are untouched", async () => {
  const samples = [
    { id: "good", output: "#good# hello" },
    { id: "garbage", output: "#garbage# (garbage)" },
    { id: "broken", output: "#broken# (broken)" },
    { id: "unsure", output: "#unsure# (unsure)" },
  ];
  const lines = samples.map((sample) => JSON.stringify(sample)).join("\n");
  const batch = await pipeline.submit("ok", "faults", {
    "template.yaml": okTemplate,
    "samples.jsonl": lines,
  });
  await pipeline.until(batch, ({ decided }) => decided, 90);
  const results = await resultsOf(batch);
  const ends = [...results].map(([id, { decision, reasons }]) => [id, decision, reasons[0]?.code]);
  expect(ends).toEqual([
    ["good", "machine", "confident"],
    ["garbage", "review", "answer-unreadable"],
    ["broken", "failed", "gave-up"],
    ["unsure", "review", "low-confidence"],
  ]);
  expect(results.get("garbage")?.fields.every(({ value }) => value === null)).toBe(true);
  expect(results.get("broken")?.fields).toEqual([]);
  expect(pipeline.judge.calls.get("garbage")).toBe(2);
  expect(pipeline.judge.calls.get("good")).toBe(1);
}, 120_000);

test("messages that vanish are found by SWEEP, killed between the re-send and its note; nothing is paid twice", async () => {
  const { stack } = pipeline;
  stack.pause();
  const samples = 20;
  const batch = await pipeline.submit("ok", "vanished", {
    "template.yaml": okTemplate,
    "samples.jsonl": batchLines("vanished", samples),
  });
  const { queues } = placesOf(stack.outputs);
  // Only INTAKE runs; what it sends to SCORE is lost.
  await stack.invoke(nameOf("Intake"), await uploadsEvent(batch));
  await sqsClient().send(new PurgeQueueCommand({ QueueUrl: queues.score.url }));
  stack.resume();
  killSwitch.arm([
    {
      name: "SWEEP: sent again, before the note",
      caller: "Sweep",
      made: "SendMessageBatch",
      resource: /score/i,
      nth: 1,
    },
  ]);
  const quiet = timing(timeScale).sweep.quietAfter * 1000;
  await new Promise((resolve) => setTimeout(resolve, quiet + 500));
  await expect(stack.invoke(nameOf("Sweep"), {})).rejects.toThrow();
  // What it had sent by then arrives; the rest has been silent for as long again before it is sent.
  const { counts } = await pipeline.sweepUntil(batch, ({ decided }) => decided, 3);
  expect(counts).toMatchObject({
    total: samples + 2,
    machine: samples - 4,
    review: 4,
    invalid: 2,
    failed: 0,
  });
  const calls = [...pipeline.judge.calls].filter(([id]) => id.startsWith("vanished-"));
  expect(calls.every(([, count]) => count === 1)).toBe(true);
}, 180_000);

const nameOf = (part: string): string => {
  const found = pipeline.stack.functions().find(({ id }) => id.includes(part));
  if (!found) throw new Error(`there is no function ${part}`);
  return found.id;
};

/** The batch's own creation event, in the shape in which Lambda hands SQS messages to a function. */
const uploadsEvent = async (batch: BatchId): Promise<object> => {
  const [key, versionId] = batch.split("@");
  const record = {
    eventSource: "aws:s3",
    eventName: "ObjectCreated:Put",
    eventTime: new Date().toISOString(),
    s3: {
      bucket: { name: pipeline.connection.uploadsBucket },
      object: { key: `inbox/${key}`, size: 1, versionId },
    },
  };
  return {
    Records: [{ messageId: "m-1", body: JSON.stringify({ Records: [record] }), eventSourceARN: "uploads" }],
  };
};
