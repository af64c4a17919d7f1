/** Objects through the real SDK: bytes, keys, ranges, conditions, copies, and the names of errors. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openS3, refusal, type S3Fixture } from "./s3-fixture.ts";

let s3: S3Fixture;
let Bucket: string;

beforeAll(async () => {
  s3 = await openS3();
  Bucket = await s3.bucket();
});
afterAll(() => s3.close());

async function put(Key: string, Body: string, more: object = {}) {
  return s3.client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
}

async function text(Key: string, more: object = {}): Promise<string | undefined> {
  const object = await s3.client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return object.Body?.transformToString();
}

describe("put and get", () => {
  test("keeps bytes, metadata and headers, and answers with MD5 and CRC32", async () => {
    const written = await put("full", "hello", {
      ContentType: "text/plain",
      ContentEncoding: "gzip",
      CacheControl: "no-store",
      ContentDisposition: "inline",
      Metadata: { reviewer: "li", "batch-id": "7" },
    });
    expect(written).toMatchObject({ ETag: '"5d41402abc4b2a76b9719d911017c592"', ChecksumCRC32: "NhCmhg==" });
    const kept = {
      ContentType: "text/plain",
      ContentEncoding: "gzip",
      CacheControl: "no-store",
      ContentDisposition: "inline",
      ContentLength: 5,
      ETag: written.ETag,
      Metadata: { reviewer: "li", "batch-id": "7" },
    };
    expect(await s3.client.send(new HeadObjectCommand({ Bucket, Key: "full" }))).toMatchObject(kept);
    expect(await s3.client.send(new GetObjectCommand({ Bucket, Key: "full" }))).toMatchObject(kept);
    expect(await text("full")).toBe("hello");
  });

  test("a streamed body arrives without its aws-chunked framing and keeps its own encoding", async () => {
    const pieces = [Buffer.alloc(70_000, "a"), Buffer.alloc(3, "b"), Buffer.alloc(200_000, "c")];
    const ContentLength = 270_003;
    const Body = Readable.from(pieces, { objectMode: false });
    await s3.client.send(
      new PutObjectCommand({ Bucket, Key: "stream", Body, ContentLength, ContentEncoding: "gzip" }),
    );
    const got = await s3.client.send(new GetObjectCommand({ Bucket, Key: "stream" }));
    expect(got.ContentEncoding).toBe("gzip");
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(Buffer.concat(pieces))).toBe(
      true,
    );
  });

  test("an empty object is an object", async () => {
    await put("empty", "", { ContentLength: 0 });
    expect(await text("empty")).toBe("");
  });

  test("an overwrite replaces everything", async () => {
    await put("twice", "one", { Metadata: { a: "1" } });
    await put("twice", "two");
    const got = await s3.client.send(new GetObjectCommand({ Bucket, Key: "twice" }));
    expect(got.Metadata).toEqual({});
    expect(await got.Body?.transformToString()).toBe("two");
  });

  test.each([
    ["Content-MD5", { ContentMD5: createHash("md5").update("other").digest("base64") }],
    ["CRC32", { ChecksumCRC32: "AAAAAA==" }],
    ["SHA256", { ChecksumSHA256: createHash("sha256").update("other").digest("base64") }],
  ])("a wrong %s is BadDigest and nothing is stored", async (_name, promise) => {
    await expect(put("bad", "body", promise)).rejects.toMatchObject(refusal("BadDigest", 400));
    await expect(text("bad")).rejects.toMatchObject(refusal("NoSuchKey", 404));
  });

  test("a right SHA256 is stored and returned", async () => {
    const ChecksumSHA256 = createHash("sha256").update("body").digest("base64");
    await put("sha", "body", { ChecksumSHA256 });
    const head = await s3.client.send(new HeadObjectCommand({ Bucket, Key: "sha", ChecksumMode: "ENABLED" }));
    expect(head.ChecksumSHA256).toBe(ChecksumSHA256);
  });
});

const weirdKeys = [
  "a b.txt",
  "a+b.txt",
  "100%.txt",
  "%20",
  "中文/文件 名.png",
  "emoji-😀.bin",
  "a//b",
  "dir/",
  "/leading",
  "a/../b?",
  "./c",
  "we!rd'(x)*~&=@:,$;#?%20.txt",
  "UPPER.txt",
  "upper.txt",
  "cafe\u0301",
  "café",
  "line\nbreak\r<&>\"'",
  "x".repeat(1024),
];

test.each(weirdKeys)("key %j survives put, get, head, list and delete", async (Key) => {
  await put(Key, `body of ${Key}`);
  expect(await text(Key)).toBe(`body of ${Key}`);
  await s3.client.send(new HeadObjectCommand({ Bucket, Key }));
  const listed = await s3.client.send(new ListObjectsV2Command({ Bucket, Prefix: Key }));
  expect(listed.Contents?.map((object) => object.Key)).toContain(Key);
  const CopySource = `${Bucket}/${encodeURIComponent(Key)}`;
  await s3.client.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource }));
  expect(await text("copy")).toBe(`body of ${Key}`);
  await s3.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key }] } }));
  await expect(text(Key)).rejects.toMatchObject(refusal("NoSuchKey", 404));
});

test("a key over 1,024 bytes is refused", async () => {
  await expect(put("文".repeat(342), "x")).rejects.toMatchObject(refusal("KeyTooLongError", 400));
});

describe("ranges", () => {
  beforeAll(async () => {
    await put("digits", "0123456789");
  });

  test.each([
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=8-99", "89", "bytes 8-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
  ])("%s", async (Range, body, ContentRange) => {
    const got = await s3.client.send(new GetObjectCommand({ Bucket, Key: "digits", Range }));
    expect(got).toMatchObject({ ContentRange, $metadata: { httpStatusCode: 206 } });
    expect(await got.Body?.transformToString()).toBe(body);
  });

  test.each(["bytes=10-", "bytes=99-100", "bytes=-0"])("%s is outside", async (Range) => {
    await expect(text("digits", { Range })).rejects.toMatchObject(refusal("InvalidRange", 416));
  });

  test("what is not one byte range is ignored", async () => {
    expect(await text("digits", { Range: "lines=1-2" })).toBe("0123456789");
  });
});

describe("conditions", () => {
  test("reads: If-Match and If-None-Match", async () => {
    const { ETag } = await put("cond", "v");
    expect(await text("cond", { IfMatch: ETag })).toBe("v");
    await expect(text("cond", { IfMatch: '"no"' })).rejects.toMatchObject(refusal("PreconditionFailed", 412));
    expect(await text("cond", { IfNoneMatch: '"no"' })).toBe("v");
    await expect(text("cond", { IfNoneMatch: ETag })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 304 },
    });
  });

  test("writes: If-None-Match: * and If-Match", async () => {
    const first = await put("once", "1", { IfNoneMatch: "*" });
    await expect(put("once", "2", { IfNoneMatch: "*" })).rejects.toMatchObject(
      refusal("PreconditionFailed", 412),
    );
    await expect(put("once", "3", { IfMatch: '"no"' })).rejects.toMatchObject(
      refusal("PreconditionFailed", 412),
    );
    await expect(put("never", "4", { IfMatch: '"no"' })).rejects.toMatchObject(refusal("NoSuchKey", 404));
    await put("once", "5", { IfMatch: first.ETag });
    expect(await text("once")).toBe("5");
  });

  test("of 20 racing creators exactly one wins, and its bytes are there", async () => {
    const racers = Array.from({ length: 20 }, (_, index) =>
      put("race", `racer ${index}`, { IfNoneMatch: "*" }),
    );
    const results = await Promise.allSettled(racers);
    const winners = results.flatMap((result, index) => (result.status === "fulfilled" ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(await text("race")).toBe(`racer ${winners[0]}`);
  });
});

describe("copy", () => {
  test("keeps attributes, or replaces them", async () => {
    await put("from", "bytes", { ContentType: "text/x", Metadata: { a: "1" } });
    const CopySource = `${Bucket}/from`;
    const copied = await s3.client.send(new CopyObjectCommand({ Bucket, Key: "kept", CopySource }));
    expect(copied.CopyObjectResult?.ETag).toBe(`"${createHash("md5").update("bytes").digest("hex")}"`);
    const kept = await s3.client.send(new HeadObjectCommand({ Bucket, Key: "kept" }));
    expect(kept).toMatchObject({ ContentType: "text/x", Metadata: { a: "1" } });
    await s3.client.send(
      new CopyObjectCommand({
        Bucket,
        Key: "from",
        CopySource,
        MetadataDirective: "REPLACE",
        Metadata: { b: "2" },
      }),
    );
    const replaced = await s3.client.send(new HeadObjectCommand({ Bucket, Key: "from" }));
    expect(replaced.Metadata).toEqual({ b: "2" });
    expect(await text("from")).toBe("bytes");
  });

  test("to itself without new metadata is refused, and so is a stale source", async () => {
    await put("self", "x");
    const self = { Bucket, Key: "self", CopySource: `${Bucket}/self` };
    await expect(s3.client.send(new CopyObjectCommand(self))).rejects.toMatchObject(
      refusal("InvalidRequest", 400),
    );
    const stale = { ...self, Key: "other", CopySourceIfMatch: '"no"' };
    await expect(s3.client.send(new CopyObjectCommand(stale))).rejects.toMatchObject(
      refusal("PreconditionFailed", 412),
    );
  });
});

test("what is not there has S3's own error names", async () => {
  await expect(text("missing")).rejects.toMatchObject(refusal("NoSuchKey", 404));
  const head = s3.client.send(new HeadObjectCommand({ Bucket, Key: "missing" }));
  await expect(head).rejects.toMatchObject(refusal("NotFound", 404));
  const elsewhere = s3.client.send(new GetObjectCommand({ Bucket: "no-such-bucket", Key: "k" }));
  await expect(elsewhere).rejects.toMatchObject(refusal("NoSuchBucket", 404));
  const bucket = s3.client.send(new HeadBucketCommand({ Bucket: "no-such-bucket" }));
  await expect(bucket).rejects.toMatchObject(refusal("NotFound", 404));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: "missing" }));
});

test("lists its buckets", async () => {
  const { Buckets } = await s3.client.send(new ListBucketsCommand({}));
  expect(Buckets?.map((bucket) => bucket.Name)).toContain(Bucket);
});
