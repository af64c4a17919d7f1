/** GetObject and HeadObject. */
import { createReadStream } from "node:fs";
import type { BucketStore } from "./bucket-store.ts";
import { resolveRange } from "./byte-range.ts";
import { checksumHeaders } from "./checksum.ts";
import { readCondition } from "./conditions.ts";
import { attributeHeaders } from "./object-attributes.ts";
import type { S3Context } from "./operation.ts";
import { emptyReply, type Reply } from "./reply.ts";
import { headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import type { DeleteMarker, StoredObject } from "./stored-version.ts";

/** GetObject: the bytes, or a range of them. */
export function getObject(context: S3Context, request: S3Request): Reply {
  const bucket = context.catalog.bucket(request.bucket);
  const object = findObject(bucket, request.key, request.query.get("versionId"));
  const reply = describe(bucket, object, request);
  if (reply.status === 304 || Number(reply.headers["content-length"]) === 0) return reply;
  const range = resolveRange(headerOf(request, "range"), object.size);
  return { ...reply, body: createReadStream("", { fd: bucket.openData(object), ...range }) };
}

/** HeadObject: the same headers and no bytes. */
export function headObject(context: S3Context, request: S3Request): Reply {
  const bucket = context.catalog.bucket(request.bucket);
  return describe(bucket, findObject(bucket, request.key, request.query.get("versionId")), request);
}

/** The named version, or the current one. Throws NoSuchKey, NoSuchVersion, or MethodNotAllowed for a delete marker. */
export function findObject(bucket: BucketStore, key: string, versionId: string | null): StoredObject {
  const versions = bucket.versionsOf(key);
  if (versionId === null) {
    const newest = versions[0];
    if (newest?.kind === "object") return newest;
    throw new S3Error("NoSuchKey", `The specified key does not exist: ${key}`, markerHeaders(newest));
  }
  const version = versions.find((candidate) => candidate.versionId === versionId);
  if (version === undefined) {
    throw new S3Error("NoSuchVersion", `The specified version does not exist: ${versionId} of ${key}`);
  }
  if (version.kind === "object") return version;
  throw new S3Error("MethodNotAllowed", "The specified version is a delete marker.", markerHeaders(version));
}

function markerHeaders(marker: DeleteMarker | undefined): Record<string, string> {
  return marker === undefined ? {} : { "x-amz-delete-marker": "true", "x-amz-version-id": marker.versionId };
}

function describe(bucket: BucketStore, object: StoredObject, request: S3Request): Reply {
  const identity: Record<string, string> = {
    etag: `"${object.etag}"`,
    "last-modified": new Date(object.lastModified).toUTCString(),
    ...(bucket.settings.versioning === "Unset" ? {} : { "x-amz-version-id": object.versionId }),
  };
  if (readCondition(request, object) === "not-modified") return emptyReply(304, identity);
  const range = resolveRange(headerOf(request, "range"), object.size);
  const headers = { ...identity, ...attributeHeaders(object, request), "accept-ranges": "bytes" };
  if (range !== undefined) {
    return emptyReply(206, {
      ...headers,
      "content-length": String(range.end - range.start + 1),
      "content-range": `bytes ${range.start}-${range.end}/${object.size}`,
    });
  }
  const checksums =
    headerOf(request, "x-amz-checksum-mode") === "ENABLED" ? checksumHeaders(object.checksums) : {};
  return emptyReply(200, { ...headers, ...checksums, "content-length": String(object.size) });
}
