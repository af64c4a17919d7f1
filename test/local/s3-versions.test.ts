/** Versioned buckets: old versions, delete markers, the null version, and version pages. */
import {
  CopyObjectCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openS3, refusal, type S3Fixture, setVersioning } from "./s3-fixture.ts";

let s3: S3Fixture;

beforeAll(async () => {
  s3 = await openS3();
});
afterAll(() => s3.close());

async function put(Bucket: string, Key: string, Body: string): Promise<string | undefined> {
  return (await s3.client.send(new PutObjectCommand({ Bucket, Key, Body }))).VersionId;
}

async function text(Bucket: string, Key: string, VersionId?: string): Promise<string | undefined> {
  const object = await s3.client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
  return object.Body?.transformToString();
}

async function versions(Bucket: string) {
  const listed = await s3.client.send(new ListObjectVersionsCommand({ Bucket }));
  return { versions: listed.Versions ?? [], markers: listed.DeleteMarkers ?? [] };
}

test("an overwritten version stays readable by its id", async () => {
  const bucket = await s3.bucket("Enabled");
  const first = await put(bucket, "k", "first");
  const second = await put(bucket, "k", "second");
  expect(first).not.toBe(second);
  expect(await text(bucket, "k")).toBe("second");
  expect(await text(bucket, "k", first)).toBe("first");
  await s3.client.send(
    new CopyObjectCommand({ Bucket: bucket, Key: "old", CopySource: `${bucket}/k?versionId=${first}` }),
  );
  expect(await text(bucket, "old")).toBe("first");
  await expect(text(bucket, "k", "0".repeat(32))).rejects.toMatchObject(refusal("NoSuchVersion", 404));
});

test("a delete hides the key behind a marker; removing the marker brings it back", async () => {
  const Bucket = await s3.bucket("Enabled");
  const id = await put(Bucket, "k", "body");
  const deleted = await s3.client.send(new DeleteObjectCommand({ Bucket, Key: "k" }));
  expect(deleted.DeleteMarker).toBe(true);
  await expect(text(Bucket, "k")).rejects.toMatchObject(refusal("NoSuchKey", 404));
  await expect(text(Bucket, "k", deleted.VersionId)).rejects.toMatchObject(refusal("MethodNotAllowed", 405));
  expect((await s3.client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0);
  const listed = await versions(Bucket);
  expect(listed.markers).toMatchObject([{ Key: "k", IsLatest: true, VersionId: deleted.VersionId }]);
  expect(listed.versions).toMatchObject([{ Key: "k", IsLatest: false, VersionId: id, Size: 4 }]);
  await s3.client.send(new PutObjectCommand({ Bucket, Key: "k", Body: "new", IfNoneMatch: "*" }));
  expect(await text(Bucket, "k")).toBe("new");
  const removal = { Objects: [{ Key: "k", VersionId: deleted.VersionId }] };
  const removed = await s3.client.send(new DeleteObjectsCommand({ Bucket, Delete: removal }));
  expect(removed.Deleted).toMatchObject([{ DeleteMarker: true, DeleteMarkerVersionId: deleted.VersionId }]);
  expect((await versions(Bucket)).markers).toEqual([]);
});

test("objects from before versioning keep the null version; a suspended bucket overwrites only that", async () => {
  const Bucket = await s3.bucket();
  expect(await put(Bucket, "k", "plain")).toBeUndefined();
  await setVersioning(s3.client, Bucket, "Enabled");
  const id = await put(Bucket, "k", "versioned");
  expect(await text(Bucket, "k", "null")).toBe("plain");
  await setVersioning(s3.client, Bucket, "Suspended");
  await put(Bucket, "k", "plain again");
  expect((await versions(Bucket)).versions.map((version) => version.VersionId)).toEqual(["null", id]);
  expect(await text(Bucket, "k")).toBe("plain again");
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: "k" }));
  expect((await versions(Bucket)).markers).toMatchObject([{ VersionId: "null" }]);
  expect(await text(Bucket, "k", id)).toBe("versioned");
});

test("versioning is reported, and absent until it is set", async () => {
  const Bucket = await s3.bucket();
  const read = async () => (await s3.client.send(new GetBucketVersioningCommand({ Bucket }))).Status;
  expect(await read()).toBeUndefined();
  await setVersioning(s3.client, Bucket, "Enabled");
  expect(await read()).toBe("Enabled");
});

test("a bucket with an old version is not empty", async () => {
  const Bucket = await s3.bucket("Enabled");
  const VersionId = await put(Bucket, "k", "x");
  const marker = await s3.client.send(new DeleteObjectCommand({ Bucket, Key: "k" }));
  await expect(s3.client.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject(
    refusal("BucketNotEmpty", 409),
  );
  for (const id of [VersionId, marker.VersionId]) {
    await s3.client.send(new DeleteObjectCommand({ Bucket, Key: "k", VersionId: id }));
  }
  await s3.client.send(new DeleteBucketCommand({ Bucket }));
  await expect(s3.client.send(new HeadObjectCommand({ Bucket, Key: "k" }))).rejects.toMatchObject(
    refusal("NotFound", 404),
  );
});

test("version pages continue inside a key, by key and version marker", async () => {
  const Bucket = await s3.bucket("Enabled");
  const written: (string | undefined)[] = [];
  for (const key of ["a", "b"])
    for (const body of ["1", "2", "3"]) written.push(await put(Bucket, key, body));
  const seen: (string | undefined)[] = [];
  let page: { KeyMarker?: string; VersionIdMarker?: string } = {};
  for (;;) {
    const listed = await s3.client.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 2, ...page }));
    seen.push(...(listed.Versions ?? []).map((version) => version.VersionId));
    if (!listed.IsTruncated) break;
    page = { KeyMarker: listed.NextKeyMarker, VersionIdMarker: listed.NextVersionIdMarker };
  }
  const [a1, a2, a3, b1, b2, b3] = written;
  expect(seen).toEqual([a3, a2, a1, b3, b2, b1]);
});
