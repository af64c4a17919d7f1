/** One process at a time on a data directory, and what happens while its services are stopped and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import {
  HeadObjectCommand,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { CfnOutput, Duration, type Stack } from "aws-cdk-lib";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { holdDataDirectory } from "../../infra/local/data-directory.ts";
import { type EmbeddedStack, startStack } from "../../infra/local/stack.ts";
import { eventually } from "./fixture/eventually.ts";
import { inlineFunction, synthesise, temporaryDirectory } from "./fixture/synthesise.ts";
import { openS3 } from "./s3-fixture.ts";

const holder = path.resolve(import.meta.dirname, "../../infra/local/data-directory.ts");

/** Another process that takes the directory and keeps it. */
const holdElsewhere = async (directory: string): Promise<ChildProcess> => {
  const script = `import { holdDataDirectory } from ${JSON.stringify(holder)};
    const held = holdDataDirectory(${JSON.stringify(directory)});
    setInterval(() => held, 1000);
    console.log("held");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  await once(child.stdout, "data");
  return child;
};

describe("a data directory", () => {
  test("is refused while another process has it, and free as soon as that one is dead", async () => {
    const directory = temporaryDirectory("held");
    const other = await holdElsewhere(directory);
    expect(() => holdDataDirectory(directory)).toThrow(
      `the data directory ${directory} is in use by process ${other.pid}: end that one first`,
    );
    other.kill("SIGKILL");
    await once(other, "exit");
    const held = holdDataDirectory(directory);
    expect(() => holdDataDirectory(directory)).toThrow(`is in use by process ${process.pid}`);
    held.release();
    holdDataDirectory(directory).release();
  });
});

const slow = `
export async function handler({ Records }) {
  for (const { body } of Records) console.log("begun " + body);
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const { body } of Records) console.log("ended " + body);
}`;
const build = (target: Stack) => {
  const watched = new sqs.Queue(target, "Watched", { visibilityTimeout: Duration.seconds(60) });
  inlineFunction(target, "Slow", slow).addEventSource(new SqsEventSource(watched, { batchSize: 1 }));
  const idle = new sqs.Queue(target, "Idle", { visibilityTimeout: Duration.hours(1) });
  for (const queue of [watched, idle])
    new CfnOutput(target, `${queue.node.id}Url`, { value: queue.queueUrl });
};

const start = async (dataDirectory: string, options: { readonly heldReturnMs?: number } = {}) => {
  const lines: string[] = [];
  const stack = await startStack({
    assembly: synthesise("Restarted", build),
    dataDirectory,
    log: (_, line) => lines.push(line),
    ...options,
  });
  const client = new SQSClient({
    endpoint: stack.endpoints.sqs,
    region: stack.region,
    credentials: stack.credentials,
    maxAttempts: 1,
  });
  const urlOf = (queue: string) => stack.outputs.Restarted?.[`${queue}Url`];
  return {
    stack,
    lines,
    send: (queue: string, MessageBody: string) =>
      client.send(new SendMessageCommand({ QueueUrl: urlOf(queue), MessageBody })),
    receive: async (queue: string, WaitTimeSeconds = 0) =>
      (await client.send(new ReceiveMessageCommand({ QueueUrl: urlOf(queue), WaitTimeSeconds }))).Messages ??
      [],
  };
};
const queueOf = (stack: EmbeddedStack, name: string): string =>
  Object.keys(stack.queues()).find((queue) => queue.includes(name)) ?? "";

describe("services on a data directory", () => {
  test("refuse connections while they are stopped, come back with what they had, and pollers go on", async () => {
    const { stack, lines, send } = await start(temporaryDirectory("restarted"));
    await send("Watched", "before");
    await eventually(() => (lines.includes("begun before") ? true : undefined));
    const back = stack.interrupt(1000);
    const refusal = await eventually(() => send("Idle", "meanwhile").then(() => undefined, String));
    expect(refusal).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up/);
    await back;
    await send("Watched", "after");
    await eventually(() => (lines.includes("ended after") ? true : undefined));
    expect(lines).toContain("ended before");
    const s3 = new S3Client({
      endpoint: stack.endpoints.s3,
      region: stack.region,
      credentials: stack.credentials,
    });
    const none = s3.send(new PutObjectCommand({ Bucket: "none", Key: "k", Body: "b" }));
    await expect(none).rejects.toMatchObject({ name: "NoSuchBucket" });
    await stack.stop();
  });

  test("cannot be stopped where nothing would be left of them", async () => {
    const stack = await startStack({ assembly: synthesise("Restarted", build) });
    await expect(stack.interrupt(1)).rejects.toThrow(/data directory/);
    await stack.stop();
  });

  test("deliver a message again while it is in flight, once for each time it was chosen", async () => {
    const { stack, lines, send } = await start(temporaryDirectory("repeated"));
    await send("Watched", "twice");
    await eventually(() => (lines.includes("begun twice") ? true : undefined));
    const asked: string[] = [];
    for (let round = 0; round < 3; round += 1)
      stack.repeat(queueOf(stack, "Watched"), (body, receives) => {
        asked.push(`${body} ${receives}`);
        return receives === 1;
      });
    await eventually(() => (lines.filter((line) => line === "ended twice").length === 2 ? true : undefined));
    expect(asked[0]).toBe("twice 1");
    expect(asked.filter((each) => each === "twice 1")).toHaveLength(1);
    await stack.stop();
  });

  test("let go of what an earlier run held, when they are told to", async () => {
    const directory = temporaryDirectory("abandoned");
    const first = await start(directory);
    await first.send("Idle", "held");
    expect(await first.receive("Idle")).toMatchObject([{ Body: "held" }]);
    await first.stack.stop();

    const second = await start(directory);
    expect(second.stack.queues()[queueOf(second.stack, "Idle")]).toMatchObject({ visible: 0, inFlight: 1 });
    await second.stack.stop();

    const third = await start(directory, { heldReturnMs: 500 });
    expect(await third.receive("Idle", 5)).toMatchObject([{ Body: "held" }]);
    await third.stack.stop();
  });
});

test("an event that a killed run had not announced is announced at the next start", async () => {
  const directory = temporaryDirectory("unannounced");
  const QueueArn = "arn:aws:sqs:eu-west-1:000000000000:uploads";
  let isReachable = true;
  const first = await openS3({
    directory,
    deliver: () => (isReachable ? Promise.resolve() : new Promise(() => {})),
  });
  const Bucket = await first.bucket("Enabled");
  const QueueConfigurations = [{ QueueArn, Events: ["s3:ObjectCreated:*" as const] }];
  await first.client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: { QueueConfigurations },
    }),
  );
  isReachable = false;
  const put = first.client
    .send(new PutObjectCommand({ Bucket, Key: "a.jsonl", Body: "x" }))
    .catch(() => null);
  await eventually(() =>
    first.client.send(new HeadObjectCommand({ Bucket, Key: "a.jsonl" })).catch(() => undefined),
  );
  await first.close();
  await put;

  const announced: string[] = [];
  const second = await openS3({
    directory,
    deliver: async (_, body) => {
      announced.push(body);
    },
  });
  expect(announced).toHaveLength(1);
  expect(announced[0]).toContain('"key":"a.jsonl"');
  await second.close();
  const third = await openS3({ directory, deliver: async (_, body) => void announced.push(body) });
  expect(announced).toHaveLength(1);
  await third.close();
});
