/** What the S3 adapter sends, and what it does when S3 breaks off. */
import { Readable } from "node:stream";
import type { GetObjectCommandInput } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { s3BlobStore } from "../../functions/_aws/s3-blob-store.ts";
import { allOf } from "../contract/all-of.ts";
import { type LocalS3, startLocalS3 } from "../contract/local-s3.ts";
import { fresh } from "../contract/records.ts";

const bucket = "contract";
const part = 8 * 1024 * 1024;
const range = 2 * 1024 * 1024;
let s3: LocalS3;
let commands: string[] = [];
let ranges: (string | undefined)[] = [];
/** Called before each GetObject; may throw, or say after how many bytes the body breaks off. */
let onGet: () => number | undefined | Promise<undefined> = () => undefined;

beforeAll(async () => {
  s3 = await startLocalS3();
  s3.client.middlewareStack.add(
    (next, context) => async (args) => {
      const name = String(context.commandName).replace(/Command$/, "");
      commands.push(name);
      if (name !== "GetObject") return next(args);
      ranges.push((args.input as GetObjectCommandInput).Range);
      const breakAfter = await onGet();
      const answer = await next(args);
      if (breakAfter === undefined) return answer;
      const Body = { transformToByteArray: () => Promise.reject(new Error(`cut after ${breakAfter}`)) };
      return { ...answer, output: { ...answer.output, Body } };
    },
    { step: "initialize" },
  );
});
afterEach(() => {
  commands = [];
  ranges = [];
  onGet = () => undefined;
});
afterAll(() => s3.close());

const write = async (bytes: number) => {
  const ref = { bucket, key: fresh("object") };
  await s3BlobStore(s3.client).write(ref, Buffer.alloc(bytes, "x"), "text/plain");
  commands = [];
  return ref;
};

test("a stream of less than a part is one put", async () => {
  const ref = { bucket, key: fresh("small") };
  await s3BlobStore(s3.client).write(ref, Readable.from([Buffer.from("a"), Buffer.from("b")]), "text/plain");
  expect(commands).toEqual(["PutObject"]);
});

test("a longer one goes in parts of 8 MiB", async () => {
  const ref = { bucket, key: fresh("long") };
  await s3BlobStore(s3.client).write(ref, Readable.from([Buffer.alloc(2 * part + 1)]), "text/plain");
  expect(commands).toEqual([
    "CreateMultipartUpload",
    ...Array.from({ length: 3 }, () => "UploadPart"),
    "CompleteMultipartUpload",
  ]);
  expect((await s3BlobStore(s3.client).head(ref))?.contentType).toBe("text/plain");
});

test("a source that breaks off takes its parts with it", async () => {
  async function* broken() {
    yield Buffer.alloc(part + 5);
    throw new Error("the source broke");
  }
  const written = s3BlobStore(s3.client).write({ bucket, key: fresh("broken") }, broken(), "text/plain");
  await expect(written).rejects.toThrow("the source broke");
  expect(commands).toEqual(["CreateMultipartUpload", "UploadPart", "AbortMultipartUpload"]);
});

test("a long object is streamed in ranges", async () => {
  const ref = await write(2 * range + 1);
  const chunks = await allOf(await s3BlobStore(s3.client).stream(ref));
  expect(chunks.map((chunk) => chunk.byteLength)).toEqual([range, range, 1]);
  expect(ranges).toEqual([
    `bytes=0-${range - 1}`,
    `bytes=${range}-${2 * range - 1}`,
    `bytes=${2 * range}-${3 * range - 1}`,
  ]);
});

test("a range whose body breaks off is asked for again", async () => {
  const ref = await write(range + 1);
  const breaks = [undefined, 5, 5, undefined];
  onGet = () => breaks.shift();
  const chunks = await allOf(await s3BlobStore(s3.client).stream(ref));
  expect(chunks.map((chunk) => chunk.byteLength)).toEqual([range, 1]);
  expect(ranges).toHaveLength(4);
});

test("four broken answers are the end", async () => {
  const ref = await write(10);
  onGet = () => 5;
  await expect(s3BlobStore(s3.client).stream(ref)).rejects.toThrow("cut after 5");
  expect(ranges).toHaveLength(4);
});

test("an object that is replaced while it is read is a conflict, not a mixture", async () => {
  const ref = await write(range + 1);
  onGet = async () => {
    if (ranges.length === 2)
      await s3BlobStore(s3.client).write(ref, Buffer.alloc(range + 1, "y"), "text/plain");
    return undefined;
  };
  const stream = await s3BlobStore(s3.client).stream(ref);
  await expect(allOf(stream)).rejects.toMatchObject({ kind: "transient", code: "conflict" });
});

test("the client finds an endpoint by IP address without being told its style", async () => {
  expect((await s3.client.config.region()).length).toBeGreaterThan(0);
  expect(s3.client.config.forcePathStyle).toBeFalsy();
  expect(await s3BlobStore(s3.client).head({ bucket, key: "nothing" })).toBeNull();
});
