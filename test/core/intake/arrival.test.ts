/** What S3 events announce: one event or many, wrapped or not, and no record hides its neighbours. */
import { type Announcement, announcements } from "@touchstone/core/domain/intake/arrival";
import { creationEvent } from "@touchstone/core/domain/intake/creation-event";
import { uploadsMessageSchema } from "@touchstone/core/schema/s3-notification";
import fc from "fast-check";
import { expect, test } from "vitest";

const now = 1_764_424_800_000;
const record = (key: string, part: object = {}, object: object = {}) => ({
  eventVersion: "2.1",
  eventSource: "aws:s3",
  awsRegion: "ap-southeast-1",
  eventTime: "2026-11-29T14:00:00.123Z",
  eventName: "ObjectCreated:Put",
  userIdentity: { principalId: "AWS:AIDAEXAMPLE" },
  requestParameters: { sourceIPAddress: "10.0.0.1" },
  responseElements: {
    "x-amz-request-id": "C3D13FE58DE4C810",
    "x-amz-id-2": "FMyUVURIY8/IgAtTv8xRjskZQpcIZ9KG4V5",
  },
  s3: {
    s3SchemaVersion: "1.0",
    configurationId: "uploads-jsonl",
    bucket: {
      name: "uploads",
      ownerIdentity: { principalId: "A3NL1KOZZKExample" },
      arn: "arn:aws:s3:::uploads",
    },
    object: {
      key,
      size: 1024,
      eTag: "d41d8cd98f00b204e9800998ecf8427e",
      versionId: "096fKKXTRTtl3on89fVO.nfljtsv6qko",
      sequencer: "0055AED6DCD90281E5",
      ...object,
    },
  },
  ...part,
});
const testEvent = {
  Service: "Amazon S3",
  Event: "s3:TestEvent",
  Time: "2026-11-29T00:00:00.000Z",
  Bucket: "demo",
  RequestId: "R",
  HostId: "H",
};
const sns = (body: unknown) => ({
  Type: "Notification",
  MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
  TopicArn: "arn:aws:sns:us-west-2:123456789012:uploads",
  Subject: "Amazon S3 Notification",
  Message: typeof body === "string" ? body : JSON.stringify(body),
  Timestamp: "2026-11-29T14:00:01.000Z",
  SignatureVersion: "1",
});
const announced = (body: unknown) => announcements(uploadsMessageSchema.parse(body), now);
const brief = (announcement: Announcement): string => {
  switch (announcement.kind) {
    case "batch":
      return announcement.batch.batch;
    case "replay":
      return `run ${announcement.request.run} of ${announcement.request.batch}`;
    case "passed-over":
      return announcement.why;
    case "unreadable":
      return `! ${announcement.message}`;
    default:
      return announcement satisfies never;
  }
};
const version = "096fKKXTRTtl3on89fVO.nfljtsv6qko";

test("a created batch file becomes a batch row", () => {
  expect(announced({ Records: [record("inbox/dialogue/%E6%89%B9+1/a%2Bb.jsonl")] })).toEqual([
    {
      kind: "batch",
      batch: {
        batch: `dialogue/批 1/a+b.jsonl@${version}`,
        run: 1,
        task: "dialogue",
        source: { bucket: "uploads", key: "inbox/dialogue/批 1/a+b.jsonl", versionId: version },
        bytes: 1024,
        sequencer: "0055AED6DCD90281E5",
        callType: "score",
        arrivedAt: Date.parse("2026-11-29T14:00:00.123Z"),
        openedAt: now,
        splitsSent: 0,
        doneSplits: new Set(),
        finalSplits: new Set(),
        revision: 0,
      },
    },
  ]);
});

