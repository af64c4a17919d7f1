/** What the embedded S3 refuses, how it says so, and what the tap sees. */
import { connect } from "node:net";
import {
  GetBucketTaggingCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  RestoreObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServiceCall, ServiceReply } from "../../infra/local/tap.ts";
import { openS3, refusal, type S3Fixture } from "./s3-fixture.ts";

let s3: S3Fixture;
let Bucket: string;
const Key = "k";
const calls: (ServiceCall & { reply?: ServiceReply })[] = [];

beforeAll(async () => {
  s3 = await openS3({
    tap: {
      before: (call) => {
        if (call.resource.includes("forbidden")) throw new Error("the role may not touch it");
      },
      after: (call, reply) => {
        calls.push({ ...call, reply });
      },
    },
  });
  Bucket = await s3.bucket();
  await s3.client.send(new PutObjectCommand({ Bucket, Key, Body: "body" }));
});
afterAll(() => s3.close());

const Tagging = { TagSet: [{ Key: "a", Value: "1" }] };

describe("an operation we do not have is 501 and named", () => {
  test.each<[string, (client: S3Client) => Promise<unknown>]>([
    ["PutObjectTagging", (c) => c.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging }))],
    ["GetObjectTagging", (c) => c.send(new GetObjectTaggingCommand({ Bucket, Key }))],
    ["PutObjectAcl", (c) => c.send(new PutObjectAclCommand({ Bucket, Key, ACL: "private" }))],
    ["RestoreObject", (c) => c.send(new RestoreObjectCommand({ Bucket, Key, RestoreRequest: { Days: 1 } }))],
    [
      "GetObjectAttributes",
      (c) => c.send(new GetObjectAttributesCommand({ Bucket, Key, ObjectAttributes: ["ETag"] })),
    ],
    ["GetObject", (c) => c.send(new GetObjectCommand({ Bucket, Key, PartNumber: 1 }))],
    ["ListObjects", (c) => c.send(new ListObjectsCommand({ Bucket, Prefix: "", MaxKeys: 5 }))],
    ["ListMultipartUploads", (c) => c.send(new ListMultipartUploadsCommand({ Bucket }))],
    ["GetBucketTagging", (c) => c.send(new GetBucketTaggingCommand({ Bucket }))],
    ["PutBucketPolicy", (c) => c.send(new PutBucketPolicyCommand({ Bucket, Policy: "{}" }))],
    [
      "PutBucketLifecycleConfiguration",
      (c) =>
        c.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: [] } })),
    ],
  ])("%s", async (name, send) => {
    const expected = {
      ...refusal("NotImplemented", 501),
      message: expect.stringMatching(new RegExp(`^${name} is`)),
    };
    await expect(send(s3.client)).rejects.toMatchObject(expected);
  });

  test("an unknown subresource changes nothing", async () => {
    const response = await fetch(`${s3.server.url}/${Bucket}/${Key}?shrink`, {
      method: "PUT",
      body: "other",
    });
    expect(response.status).toBe(501);
    expect(await response.text()).toContain("PutObjectShrink");
    const got = await s3.client.send(new GetObjectCommand({ Bucket, Key }));
    expect(await got.Body?.transformToString()).toBe("body");
  });

  test.each([
    ["x-amz-server-side-encryption", { ServerSideEncryption: "aws:kms" as const }],
    ["x-amz-tagging", { Tagging: "a=1" }],
    ["x-amz-acl", { ACL: "public-read" as const }],
    ["crc64nvme", { ChecksumCRC64NVME: "AAAAAAAAAAA=" }],
  ])("a put with %s is refused by that name", async (name, more) => {
    const put = s3.client.send(new PutObjectCommand({ Bucket, Key, Body: "x", ...more }));
    await expect(put).rejects.toMatchObject({
      name: "NotImplemented",
      message: expect.stringContaining(name),
    });
  });
});

describe("the tap", () => {
  test("sees operation, resource, caller and bytes after the effect and before the answer", async () => {
    calls.length = 0;
    await s3.client.send(new PutObjectCommand({ Bucket, Key: "seen/文", Body: "12345" }));
    await (await s3.client.send(new GetObjectCommand({ Bucket, Key: "seen/文" }))).Body?.transformToString();
    const common = { service: "s3", resource: `${Bucket}/seen/文`, caller: "AKIATEST" };
    expect(calls).toEqual([
      { ...common, operation: "PutObject", requestBytes: 5, reply: { status: 200, responseBytes: 0 } },
      { ...common, operation: "GetObject", requestBytes: 0, reply: { status: 200, responseBytes: 5 } },
    ]);
  });

  test("sees refusals of S3's own, and unsigned callers", async () => {
    calls.length = 0;
    await fetch(`${s3.server.url}/${Bucket}/missing`);
    expect(calls).toMatchObject([{ caller: "anonymous", operation: "GetObject", reply: { status: 404 } }]);
  });

  test("refuses by throwing: AccessDenied with its message and no effect", async () => {
    const put = s3.client.send(new PutObjectCommand({ Bucket, Key: "forbidden", Body: "x" }));
    const denied = { ...refusal("AccessDenied", 403), message: "the role may not touch it" };
    await expect(put).rejects.toMatchObject(denied);
  });
});

test("a presigned URL names its caller, is served in time and refused after", async () => {
  calls.length = 0;
  const stamp = (epochMs: number): string => new Date(epochMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const url = (signedAt: number): string =>
    `${s3.server.url}/${Bucket}/${Key}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIALINK%2F20261129%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=${stamp(signedAt)}&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=0&x-id=GetObject&x-amz-checksum-mode=ENABLED&response-content-type=text%2Fcsv`;
  const fresh = await fetch(url(Date.now()));
  expect(fresh.headers.get("content-type")).toBe("text/csv");
  expect(fresh.headers.get("x-amz-checksum-crc32")).not.toBeNull();
  expect(await fresh.text()).toBe("body");
  expect(calls[0]?.caller).toBe("AKIALINK");
  const stale = await fetch(url(Date.now() - 61_000));
  expect(stale.status).toBe(403);
  expect(await stale.text()).toContain("Request has expired");
});

test.each([
  ["PUT", `Content-Length: ${5 * 1024 ** 3 + 1}`, "EntityTooLarge"],
  ["PUT", "X-Note: no length", "MissingContentLength"],
])("%s with %s is refused before any byte: %s", async (method, header, code) => {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(s3.server.port, "127.0.0.1");
    socket.write(`${method} /${Bucket}/huge HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
    socket.once("error", reject);
    socket.once("data", (data) => {
      resolve(data.toString());
      socket.destroy();
    });
  });
  expect(answer).toContain(`<Code>${code}</Code>`);
});

test.each([
  ["/bad%E0key%", 400, "InvalidURI"],
  ["/Not_A_Bucket", 400, "InvalidBucketName"],
])("PUT %s is %i %s", async (path, status, code) => {
  const response = await fetch(s3.server.url + path, { method: "PUT" });
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(`<Code>${code}</Code>`);
});

test("text that no header can carry is refused when it is asked for", async () => {
  const name = encodeURIComponent('attachment; filename="文.txt"');
  const response = await fetch(`${s3.server.url}/${Bucket}/${Key}?response-content-disposition=${name}`);
  expect(await response.text()).toContain("<Code>InvalidArgument</Code>");
});
