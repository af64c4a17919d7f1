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
    body: JSON.stringify({
      model: "fixed-judge",
      messages: [{ role: "user", content: body }],
      logprobs: true,
      top_logprobs: 20,
    }),
  });
  const answer = await response.text();
  z.looseObject({ choices: z.array(z.unknown()).min(1) }).parse(JSON.parse(answer));
  await table.send(
    new UpdateCommand({
      TableName: settings.table,
      Key: { pk: id },
      UpdateExpression: "SET #r = :r REMOVE leaseUntil",
      ConditionExpression: "attribute_not_exists(#r)",
      ExpressionAttributeNames: { "#r": "result" },
      // About as much as a result of ours.
      ExpressionAttributeValues: { ":r": answer.slice(0, 1200) },
    }),
  );
  const outcome = JSON.stringify({
    id,
    outcome: "machine",
    decidedAt: Date.now(),
    took: performance.now() - started,
  });
  await sqs.send(new SendMessageCommand({ QueueUrl: settings.to, MessageBody: outcome }));
}

/** Handles `samples` messages, of which `concurrency` are in hand at any time, however the receives fall. */
async function run(samples: number): Promise<void> {
  let left = samples;
  const lane = async (): Promise<void> => {
    const done: Message[] = [];
    let inHand = 0;
    let wake: () => void = () => {};
    const change = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const forget = async (): Promise<void> => {
      const Entries = done.splice(0, receiveLimit).map((message, index) => ({
        Id: String(index),
        ReceiptHandle: message.ReceiptHandle,
      }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: settings.from, Entries }));
    };
    while (left > 0 || inHand > 0) {
      const room = Math.min(left, receiveLimit - inHand);
      if (room < Math.min(left, receiveLimit / 2) || left === 0) {
        await change();
        continue;
      }
      left -= room;
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: settings.from, MaxNumberOfMessages: room, WaitTimeSeconds: 1 }),
      );
      left += room - Messages.length;
      for (const message of Messages) {
        inHand++;
        void handle(message).then(() => {
          inHand--;
          done.push(message);
          wake();
        });
      }
      if (done.length >= receiveLimit) await forget();
    }
    while (done.length > 0) await forget();
  };
  await Promise.all(Array.from({ length: Math.ceil(settings.concurrency / receiveLimit) }, lane));
}

parentPort?.on("message", async (samples: number) => {
  const cpu = process.threadCpuUsage();
  const started = performance.now();
  await run(samples);
  const { user, system } = process.threadCpuUsage(cpu);
  parentPort?.postMessage({ seconds: (performance.now() - started) / 1000, cpuMs: (user + system) / 1000 });
});