test.each([
  ["s3:TestEvent (case 7)", testEvent, ["test-event"]],
  ["s3:TestEvent through SNS (case 7)", sns(testEvent), ["test-event"]],
  ["an event through SNS (case 29)", sns({ Records: [record("inbox/d/b/a.csv")] }), [`d/b/a.csv@${version}`]],
  ["an SNS message of somebody else", sns("hello"), ["! the SNS envelope holds no S3 event"]],
  ["an SNS message with other JSON", sns({ hello: 1 }), ["! the SNS envelope holds no S3 event"]],
  ["no records", { Records: [] }, []],
  ["a folder marker (case 6)", { Records: [record("inbox/d/2026-12/", {}, { size: 0 })] }, ["folder-marker"]],
  ["a file outside the inbox (case 12)", { Records: [record("results/x.jsonl")] }, ["not-a-batch-file"]],
  ["a picture", { Records: [record("inbox/d/b/a.png")] }, ["not-a-batch-file"]],
  [
    "a deletion",
    { Records: [record("inbox/d/b/a.csv", { eventName: "ObjectRemoved:DeleteMarkerCreated" })] },
    ["not-a-creation"],
  ],
  [
    "a finished multipart upload",
    { Records: [record("inbox/d/b/a.csv", { eventName: "ObjectCreated:CompleteMultipartUpload" })] },
    [`d/b/a.csv@${version}`],
  ],
  [
    "a bucket without versions",
    { Records: [record("inbox/d/b/a.csv", {}, { versionId: undefined })] },
    ["d/b/a.csv@d41d8cd98f00b204e9800998ecf8427e+0055AED6DCD90281E5"],
  ],
  [
    "broken records between good ones (cases 3, 29)",
    {
      Records: [
        record("inbox/d/b/100%.jsonl"),
        "hello",
        record("inbox/d/b/a.jsonl"),
        { eventSource: "aws:sqs" },
        record("inbox/d/b/100%25.jsonl"),
      ],
    },
    [
      "! the object key has a broken escape",
      "! a record is not an S3 event",
      `d/b/a.jsonl@${version}`,
      "! a record is not an S3 event",
      `d/b/100%.jsonl@${version}`,
    ],
  ],
])("%s", (_, body, expected) => {
  expect(announced(body).map(brief)).toEqual(expected);
});

test("a body that is no S3 message is refused as a whole", () => {
  for (const body of ["hello", { foo: 1 }, { Records: "x" }, null]) {
    expect(uploadsMessageSchema.safeParse(body).success).toBe(false);
  }
});

test("an event that is made again names the very same batch", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 });
  fc.assert(
    fc.property(
      text,
      fc.option(fc.string({ minLength: 1, maxLength: 12 }), { nil: undefined }),
      fc.option(fc.stringMatching(/^[0-9a-f]{0,32}(-\d)?$/), { nil: undefined }),
      fc.option(fc.stringMatching(/^[0-9A-F]{0,18}$/), { nil: undefined }),
      (name, versionId, eTag, sequencer) => {
        const key = encodeURIComponent(`inbox/d/${name}.jsonl`);
        const [first] = announced({ Records: [record(key, {}, { versionId, eTag, sequencer })] });
        if (first?.kind !== "batch") throw new Error("not announced");
        const [again] = announcements(creationEvent(first.batch), now);
        if (again?.kind !== "batch") throw new Error("not announced again");
        expect(again.batch.batch).toBe(first.batch.batch);
        expect(again.batch).toEqual(first.batch);
      },
    ),
  );
});

test("a request for a replay is told apart from what S3 says", () => {
  const request = {
    ...{ kind: "replay", schema: 1, batch: "dialogue/b/a.jsonl@v1", run: 2 },
    replays: { run: 1, only: ["failed"] },
  };
  expect(announced(request)).toEqual([{ kind: "replay", request }]);
  expect(uploadsMessageSchema.safeParse({ ...request, run: 1 }).success).toBe(false);
  expect(uploadsMessageSchema.safeParse({ ...request, replays: { run: 1, only: ["machine"] } }).success).toBe(
    false,
  );
});
