/** Create, head, list and delete buckets; put and get their versioning. */
import { readDocument } from "./body.ts";
import type { S3Context } from "./operation.ts";
import { emptyReply, type Reply, xmlReply } from "./reply.ts";
import type { S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import { parseXml, refuseUnknownChildren, requiredText, textOf } from "./xml-read.ts";
import { element, isoTime, leaf } from "./xml-write.ts";

/** CreateBucket; a location constraint must be our region. */
export async function createBucket(context: S3Context, request: S3Request): Promise<Reply> {
  const body = await readDocument(request);
  if (body !== "") {
    const root = parseXml(body, "CreateBucketConfiguration");
    refuseUnknownChildren(root, ["LocationConstraint"], "CreateBucket");
    const location = textOf(root, "LocationConstraint");
    if (location !== undefined && location !== context.region) {
      throw new S3Error(
        "InvalidArgument",
        `The location constraint ${location} is not this region, ${context.region}.`,
      );
    }
  }
  context.catalog.create(request.bucket);
  return emptyReply(200, { location: `/${request.bucket}` });
}

/** HeadBucket. */
export function headBucket(context: S3Context, request: S3Request): Reply {
  context.catalog.bucket(request.bucket);
  return emptyReply(200, { "x-amz-bucket-region": context.region });
}

/** DeleteBucket. */
export function deleteBucket(context: S3Context, request: S3Request): Reply {
  context.catalog.delete(request.bucket);
  return emptyReply(204);
}

/** ListBuckets. */
export function listBuckets(context: S3Context): Reply {
  const buckets = context.catalog
    .list()
    .map((bucket) =>
      element("Bucket", leaf("Name", bucket.name), leaf("CreationDate", isoTime(bucket.settings.created))),
    );
  return xmlReply("ListAllMyBucketsResult", [element("Buckets", ...buckets)]);
}

/** PutBucketVersioning. */
export async function putVersioning(context: S3Context, request: S3Request): Promise<Reply> {
  const bucket = context.catalog.bucket(request.bucket);
  const root = parseXml(await readDocument(request), "VersioningConfiguration");
  refuseUnknownChildren(root, ["Status"], "PutBucketVersioning");
  const versioning = requiredText(root, "Status");
  if (versioning !== "Enabled" && versioning !== "Suspended") {
    throw new S3Error("MalformedXML", `<Status> must be Enabled or Suspended, not ${versioning}.`);
  }
  bucket.saveSettings({ versioning });
  return emptyReply(200);
}

/** GetBucketVersioning; empty while versioning was never set. */
export function getVersioning(context: S3Context, request: S3Request): Reply {
  const { versioning } = context.catalog.bucket(request.bucket).settings;
  return xmlReply("VersioningConfiguration", versioning === "Unset" ? [] : [leaf("Status", versioning)]);
}
