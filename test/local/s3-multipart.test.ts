/** Multipart uploads: parts, copies of parts, refusals and conditional completion. */
import { createHash } from "node:crypto";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openS3, refusal, type S3Fixture } from "./s3-fixture.ts";

const partBytes = 5 * 1024 ** 2;
let s3: S3Fixture;
let Bucket: string;

beforeAll(async () => {
  s3 = await openS3();
  Bucket = await s3.bucket("Enabled");
});
afterAll(() => s3.close());

async function start(Key: string, more: object = {}) {
  const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }));
  const upload = { Bucket, Key, UploadId };
  return {
    upload,
    part: async (PartNumber: number, Body: Buffer) => {
      const sent = await s3.client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
      return { PartNumber, ETag: sent.ETag, ChecksumCRC32: sent.ChecksumCRC32 };
    },
    complete: (Parts: object[], conditions: object = {}) =>
      s3.client.send(
        new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...conditions }),
      ),
  };
}

function md5(bytes: Buffer): Buffer {
  return createHash("md5").update(bytes).digest();
}

test("parts in any order become one object with the metadata of the start", async () => {
  const { upload, part, complete } = await start("big", {
    ChecksumAlgorithm: "CRC32",
    ContentType: "text/x",
    Metadata: { a: "1" },
  });
  const first = Buffer.alloc(partBytes, "a");
  const last = Buffer.from("the end");
  const parts = [await part(2, last), await part(1, Buffer.from("replaced below")), await part(1, first)];
  const listed = await s3.client.send(new ListPartsCommand({ ...upload, MaxParts: 1 }));
  expect(listed).toMatchObject({
    IsTruncated: true,
    NextPartNumberMarker: "1",
    Parts: [{ Size: partBytes }],
  });
  const done = await complete([parts[2] ?? {}, parts[0] ?? {}]);
  const etag = createHash("md5")
    .update(Buffer.concat([md5(first), md5(last)]))
    .digest("hex");
  expect(done).toMatchObject({ ETag: `"${etag}-2"`, ChecksumCRC32: expect.stringMatching(/-2$/) });
  const got = await s3.client.send(new GetObjectCommand({ Bucket, Key: "big" }));
  expect(got).toMatchObject({ ContentType: "text/x", Metadata: { a: "1" }, VersionId: done.VersionId });
  const bytes = Buffer.from((await got.Body?.transformToByteArray()) ?? []);
  expect(bytes.equals(Buffer.concat([first, last]))).toBe(true);
  await expect(complete([])).rejects.toMatchObject(refusal("NoSuchUpload", 404));
});

test("parts can be copied out of another object", async () => {
  const source = Buffer.concat([Buffer.alloc(partBytes, "x"), Buffer.from("tail")]);
  await s3.client.send(new PutObjectCommand({ Bucket, Key: "source", Body: source }));
  const { upload, complete } = await start("copied");
  const CopySource = `${Bucket}/source`;
  const copy = async (PartNumber: number, CopySourceRange: string) => {
    const copied = await s3.client.send(
      new UploadPartCopyCommand({ ...upload, PartNumber, CopySource, CopySourceRange }),
    );
    return { PartNumber, ETag: copied.CopyPartResult?.ETag };
  };
  await complete([
    await copy(1, `bytes=0-${partBytes - 1}`),
    await copy(2, `bytes=${partBytes}-${partBytes + 3}`),
  ]);
  const got = await s3.client.send(new GetObjectCommand({ Bucket, Key: "copied", Range: "bytes=-5" }));
  expect(await got.Body?.transformToString()).toBe("xtail");
  await expect(copy(3, `bytes=0-${source.length}`)).rejects.toMatchObject(refusal("NoSuchUpload", 404));
});

test("an aborted upload is gone", async () => {
  const { upload, part } = await start("aborted");
  await part(1, Buffer.from("x"));
  await s3.client.send(new AbortMultipartUploadCommand(upload));
  await expect(part(2, Buffer.from("y"))).rejects.toMatchObject(refusal("NoSuchUpload", 404));
  await expect(s3.client.send(new HeadObjectCommand({ Bucket, Key: "aborted" }))).rejects.toMatchObject(
    refusal("NotFound", 404),
  );
});

test("what does not fit together is refused, and the upload can still be completed", async () => {
  const { part, complete } = await start("picky");
  const one = await part(1, Buffer.from("small"));
  const two = await part(2, Buffer.from("small too"));
  await expect(complete([one, two])).rejects.toMatchObject(refusal("EntityTooSmall", 400));
  await expect(complete([two, one])).rejects.toMatchObject(refusal("InvalidPartOrder", 400));
  await expect(complete([{ ...one, ETag: two.ETag }])).rejects.toMatchObject(refusal("InvalidPart", 400));
  await expect(complete([{ ...one, PartNumber: 9 }])).rejects.toMatchObject(refusal("InvalidPart", 400));
  await expect(part(10_001, Buffer.from("x"))).rejects.toMatchObject(refusal("InvalidArgument", 400));
  await complete([two]);
});

test("completion can be conditional", async () => {
  await s3.client.send(new PutObjectCommand({ Bucket, Key: "taken", Body: "first" }));
  const { part, complete } = await start("taken");
  const only = await part(1, Buffer.from("second"));
  await expect(complete([only], { IfNoneMatch: "*" })).rejects.toMatchObject(
    refusal("PreconditionFailed", 412),
  );
  await complete([only]);
});
