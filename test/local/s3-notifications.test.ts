/** Which uploads put which message on which queue, in exactly the form AWS uses. */
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetBucketNotificationConfigurationCommand,
  type NotificationConfiguration,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formEncodeKey } from "../../infra/local/s3/key-encoding.ts";
import { openS3, refusal, region, type S3Fixture } from "./s3-fixture.ts";

let s3: S3Fixture;
const QueueArn = "arn:aws:sqs:eu-west-1:000000000000:uploads";
const other = "arn:aws:sqs:eu-west-1:000000000000:other";

beforeAll(async () => {
  s3 = await openS3();
});
beforeEach(() => {
  s3.delivered.length = 0;
});
afterAll(() => s3.close());

async function configure(Bucket: string, NotificationConfiguration: NotificationConfiguration) {
  await s3.client.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
}

function queue(arn: string, Prefix: string, Suffix: string) {
  const FilterRules = [
    { Name: "prefix" as const, Value: Prefix },
    { Name: "suffix" as const, Value: Suffix },
  ].filter((rule) => rule.Value !== "");
  return {
    Id: `${Prefix}*${Suffix}`,
    QueueArn: arn,
    Events: ["s3:ObjectCreated:*" as const],
    Filter: { Key: { FilterRules } },
  };
}

async function put(Bucket: string, Key: string, Body = "hello") {
  return s3.client.send(new PutObjectCommand({ Bucket, Key, Body }));
}

function records(): Record<string, unknown>[] {
  return s3.delivered.flatMap(({ body }) => JSON.parse(body).Records ?? []);
}

test("a new configuration sends one test event to each queue, and is read back", async () => {
  const Bucket = await s3.bucket();
  const QueueConfigurations = [
    queue(QueueArn, "inbox/", ".jsonl"),
    queue(QueueArn, "inbox/", ".csv"),
    queue(other, "docs/", ""),
  ];
  await configure(Bucket, { QueueConfigurations });
  expect(s3.delivered.map(({ queueArn }) => queueArn)).toEqual([QueueArn, other]);
  expect(JSON.parse(s3.delivered[0]?.body ?? "")).toMatchObject({
    Service: "Amazon S3",
    Event: "s3:TestEvent",
    Bucket,
  });
  const read = await s3.client.send(new GetBucketNotificationConfigurationCommand({ Bucket }));
  expect(read.QueueConfigurations).toMatchObject([
    { QueueArn, Filter: { Key: { FilterRules: [{ Value: "inbox/" }, { Value: ".jsonl" }] } } },
    { QueueArn, Filter: { Key: { FilterRules: [{ Value: "inbox/" }, { Value: ".csv" }] } } },
    { QueueArn: other, Filter: { Key: { FilterRules: [{ Value: "docs/" }] } } },
  ]);
});

test("an upload that a rule fits is one record in AWS's form; others are silent", async () => {
  const Bucket = await s3.bucket("Enabled");
  await configure(Bucket, { QueueConfigurations: [queue(QueueArn, "inbox/", ".jsonl")] });
  s3.delivered.length = 0;
  await put(Bucket, "inbox/notes.txt");
  await put(Bucket, "results/a.jsonl");
  const { VersionId } = await put(Bucket, "inbox/任务 a+b/x.jsonl");
  expect(records()).toEqual([
    {
      eventVersion: "2.1",
      eventSource: "aws:s3",
      awsRegion: region,
      eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      eventName: "ObjectCreated:Put",
      userIdentity: { principalId: "AWS:AKIATEST" },
      requestParameters: { sourceIPAddress: "127.0.0.1" },
      responseElements: { "x-amz-request-id": expect.any(String), "x-amz-id-2": expect.any(String) },
      s3: {
        s3SchemaVersion: "1.0",
        configurationId: "inbox/*.jsonl",
        bucket: {
          name: Bucket,
          ownerIdentity: { principalId: expect.any(String) },
          arn: `arn:aws:s3:::${Bucket}`,
        },
        object: {
          key: "inbox/%E4%BB%BB%E5%8A%A1+a%2Bb/x.jsonl",
          size: 5,
          eTag: "5d41402abc4b2a76b9719d911017c592",
          versionId: VersionId,
          sequencer: expect.stringMatching(/^[0-9A-F]{16,}$/),
        },
      },
    },
  ]);
});

