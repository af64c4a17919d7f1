/** PutObject, and the one way in which every kind of write becomes visible and is announced. */
import { rm } from "node:fs/promises";
import { spoolBody } from "./body.ts";
import type { BucketStore, ObjectDraft } from "./bucket-store.ts";
import { checksumHeaders } from "./checksum.ts";
import { writeCondition } from "./conditions.ts";
import { announce, noteUnannounced } from "./notification-operations.ts";
import type { ObjectCreatedEvent } from "./notification-rule.ts";
import { attributesOf } from "./object-attributes.ts";
import type { S3Context } from "./operation.ts";
import { emptyReply, type Reply } from "./reply.ts";
import type { S3Request } from "./request.ts";
import { nullVersionId, type StoredObject } from "./stored-version.ts";

/** PutObject. */
export async function putObject(context: S3Context, request: S3Request): Promise<Reply> {
  context.catalog.bucket(request.bucket);
  const attributes = attributesOf(request);
  const check = writeCondition(request);
  const body = await spoolBody(request, context.catalog.spool);
  const draft = { key: request.key, etag: body.md5.toString("hex"), body, ...attributes };
  const object = await publish(context, request, draft, "s3:ObjectCreated:Put", check);
  return emptyReply(200, {
    etag: `"${object.etag}"`,
    ...versionHeader(object),
    ...checksumHeaders(object.checksums),
  });
}

/** Commits a draft under its condition, then announces it. The spooled file never outlives a refusal. */
export async function publish(
  context: S3Context,
  request: S3Request,
  draft: ObjectDraft,
  event: ObjectCreatedEvent,
  check: (current: StoredObject | undefined) => void,
): Promise<StoredObject> {
  let bucket: BucketStore;
  let object: StoredObject;
  let forget = (): void => {};
  try {
    // Looked up again: the bucket may have been deleted while the body was coming in.
    bucket = context.catalog.bucket(request.bucket);
    forget = noteUnannounced(context, request, bucket, event, draft.key);
    object = bucket.commit(draft, check);
  } catch (error) {
    forget();
    await rm(draft.body.path, { force: true });
    throw error;
  }
  await announce(context, request, bucket, event, object);
  forget();
  return object;
}

/** `x-amz-version-id` of a write, absent while versioning is off. */
export function versionHeader(object: StoredObject): Record<string, string> {
  return object.versionId === nullVersionId ? {} : { "x-amz-version-id": object.versionId };
}
