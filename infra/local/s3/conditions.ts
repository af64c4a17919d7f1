/** Conditional reads and writes over ETags and dates; pure. */
import { headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import type { StoredObject } from "./stored-version.ts";

function matches(header: string, etag: string): boolean {
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, "").replaceAll('"', ""));
  return tags.includes("*") || tags.includes(etag);
}

function failed(header: string): S3Error {
  return new S3Error(
    "PreconditionFailed",
    `At least one of the pre-conditions you specified did not hold: ${header}`,
  );
}

/** The check of a conditional write, to be run in the same instant as the write. Throws on other forms than S3's. */
export function writeCondition(request: S3Request): (current: StoredObject | undefined) => void {
  const ifMatch = headerOf(request, "if-match");
  const ifNoneMatch = headerOf(request, "if-none-match");
  if (ifNoneMatch !== undefined && ifNoneMatch !== "*") {
    throw new S3Error(
      "NotImplemented",
      "A write can only be conditional on If-None-Match: * or on If-Match.",
    );
  }
  return (current) => {
    if (ifNoneMatch !== undefined && current !== undefined) throw failed("If-None-Match");
    if (ifMatch === undefined) return;
    if (current === undefined) throw new S3Error("NoSuchKey", "If-Match: the specified key does not exist.");
    if (!matches(ifMatch, current.etag)) throw failed("If-Match");
  };
}

/** Checks a read's conditions. Throws PreconditionFailed, or says that the caller's copy is still good. */
export function readCondition(request: S3Request, object: StoredObject): "send" | "not-modified" {
  const ifMatch = headerOf(request, "if-match");
  const ifNoneMatch = headerOf(request, "if-none-match");
  const unmodifiedSince = dateOf(headerOf(request, "if-unmodified-since"));
  const modifiedSince = dateOf(headerOf(request, "if-modified-since"));
  const changed = Math.floor(object.lastModified / 1000) * 1000;
  if (ifMatch !== undefined && !matches(ifMatch, object.etag)) throw failed("If-Match");
  if (ifMatch === undefined && unmodifiedSince !== undefined && changed > unmodifiedSince) {
    throw failed("If-Unmodified-Since");
  }
  if (ifNoneMatch !== undefined) return matches(ifNoneMatch, object.etag) ? "not-modified" : "send";
  return modifiedSince !== undefined && changed <= modifiedSince ? "not-modified" : "send";
}

/** Checks the ETag conditions of a copy's source. Throws PreconditionFailed. */
export function copySourceCondition(request: S3Request, source: StoredObject): void {
  const ifMatch = headerOf(request, "x-amz-copy-source-if-match");
  const ifNoneMatch = headerOf(request, "x-amz-copy-source-if-none-match");
  if (ifMatch !== undefined && !matches(ifMatch, source.etag)) throw failed("x-amz-copy-source-if-match");
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, source.etag)) {
    throw failed("x-amz-copy-source-if-none-match");
  }
}

function dateOf(header: string | undefined): number | undefined {
  const time = Date.parse(header ?? "");
  return Number.isNaN(time) ? undefined : time;
}
