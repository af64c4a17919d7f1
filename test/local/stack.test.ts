import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { CfnOutput, Duration, type Stack } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as iam from "aws-cdk-lib/aws-iam";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import * as s3 from "aws-cdk-lib/aws-s3";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedStack, startStack } from "../../infra/local/stack.ts";
import type { ServiceCall } from "../../infra/local/tap.ts";
import { eventually } from "./fixture/eventually.ts";
import { fixtureFunction, synthesise } from "./fixture/synthesise.ts";

let stack: EmbeddedStack;
let killAfterFirstWrite = false;
const lines: string[] = [];

beforeAll(async () => {
  const assembly = synthesise("Flow", buildFlow);
  stack = await startStack({
    assembly,
    log: (source, line) => lines.push(`${source}: ${line}`),
    taps: [
      {
        async after(call: ServiceCall) {
          if (!killAfterFirstWrite || call.operation !== "PutItem" || !call.caller.startsWith("TwoWrites"))
            return;
          killAfterFirstWrite = false;
          await stack.kill(call.caller);
        },
      },
    ],
  });
});
afterAll(async () => await stack?.stop());

function buildFlow(target: Stack): void {
  const table = new dynamodb.Table(target, "Table", {
    partitionKey: { name: "id", type: dynamodb.AttributeType.STRING },
    billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  });
  const uploaded = new sqs.Queue(target, "Uploaded", { visibilityTimeout: Duration.seconds(30) });
  const uploads = new s3.CfnBucket(target, "Uploads", {
    versioningConfiguration: { status: "Enabled" },
    notificationConfiguration: {
      queueConfigurations: [
        {
          event: "s3:ObjectCreated:*",
          queue: uploaded.queueArn,
          filter: { s3Key: { rules: [{ name: "prefix", value: "inbox/" }] } },
        },
      ],
    },
  });
  uploaded.grantSendMessages(new iam.ServicePrincipal("s3.amazonaws.com"));
  const store = fixtureFunction(target, "Store", "store-objects", {
    environment: { TABLE: table.tableName },
  });
  table.grantWriteData(store);
  store.addEventSource(new SqsEventSource(uploaded));

  const work = new sqs.Queue(target, "Work", { visibilityTimeout: Duration.seconds(5) });
  const twoWrites = fixtureFunction(target, "TwoWrites", "two-writes", {
    environment: { TABLE: table.tableName },
  });
  table.grantWriteData(twoWrites);
  twoWrites.addEventSource(new SqsEventSource(work, { reportBatchItemFailures: true }));

  const denied = fixtureFunction(target, "Denied", "two-writes", { environment: { TABLE: table.tableName } });
  new CfnOutput(target, "DeniedName", { value: denied.functionName });
  new CfnOutput(target, "Bucket", { value: uploads.ref });
  new CfnOutput(target, "TableName", { value: table.tableName });
  new CfnOutput(target, "WorkUrl", { value: work.queueUrl });
}

function client<Client>(
  type: new (options: {
    endpoint: string;
    region: string;
    credentials: EmbeddedStack["credentials"];
  }) => Client,
  service: keyof EmbeddedStack["endpoints"],
): Client {
  return new type({
    endpoint: stack.endpoints[service],
    region: stack.region,
    credentials: stack.credentials,
  });
}

async function item(id: string): Promise<Record<string, unknown> | undefined> {
  const answer = await client(DynamoDBClient, "dynamodb").send(
    new GetItemCommand({ TableName: stack.outputs.Flow?.TableName, Key: { id: { S: id } } }),
  );
  return answer.Item;
}

describe("a stack from a cloud assembly", () => {
  test("an upload travels through notification, queue and function into the table", async () => {
    await client(S3Client, "s3").send(
      new PutObjectCommand({ Bucket: stack.outputs.Flow?.Bucket, Key: "inbox/a b+文.txt", Body: "hello" }),
    );
    expect(await eventually(() => item("inbox/a b+文.txt"))).toMatchObject({ size: { N: "5" } });
  });

  test("what a function prints becomes metrics and log lines", async () => {
    await eventually(() => stack.metrics.sum("Fixture", "Objects") || undefined);
    expect(stack.metrics.sum("Fixture", "Objects", { Kind: "upload" })).toBe(1);
    expect(lines.some((line) => /^Store\w+: stored inbox\//.test(line))).toBe(true);
  });

  test("calls are counted under the function that made them", () => {
    const puts = stack.recorder.calls().find(({ operation }) => operation === "PutItem");
    expect(puts).toMatchObject({ service: "dynamodb", calls: 1, errors: 0, chunks: 1, capacityUnits: 1 });
    expect(puts?.caller).toMatch(/^Store/);
  });

  test("a function without permission is told which action it lacks on which resource", async () => {
    const invocation = stack.invoke(stack.outputs.Flow?.DeniedName ?? "", {
      Records: [{ body: "x", attributes: { ApproximateReceiveCount: "1" } }],
    });
    await expect(invocation).rejects.toThrow(
      /AccessDeniedException.*not authorized to perform dynamodb:PutItem on arn:aws:dynamodb/s,
    );
  });

  test("a function killed between two writes has done the first, and does both when the message returns", async () => {
    killAfterFirstWrite = true;
    await client(SQSClient, "sqs").send(
      new SendMessageCommand({ QueueUrl: stack.outputs.Flow?.WorkUrl, MessageBody: "m" }),
    );
    expect(await eventually(() => item("m/first"))).toMatchObject({ receive: { N: "1" } });
    expect(await item("m/second")).toBeUndefined();
    expect(await eventually(() => item("m/second"))).toMatchObject({ receive: { N: "2" } });
  });
});