test("copies and multipart uploads have their own event names; sequencers grow; no version id without versions", async () => {
  const Bucket = await s3.bucket();
  await configure(Bucket, { QueueConfigurations: [queue(QueueArn, "", "")] });
  s3.delivered.length = 0;
  await put(Bucket, "k");
  await put(Bucket, "from");
  await s3.client.send(new CopyObjectCommand({ Bucket, Key: "k", CopySource: `${Bucket}/from` }));
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand({ Bucket, Key: "k" }));
  const part = { Bucket, Key: "k", UploadId };
  const { ETag } = await s3.client.send(new UploadPartCommand({ ...part, PartNumber: 1, Body: "p" }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await s3.client.send(new CompleteMultipartUploadCommand({ ...part, MultipartUpload }));
  const seen = records();
  expect(seen.map((record) => record.eventName)).toEqual([
    "ObjectCreated:Put",
    "ObjectCreated:Put",
    "ObjectCreated:Copy",
    "ObjectCreated:CompleteMultipartUpload",
  ]);
  const sequencers = seen.map((record) => JSON.stringify(record).match(/"sequencer":"(\w+)"/)?.[1] ?? "");
  expect(sequencers).toEqual([...new Set(sequencers)].sort());
  expect(JSON.stringify(seen)).not.toContain("versionId");
});

test.each([
  ["red flower.jpg", "red+flower.jpg"],
  ["in/文 件+a b.png", "in/%E6%96%87+%E4%BB%B6%2Ba+b.png"],
  ["100%/a//b/", "100%25/a//b/"],
  ["photo (1)!'*.png", "photo+%281%29%21%27*.png"],
  ["10:47=x&y", "10%3A47%3Dx%26y"],
  ["😀", "%F0%9F%98%80"],
])("key %j is written %s", (key, encoded) => {
  expect(formEncodeKey(key)).toBe(encoded);
  expect(decodeURIComponent(encoded.replaceAll("+", " "))).toBe(key);
});

describe("refused configurations", () => {
  test.each<[string, NotificationConfiguration, string]>([
    [
      "overlapping rules",
      { QueueConfigurations: [queue(QueueArn, "a/", ""), queue(other, "a/b/", "")] },
      "InvalidArgument",
    ],
    [
      "a topic",
      { TopicConfigurations: [{ TopicArn: "arn:t", Events: ["s3:ObjectCreated:*"] }] },
      "NotImplemented",
    ],
    ["EventBridge", { EventBridgeConfiguration: {} }, "NotImplemented"],
    ["removals", { QueueConfigurations: [{ QueueArn, Events: ["s3:ObjectRemoved:*"] }] }, "NotImplemented"],
  ])("%s", async (_name, configuration, name) => {
    const Bucket = await s3.bucket();
    await expect(configure(Bucket, configuration)).rejects.toMatchObject({ name });
    const read = await s3.client.send(new GetBucketNotificationConfigurationCommand({ Bucket }));
    expect(read.QueueConfigurations).toBeUndefined();
  });
});

test("a queue that cannot be reached refuses the configuration, and later fails the write that caused the event", async () => {
  let reachable = false;
  const fixture = await openS3({
    deliver: async () => {
      if (!reachable) throw new Error("no such queue");
    },
  });
  try {
    const Bucket = await fixture.bucket();
    const configuration = { QueueConfigurations: [queue(QueueArn, "", "")] };
    const attempt = () =>
      fixture.client.send(
        new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: configuration }),
      );
    await expect(attempt()).rejects.toMatchObject(refusal("InvalidArgument", 400));
    reachable = true;
    await attempt();
    reachable = false;
    const write = fixture.client.send(new PutObjectCommand({ Bucket, Key: "k", Body: "x" }));
    await expect(write).rejects.toMatchObject(refusal("InternalError", 500));
  } finally {
    await fixture.close();
  }
});
