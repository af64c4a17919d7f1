/** CopyObject, and finding the source that it and UploadPartCopy read. */
import { createReadStream } from "node:fs";
import { spoolStream } from "./body.ts";
import { promiseForCopy } from "./body-verifier.ts";
import type { BucketStore } from "./bucket-store.ts";
import { copySourceCondition, writeCondition } from "./conditions.ts";
import { attributesOf } from "./object-attributes.ts";
import { findObject } from "./object-read.ts";
import { publish, versionHeader } from "./object-write.ts";
import type { S3Context } from "./operation.ts";
import { type Reply, xmlReply } from "./reply.ts";
import { headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import type { StoredObject } from "./stored-version.ts";
import { isoTime, leaf } from "./xml-write.ts";

export interface CopySource {
  readonly bucket: BucketStore;
  readonly object: StoredObject;
  /** Response header naming the source's version, where the bucket has versions. */
  readonly headers: Record<string, string>;
}

/** CopyObject: bytes and attributes of another object, or its bytes under new attributes. */
export async function copyObject(context: S3Context, request: S3Request): Promise<Reply> {
  context.catalog.bucket(request.bucket);
  const source = findCopySource(context, request);
  const directive = headerOf(request, "x-amz-metadata-directive") ?? "COPY";
  if (directive !== "COPY" && directive !== "REPLACE") {
    throw new S3Error(
      "InvalidArgument",
      `x-amz-metadata-directive must be COPY or REPLACE, not ${directive}.`,
    );
  }
  const newest = source.bucket.currentObject(request.key);
  if (directive === "COPY" && newest === source.object && source.bucket.name === request.bucket) {
    throw new S3Error("InvalidRequest", "A copy of an object to itself must change its metadata (REPLACE).");
  }
  const { headers, metadata } = directive === "COPY" ? source.object : attributesOf(request);
  const check = writeCondition(request);
  const promise = promiseForCopy(headerOf(request, "x-amz-checksum-algorithm"), source.object.checksums);
  const bytes = createReadStream("", { fd: source.bucket.openData(source.object) });
  const body = await spoolStream(bytes, context.catalog.spool, promise);
  const draft = { key: request.key, etag: body.md5.toString("hex"), body, headers, metadata };
  const object = await publish(context, request, draft, "s3:ObjectCreated:Copy", check);
  return xmlReply("CopyObjectResult", copyResult(object), { ...versionHeader(object), ...source.headers });
}

/** Reads `x-amz-copy-source` and checks its conditions. Throws as GetObject would. */
export function findCopySource(context: S3Context, request: S3Request): CopySource {
  const header = headerOf(request, "x-amz-copy-source") ?? "";
  const [, path = "", version] = /^\/?(.*?)(?:\?versionId=([^?]*))?$/s.exec(header) ?? [];
  const slash = path.indexOf("/");
  if (slash < 1) throw new S3Error("InvalidArgument", `Copy source must be bucket/key, not "${header}".`);
  let key: string;
  try {
    key = decodeURIComponent(path.slice(slash + 1));
  } catch {
    throw new S3Error("InvalidArgument", `Copy source "${header}" is not percent-encoded UTF-8.`);
  }
  const bucket = context.catalog.bucket(path.slice(0, slash));
  const object = findObject(bucket, key, version ?? null);
  copySourceCondition(request, object);
  const versioned = bucket.settings.versioning !== "Unset";
  return { bucket, object, headers: versioned ? { "x-amz-copy-source-version-id": object.versionId } : {} };
}

/** ETag, time and checksums as they stand in both copy results. */
export function copyResult(copy: Pick<StoredObject, "etag" | "lastModified" | "checksums">): string[] {
  return [
    leaf("LastModified", isoTime(copy.lastModified)),
    leaf("ETag", `"${copy.etag}"`),
    ...Object.entries(copy.checksums).map(([algorithm, value]) => leaf(`Checksum${algorithm}`, value)),
  ];
}
