/** What the SQS sender does when SQS takes only part of a call, or none of it. */
import {
  type SendMessageBatchCommandInput,
  type SendMessageBatchCommandOutput,
  SQSServiceException,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeEach, expect, test } from "vitest";
import { sqsClient } from "../../functions/_aws/clients.ts";
import { sqsSender } from "../../functions/_aws/sqs-sender.ts";
import { type LocalSqs, startSqs } from "../contract/local-sqs.ts";

type Failed = NonNullable<SendMessageBatchCommandOutput["Failed"]>[number];
/** What becomes of one call: these entries fail, or all of it does. */
type Verdict = { readonly fail: readonly Failed[] } | { readonly throws: Error };

let sqs: LocalSqs;
let verdicts: ((input: SendMessageBatchCommandInput) => Verdict)[] = [];
let calls: SendMessageBatchCommandInput[] = [];
let waits: number[] = [];
let atOnce = 0;
let mostAtOnce = 0;

/** The real client and queue, with failures put in between. */
const faultyClient = () => {
  const client = sqsClient();
  client.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as SendMessageBatchCommandInput;
      calls.push(input);
      const verdict = verdicts.shift()?.(input) ?? { fail: [] };
      if ("throws" in verdict) throw verdict.throws;
      const failed = new Set(verdict.fail.map(({ Id }) => Id));
      const Entries = input.Entries?.filter(({ Id }) => !failed.has(Id));
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      const answer =
        Entries?.length === 0
          ? { response: {}, output: { $metadata: {}, Successful: [] } }
          : await next({ ...args, input: { ...input, Entries } });
      atOnce -= 1;
      return { ...answer, output: { ...answer.output, Failed: [...verdict.fail] } };
    },
    { step: "initialize", priority: "low" },
  );
  return client;
};

beforeEach(async () => {
  sqs ??= await startSqs();
  verdicts = [];
  calls = [];
  waits = [];
  mostAtOnce = 0;
});
afterAll(() => sqs.close());

const open = () => {
  const queue = sqs.createQueue();
  const pace = { random: () => 1, sleep: async (milliseconds: number) => void waits.push(milliseconds) };
  return { queue, sender: sqsSender<string>(faultyClient(), queue.url, undefined, pace) };
};
const notes = (count: number): string[] => Array.from({ length: count }, (_, index) => `note ${index}`);
const busy = (...ids: number[]): Failed[] =>
  ids.map((id) => ({ Id: String(id), Code: "InternalError", SenderFault: false }));

test("only the failed entries are sent again, after a growing wait", async () => {
  const { queue, sender } = open();
  verdicts = [() => ({ fail: busy(1, 4, 9) }), () => ({ fail: busy(4) })];
  await sender.send(notes(10), 3);
  expect(calls.map(({ Entries }) => Entries?.map(({ Id }) => Id))).toEqual([
    ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
    ["1", "4", "9"],
    ["4"],
  ]);
  expect(calls.every(({ Entries }) => Entries?.every((entry) => entry.DelaySeconds === 3))).toBe(true);
  expect(waits).toEqual([100, 200]);
  expect([...queue.bodies()].sort()).toEqual(
    notes(10)
      .map((note) => JSON.stringify(note))
      .sort(),
  );
});

test("six rounds without success end in the transient send-incomplete", async () => {
  const { sender } = open();
  verdicts = Array.from({ length: 6 }, () => () => ({ fail: busy(0) }));
  await expect(sender.send(["x"])).rejects.toMatchObject({ kind: "transient", code: "send-incomplete" });
  expect(calls).toHaveLength(6);
});

test("what SQS blames on the sender is refused for good, once the rest has gone out", async () => {
  const { queue, sender } = open();
  const fault: Failed = { Id: "1", Code: "InvalidMessageContents", SenderFault: true, Message: "secret" };
  verdicts = [() => ({ fail: [fault, ...busy(2)] })];
  const failure = await sender.send(notes(3)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: "permanent", code: "refused" });
  expect(String(failure)).toContain("refused 1 of 3 messages: InvalidMessageContents");
  expect(String(failure)).not.toContain("secret");
  expect(queue.bodies()).toHaveLength(2);
});

test("a throttled key is no fault of the sender, whatever SQS calls it", async () => {
  const { queue, sender } = open();
  verdicts = [() => ({ fail: [{ Id: "0", Code: "KMS.ThrottlingException", SenderFault: true }] })];
  await sender.send(["x"]);
  expect(queue.bodies()).toHaveLength(1);
});

test("a call that fails as a whole is made again", async () => {
  const { queue, sender } = open();
  verdicts = [() => ({ throws: new Error("socket hang up") })];
  await sender.send(notes(2));
  expect(queue.bodies()).toHaveLength(2);
});

test("a call that fails for good keeps its cause", async () => {
  const { sender } = open();
  verdicts = Array.from({ length: 6 }, () => () => ({ throws: new Error("socket hang up") }));
  await expect(sender.send(["x"])).rejects.toMatchObject({
    code: "send-incomplete",
    cause: expect.objectContaining({ message: "socket hang up" }),
  });
});

test("a call whose contents are refused as a whole is not made again", async () => {
  const { sender } = open();
  const refusal = new SQSServiceException({
    name: "InvalidMessageContents",
    $fault: "client",
    $metadata: {},
  });
  verdicts = [() => ({ throws: refusal })];
  await expect(sender.send(["x"])).rejects.toMatchObject({ kind: "permanent", code: "refused" });
  expect(calls).toHaveLength(1);
});

test("up to sixteen calls at a time, of ten entries and 1 MiB at most", async () => {
  const { sender } = open();
  await sender.send([...notes(200), ...Array.from({ length: 5 }, () => "字".repeat(150_000))]);
  expect(mostAtOnce).toBe(16);
  expect(calls.every(({ Entries = [] }) => Entries.length <= 10)).toBe(true);
  const bytes = calls.map(({ Entries = [] }) =>
    Entries.reduce((sum, { MessageBody = "" }) => sum + Buffer.byteLength(MessageBody), 0),
  );
  expect(Math.max(...bytes)).toBeLessThanOrEqual(1_048_576);
  expect(bytes.filter((sum) => sum > 900_000).length).toBe(2);
});
