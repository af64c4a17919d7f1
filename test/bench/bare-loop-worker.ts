/**
 * The bare loop, in a thread of its own: SQS receive → conditional put → judge → conditional update → send, nothing
 * else. Started by bare-loop.ts; the endpoints come with the environment, as for every function.
 */
import { parentPort, workerData } from "node:worker_threads";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";

export const bareLoopSettings = z.object({
  samples: z.int(),
  concurrency: z.int(),
  judgeUrl: z.string(),
  table: z.string(),
  from: z.string(),
  to: z.string(),
});
export type BareLoopSettings = z.infer<typeof bareLoopSettings>;

const settings = bareLoopSettings.parse(workerData);
const requestHandler = { httpAgent: { keepAlive: true, maxSockets: 256 } };
const sqs = new SQSClient({ requestHandler, useQueueUrlAsEndpoint: false });
const table = DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler }));
const receiveLimit = 10;

async function handle({ MessageId: id = "", Body: body = "" }: Message): Promise<void> {
  const started = performance.now();
  await table.send(
    new PutCommand({
      TableName: settings.table,
      Item: { pk: id, leaseUntil: Date.now() + 150_000 },
      ConditionExpression: "attribute_not_exists(pk)",
    }),
  );
  const response = await fetch(settings.judgeUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "fixed-judge", messages: [{ role: "user", content: body }], logprobs: true }),
  });
  const answer: unknown = await response.json();
  await table.send(
    new UpdateCommand({
      TableName: settings.table,
      Key: { pk: id },
      UpdateExpression: "SET #r = :r REMOVE leaseUntil",
      ConditionExpression: "attribute_not_exists(#r)",
      ExpressionAttributeNames: { "#r": "result" },
      // About as much as a result of ours.
      ExpressionAttributeValues: { ":r": JSON.stringify(answer).slice(0, 1200) },
    }),
  );
  const outcome = JSON.stringify({ id, outcome: "machine", decidedAt: Date.now(), took: performance.now() - started });
  await sqs.send(new SendMessageCommand({ QueueUrl: settings.to, MessageBody: outcome }));
}

/** `concurrency` messages are in hand at any time, however the receives fall. */
async function run(): Promise<void> {
  const lanes = Math.ceil(settings.concurrency / receiveLimit);
  let left = settings.samples;
  const lane = async (): Promise<void> => {
    let done: Message[] = [];
    let inHand = 0;
    let wake: () => void = () => {};
    const flush = async (least: number): Promise<void> => {
      while (done.length > 0 && done.length >= least) {
        const Entries = done.splice(0, receiveLimit).map((message, index) => ({
          Id: String(index),
          ReceiptHandle: message.ReceiptHandle,
        }));
        await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: settings.from, Entries }));
      }
    };
    while (left > 0) {
      const room = receiveLimit - inHand;
      if (room < receiveLimit / 2) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: settings.from, MaxNumberOfMessages: room, WaitTimeSeconds: 1 }),
      );
      left -= Messages.length;
      for (const message of Messages) {
        inHand++;
        void handle(message).then(() => {
          inHand--;
          done.push(message);
          wake();
        });
      }
      await flush(receiveLimit);
    }
    while (inHand > 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    await flush(1);
    done = [];
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const cpu = process.threadCpuUsage();
const started = performance.now();
await run();
const { user, system } = process.threadCpuUsage(cpu);
parentPort?.postMessage({ seconds: (performance.now() - started) / 1000, cpuMs: (user + system) / 1000 });
