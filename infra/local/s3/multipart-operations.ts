/** CreateMultipartUpload, UploadPart, UploadPartCopy, ListParts and AbortMultipartUpload. */
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { type Spooled, spoolBody, spoolStream } from "./body.ts";
import { promiseForCopy } from "./body-verifier.ts";
import { resolveCopyRange } from "./byte-range.ts";
import { checksumAlgorithm, checksumHeaders } from "./checksum.ts";
import { pageSize } from "./list-parameters.ts";
import type { StoredPart } from "./multipart-store.ts";
import { attributesOf } from "./object-attributes.ts";
import { copyResult, findCopySource } from "./object-copy.ts";
import type { S3Context } from "./operation.ts";
import { emptyReply, type Reply, xmlReply } from "./reply.ts";
import { headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import { element, isoTime, leaf } from "./xml-write.ts";

const maxPartNumber = 10_000;

/** The `uploadId` of a request; routing has made sure that it is there. */
export function uploadIdOf(request: S3Request): string {
  return request.query.get("uploadId") ?? "";
}

/** CreateMultipartUpload. */
export function createUpload(context: S3Context, request: S3Request): Reply {
  const bucket = context.catalog.bucket(request.bucket);
  if (headerOf(request, "x-amz-checksum-type") === "FULL_OBJECT") {
    throw new S3Error(
      "NotImplemented",
      "CreateMultipartUpload: checksum type FULL_OBJECT is not implemented.",
    );
  }
  const name = headerOf(request, "x-amz-checksum-algorithm");
  const checksum = name === undefined ? "NONE" : checksumAlgorithm(name);
  const uploadId = bucket.uploads.create({ key: request.key, checksum, ...attributesOf(request) });
  const headers: Record<string, string> = checksum === "NONE" ? {} : { "x-amz-checksum-algorithm": checksum };
  return xmlReply(
    "InitiateMultipartUploadResult",
    [leaf("Bucket", bucket.name), leaf("Key", request.key), leaf("UploadId", uploadId)],
    headers,
  );
}

/** UploadPart. */
export async function uploadPart(context: S3Context, request: S3Request): Promise<Reply> {
  checkUpload(context, request);
  const part = await storePart(context, request, await spoolBody(request, context.catalog.spool));
  return emptyReply(200, { etag: `"${part.etag}"`, ...checksumHeaders(part.checksums) });
}

/** UploadPartCopy: a part out of another object, or out of a range of it. */
export async function uploadPartCopy(context: S3Context, request: S3Request): Promise<Reply> {
  const upload = checkUpload(context, request);
  const source = findCopySource(context, request);
  const rangeHeader = headerOf(request, "x-amz-copy-source-range");
  const range = rangeHeader === undefined ? {} : resolveCopyRange(rangeHeader, source.object.size);
  const { checksum } = upload.plan;
  const promise = promiseForCopy(checksum === "NONE" ? undefined : checksum, {});
  const bytes = createReadStream("", { fd: source.bucket.openData(source.object), ...range });
  const part = await storePart(context, request, await spoolStream(bytes, context.catalog.spool, promise));
  return xmlReply("CopyPartResult", copyResult(part), source.headers);
}

function checkUpload(context: S3Context, request: S3Request) {
  const number = partNumberOf(request);
  if (number < 1 || number > maxPartNumber) {
    throw new S3Error(
      "InvalidArgument",
      `Part number must be an integer between 1 and ${maxPartNumber}, inclusive`,
    );
  }
  return context.catalog.bucket(request.bucket).uploads.get(uploadIdOf(request), request.key);
}

function partNumberOf(request: S3Request): number {
  const text = request.query.get("partNumber") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

async function storePart(context: S3Context, request: S3Request, body: Spooled): Promise<StoredPart> {
  try {
    const { uploads } = context.catalog.bucket(request.bucket);
    return uploads.putPart(uploadIdOf(request), request.key, partNumberOf(request), body);
  } catch (error) {
    // The upload may have been aborted while the part was coming in.
    await rm(body.path, { force: true });
    throw error;
  }
}

/** AbortMultipartUpload. */
export function abortUpload(context: S3Context, request: S3Request): Reply {
  const { uploads } = context.catalog.bucket(request.bucket);
  uploads.remove(uploads.get(uploadIdOf(request), request.key).id);
  return emptyReply(204);
}

/** ListParts. */
export function listParts(context: S3Context, request: S3Request): Reply {
  const bucket = context.catalog.bucket(request.bucket);
  const upload = bucket.uploads.get(uploadIdOf(request), request.key);
  const size = pageSize(request.query.get("max-parts"), "max-parts");
  const marker = Number(request.query.get("part-number-marker") ?? 0);
  const rest = [...upload.parts.values()]
    .filter((part) => part.number > marker)
    .sort((a, b) => a.number - b.number);
  const page = rest.slice(0, size);
  const { checksum } = upload.plan;
  return xmlReply("ListPartsResult", [
    leaf("Bucket", bucket.name),
    leaf("Key", request.key),
    leaf("UploadId", upload.id),
    leaf("ChecksumAlgorithm", checksum === "NONE" ? undefined : checksum),
    leaf("PartNumberMarker", marker),
    leaf("NextPartNumberMarker", page.at(-1)?.number),
    leaf("MaxParts", size),
    leaf("IsTruncated", size > 0 && page.length < rest.length),
    ...page.map(partXml),
  ]);
}

function partXml(part: StoredPart): string {
  return element(
    "Part",
    leaf("PartNumber", part.number),
    leaf("LastModified", isoTime(part.lastModified)),
    leaf("ETag", `"${part.etag}"`),
    leaf("Size", part.size),
    ...Object.entries(part.checksums).map(([algorithm, value]) => leaf(`Checksum${algorithm}`, value)),
  );
}
