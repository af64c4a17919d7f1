/** DeleteObject and DeleteObjects. */

import { readDocument } from "./body.ts";
import type { BucketStore } from "./bucket-store.ts";
import type { S3Context } from "./operation.ts";
import { emptyReply, type Reply, xmlReply } from "./reply.ts";
import { headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import {
  childrenOf,
  parseXml,
  refuseUnknownChildren,
  requiredText,
  textOf,
  type XmlElement,
} from "./xml-read.ts";
import { element, leaf } from "./xml-write.ts";

/** S3's limit for one DeleteObjects. */
const maxKeys = 1000;

interface Target {
  readonly key: string;
  readonly versionId: string | undefined;
}

interface Deletion {
  /** The version that was removed or the marker that was made; undefined without versioning. */
  readonly versionId: string | undefined;
  readonly isMarker: boolean;
}

/** DeleteObject: removes the named version, or hides the key. */
export function deleteObject(context: S3Context, request: S3Request): Reply {
  if (headerOf(request, "if-match") !== undefined) {
    throw new S3Error("NotImplemented", "DeleteObject: If-Match is not implemented.");
  }
  const bucket = context.catalog.bucket(request.bucket);
  const deletion = deleteOne(bucket, request.key, request.query.get("versionId") ?? undefined);
  return emptyReply(204, {
    ...(deletion.versionId === undefined ? {} : { "x-amz-version-id": deletion.versionId }),
    ...(deletion.isMarker ? { "x-amz-delete-marker": "true" } : {}),
  });
}

function deleteOne(bucket: BucketStore, key: string, versionId: string | undefined): Deletion {
  if (versionId !== undefined) {
    return { versionId, isMarker: bucket.removeVersion(key, versionId)?.kind === "marker" };
  }
  const marker = bucket.hide(key);
  return { versionId: marker?.versionId, isMarker: marker !== undefined };
}

/** DeleteObjects: up to 1,000 keys in one request. */
export async function deleteObjects(context: S3Context, request: S3Request): Promise<Reply> {
  const bucket = context.catalog.bucket(request.bucket);
  const root = parseXml(await readDocument(request), "Delete");
  refuseUnknownChildren(root, ["Object", "Quiet"], "DeleteObjects");
  const objects = childrenOf(root, "Object");
  if (objects.length === 0 || objects.length > maxKeys) {
    throw new S3Error("MalformedXML", `DeleteObjects takes 1 to ${maxKeys} keys, not ${objects.length}.`);
  }
  // All of them are read before the first is deleted: a malformed request must change nothing.
  const targets = objects.map(readTarget);
  const quiet = textOf(root, "Quiet") === "true";
  const answers = targets.map((target) => deletedXml(bucket, target));
  return xmlReply("DeleteResult", quiet ? [] : answers);
}

function readTarget(object: XmlElement): Target {
  refuseUnknownChildren(object, ["Key", "VersionId"], "DeleteObjects");
  return { key: requiredText(object, "Key"), versionId: textOf(object, "VersionId") };
}

function deletedXml(bucket: BucketStore, { key, versionId }: Target): string {
  const deletion = deleteOne(bucket, key, versionId);
  return element(
    "Deleted",
    leaf("Key", key),
    leaf("VersionId", versionId),
    leaf("DeleteMarker", deletion.isMarker || undefined),
    leaf("DeleteMarkerVersionId", deletion.isMarker ? deletion.versionId : undefined),
  );
}
