/** The server as a process: kill -9 and restart, leftovers of a crash, memory under large bodies. */
import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetBucketNotificationConfigurationCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Sequence } from "../../infra/local/s3/sequence.ts";
import { clientOf, setVersioning } from "./s3-fixture.ts";

const mebibyte = 1024 ** 2;
const Bucket = "durable";
let directory: string;
let child: ChildProcess;
let client: S3Client;
let url: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "s3-process-"));
  await startServer();
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterEach(async () => {
  await killServer();
  rmSync(directory, { recursive: true });
});

async function startServer(): Promise<void> {
  child = fork(join(import.meta.dirname, "s3-child.ts"), [directory], { execArgv: [] });
  const [message] = await once(child, "message");
  url = message.url;
  client = clientOf(url);
}

async function killServer(): Promise<void> {
  client.destroy();
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function memory(): Promise<{ rss: number; peak: number }> {
  child.send("memory");
  const [message] = await once(child, "message");
  return message;
}

async function text(Key: string, VersionId?: string): Promise<string | undefined> {
  return (await client.send(new GetObjectCommand({ Bucket, Key, VersionId }))).Body?.transformToString();
}

test("everything survives kill -9: versions, markers, settings, metadata, parts", async () => {
  await setVersioning(client, Bucket, "Enabled");
  const QueueArn = "arn:aws:sqs:eu-west-1:000000000000:q";
  const QueueConfigurations = [{ QueueArn, Events: ["s3:ObjectCreated:Put" as const] }];
  await client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: { QueueConfigurations },
    }),
  );
  const Key = "文 件/+%.txt";
  const old = await client.send(new PutObjectCommand({ Bucket, Key, Body: "old", Metadata: { a: "1" } }));
  await client.send(new PutObjectCommand({ Bucket, Key, Body: "new", ContentType: "text/x" }));
  const upload = { Bucket, Key: "parts", UploadId: "" };
  upload.UploadId = (await client.send(new CreateMultipartUploadCommand(upload))).UploadId ?? "";
  const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: "part one" }));

  await killServer();
  await startServer();

  expect(await text(Key)).toBe("new");
  const read = await client.send(new GetObjectCommand({ Bucket, Key, VersionId: old.VersionId }));
  expect(read.Metadata).toEqual({ a: "1" });
  expect(await read.Body?.transformToString()).toBe("old");
  const settings = await client.send(new GetBucketNotificationConfigurationCommand({ Bucket }));
  expect(settings.QueueConfigurations).toMatchObject([{ QueueArn, Events: ["s3:ObjectCreated:Put"] }]);
  const newest = await client.send(new PutObjectCommand({ Bucket, Key, Body: "newest" }));
  const { Versions } = await client.send(new ListObjectVersionsCommand({ Bucket }));
  expect(Versions?.[0]?.VersionId).toBe(newest.VersionId);
  expect(Versions).toHaveLength(3);
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }));
  expect(await text("parts")).toBe("part one");
});

test("what a crash left half written is swept, and no key is part of a file name", async () => {
  await client.send(new PutObjectCommand({ Bucket, Key: "kept-key", Body: "kept" }));
  await killServer();
  const files = (): string[] =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const before = files();
  const data = before.find((file) => file.endsWith(".data")) ?? "";
  writeFileSync(data.replace(".data", "1.data"), "renamed, but its metadata was never written");
  writeFileSync(data.replace(".data", ".json.draft"), "{");
  writeFileSync(join(directory, "spool", "1-1"), "half a body");
  await startServer();
  expect(files().sort()).toEqual(before.sort());
  expect(before.join()).not.toContain("kept-key");
  expect(await text("kept-key")).toBe("kept");
});

test("an upload broken off by its client leaves nothing behind", async () => {
  const spooledFiles = (): string[] => readdirSync(join(directory, "spool"));
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`PUT /${Bucket}/cut HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nonly this`);
  await expect.poll(spooledFiles).toHaveLength(1);
  socket.destroy();
  await expect.poll(spooledFiles).toEqual([]);
  await expect(text("cut")).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("sequencers grow across restarts even when the clock went back", () => {
  const file = join(directory, "sequence-test.json");
  const now = Date.now();
  const before = new Sequence(file, now).next();
  const after = new Sequence(file, now - 86_400_000).next();
  expect(after > before).toBe(true);
  expect(after).toMatch(/^[0-9A-F]{18}$/);
});

test("200 MB in and out do not grow the server's memory", async () => {
  const block = Buffer.alloc(mebibyte, "0123456789abcdef");
  const roundTrip = async (blocks: number): Promise<void> => {
    const source = function* (): Generator<Buffer> {
      for (let index = 0; index < blocks; index += 1) yield block;
    };
    const Body = Readable.from(source(), { objectMode: false });
    const object = { Bucket, Key: "large" };
    const ContentLength = blocks * mebibyte;
    const { ETag } = await client.send(new PutObjectCommand({ ...object, Body, ContentLength }));
    const got = await client.send(new GetObjectCommand(object));
    const md5 = createHash("md5");
    for await (const chunk of got.Body as Readable) md5.update(chunk);
    expect(ETag).toBe(`"${md5.digest("hex")}"`);
  };
  // A fresh process grows with its first requests, whatever their size.
  await roundTrip(16);
  const { rss } = await memory();
  await roundTrip(200);
  const { peak } = await memory();
  expect((peak - rss) / mebibyte).toBeLessThan(80);
});
