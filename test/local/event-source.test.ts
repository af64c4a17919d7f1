import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { CfnOutput, Duration, type Stack } from "aws-cdk-lib";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failedMessages } from "../../infra/local/lambda/batch-response.ts";
import { type EmbeddedStack, startStack } from "../../infra/local/stack.ts";
import { eventually } from "./fixture/eventually.ts";
import { inlineFunction, queueWithDeadLetters, synthesise } from "./fixture/synthesise.ts";

describe("a function's answer to a batch", () => {
  const ids = new Set(["a", "b"]);
  const cases: Array<[string, unknown, string[]]> = [
    ["nothing", undefined, []],
    ["null", null, []],
    ["no list", {}, []],
    ["a null list", { batchItemFailures: null }, []],
    ["an empty list", { batchItemFailures: [] }, []],
    ["one of the messages", { batchItemFailures: [{ itemIdentifier: "b" }] }, ["b"]],
    ["an empty id", { batchItemFailures: [{ itemIdentifier: "" }] }, ["a", "b"]],
    ["a null id", { batchItemFailures: [{ itemIdentifier: null }] }, ["a", "b"]],
    ["a misspelt key", { batchItemFailures: [{ itemId: "a" }] }, ["a", "b"]],
    ["an id outside the batch", { batchItemFailures: [{ itemIdentifier: "c" }] }, ["a", "b"]],
    ["text", "failed", ["a", "b"]],
  ];
  test.each(cases)("%s", (_, answer, failed) => {
    expect([...failedMessages(answer, ids, true)]).toEqual(failed);
  });
  test("is not looked at without ReportBatchItemFailures", () => {
    expect(failedMessages({ batchItemFailures: [{ itemIdentifier: "a" }] }, ids, false).size).toBe(0);
  });
});

const reporting = `
export async function handler(event) {
  console.log("bodies " + event.Records.map(({ body }) => body).join(","));
  const failures = event.Records.filter(({ body }) => body.startsWith("bad"));
  return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}`;
const misbehaving = `
let calls = 0;
export async function handler({ Records: [record] }) {
  console.log("call " + ++calls + " " + record.body);
  if (record.body === "throw") throw new TypeError("thrown on purpose");
  if (record.body === "exit") process.exit(3);
  if (record.body === "hang") await new Promise(() => {});
  if (record.body === "spin") for (;;);
}`;
const recording = "export const handler = (event) => console.log(JSON.stringify(event));";

let stack: EmbeddedStack;
const lines: string[] = [];

function build(target: Stack): void {
  const partial = queueWithDeadLetters(target, "Partial", 3, 2);
  inlineFunction(target, "Reporting", reporting, { timeout: Duration.seconds(1) }).addEventSource(
    new SqsEventSource(partial, {
      batchSize: 50,
      maxBatchingWindow: Duration.seconds(1),
      reportBatchItemFailures: true,
    }),
  );
  const rough = queueWithDeadLetters(target, "Rough", 1, 1);
  inlineFunction(target, "Misbehaving", misbehaving, { timeout: Duration.seconds(1) }).addEventSource(
    new SqsEventSource(rough, { batchSize: 1, maxConcurrency: 2 }),
  );
  const plain = new sqs.Queue(target, "Plain");
  inlineFunction(target, "Recording", recording).addEventSource(new SqsEventSource(plain));
  for (const queue of [partial, rough, plain])
    new CfnOutput(target, `${queue.node.id}Url`, { value: queue.queueUrl });
}

beforeAll(async () => {
  const assembly = synthesise("Sources", build);
  stack = await startStack({ assembly, log: (source, line) => lines.push(`${source}: ${line}`) });
});
afterAll(async () => await stack?.stop());

async function send(queue: string, bodies: readonly string[]): Promise<void> {
  const client = new SQSClient({
    endpoint: stack.endpoints.sqs,
    region: stack.region,
    credentials: stack.credentials,
  });
  for (let start = 0; start < bodies.length; start += 10)
    await client.send(
      new SendMessageBatchCommand({
        QueueUrl: stack.outputs.Sources?.[`${queue}Url`],
        Entries: bodies.slice(start, start + 10).map((MessageBody, index) => ({
          Id: `m${index}`,
          MessageBody,
          MessageAttributes: { kind: { DataType: "String", StringValue: "fixture" } },
        })),
      }),
    );
}

function counts(name: string) {
  const found = Object.entries(stack.queues()).find(([queue]) =>
    new RegExp(`-${name}[0-9A-F]{8}$`).test(queue),
  );
  return found?.[1] ?? { visible: -1, inFlight: -1, delayed: -1 };
}

const empty = { visible: 0, inFlight: 0, delayed: 0 };
const printed = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;

describe("an event source", () => {
  test("batches beyond ten messages, deletes what succeeded, and lets only failures come back and move on", async () => {
    const good = Array.from({ length: 24 }, (_, index) => `good${index}`);
    stack.pause();
    await send("Partial", [...good, "bad"]);
    stack.resume();
    await eventually(() => (counts("PartialDead").visible === 1 ? true : undefined));
    expect(counts("Partial")).toEqual(empty);
    expect(printed(/bodies good0,(\w+,){23}bad$/)).toBe(1);
    expect(printed(/bodies bad$/)).toBe(1);
  });

  test("hanging, spinning, exiting and throwing invocations fail alone, and the function goes on", async () => {
    await send("Rough", ["throw", "exit", "hang", "spin", "fine"]);
    await eventually(() => (counts("RoughDead").visible === 4 ? true : undefined));
    await send("Rough", ["fine"]);
    await eventually(() => (printed(/call \d+ fine/) === 2 ? true : undefined));
    await eventually(() => (printed(/ERROR .*Task timed out after 1\.00 seconds/) === 2 ? true : undefined));
    await eventually(() => (counts("Rough").inFlight === 0 ? true : undefined));
    expect(counts("Rough")).toEqual(empty);
    expect(printed(/ERROR Runtime\.ExitError: Runtime exited with exit status 3/)).toBe(1);
    expect(printed(/ERROR TypeError: TypeError: thrown on purpose/)).toBe(1);
  });

  test("hands over records as Lambda shapes them", async () => {
    await send("Plain", ["shape"]);
    const line = await eventually(() => lines.find((each) => each.startsWith("Recording")));
    const [record] = JSON.parse(line.slice(line.indexOf("{"))).Records;
    expect(record).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receiptHandle: expect.any(String),
      body: "shape",
      attributes: {
        ApproximateReceiveCount: "1",
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: expect.any(String),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {
        kind: { stringValue: "fixture", stringListValues: [], binaryListValues: [], dataType: "String" },
      },
      md5OfBody: "8c73a98a300905900337f535531dfca6",
      eventSource: "aws:sqs",
      eventSourceARN: expect.stringMatching(/^arn:aws:sqs:us-east-1:000000000000:Sources-Plain/),
      awsRegion: "us-east-1",
    });
  });

  test("takes nothing while paused", async () => {
    stack.pause();
    await send("Plain", ["paused"]);
    await eventually(() => (counts("Plain").visible === 1 ? true : undefined));
    stack.resume();
    await eventually(() => (printed(/Recording.*"paused"/) === 1 ? true : undefined));
  });

  test("an operation that SQS has and the embedded one has not is refused by name", async () => {
    const answer = await fetch(stack.endpoints.sqs, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": "AmazonSQS.StartMessageMoveTask",
      },
      body: "{}",
    });
    expect(answer.status).toBe(400);
    expect(lines.some((line) => /SQS operation StartMessageMoveTask.*is not simulated/.test(line))).toBe(
      true,
    );
  });
});
