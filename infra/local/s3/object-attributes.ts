/** Which request headers stay with an object, and how they come back. */
import { validateHeaderValue } from "node:http";
import { contentEncodings } from "./body.ts";
import { headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import type { ObjectAttributes, StoredObject } from "./stored-version.ts";

const keptHeaders = [
  "content-type",
  "cache-control",
  "content-disposition",
  "content-language",
  "expires",
] as const;
const metadataPrefix = "x-amz-meta-";
/** S3's limit, names and values together. */
const maxMetadataBytes = 2048;
const defaultContentType = "binary/octet-stream";

/** Reads the attributes of an object about to be written. Throws MetadataTooLarge. */
export function attributesOf(request: S3Request): ObjectAttributes {
  const headers: Record<string, string> = { "content-type": defaultContentType };
  for (const name of keptHeaders) {
    const value = headerOf(request, name);
    if (value !== undefined && value !== "") headers[name] = value;
  }
  const encodings = contentEncodings(request).filter((token) => token !== "aws-chunked");
  if (encodings.length > 0) headers["content-encoding"] = encodings.join(",");
  const metadata = Object.fromEntries(
    Object.keys(request.headers)
      .filter((name) => name.startsWith(metadataPrefix))
      .map((name) => [name.slice(metadataPrefix.length), sendable(name, headerOf(request, name) ?? "")]),
  );
  const bytes = Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > maxMetadataBytes) {
    throw new S3Error(
      "MetadataTooLarge",
      `Your metadata has ${bytes} bytes; ${maxMetadataBytes} are allowed.`,
    );
  }
  return { headers, metadata };
}

/** Response headers for an object's attributes; `response-*` query parameters override them. */
export function attributeHeaders(object: StoredObject, request: S3Request): Record<string, string> {
  const headers: Record<string, string> = { ...object.headers };
  for (const [name, value] of Object.entries(object.metadata)) headers[metadataPrefix + name] = value;
  for (const name of [...keptHeaders, "content-encoding"]) {
    const override = request.query.get(`response-${name}`);
    if (override !== null) headers[name] = sendable(`response-${name}`, override);
  }
  return headers;
}

/** A presigned URL can carry text that no HTTP header can; better refused here than when it is read back. */
function sendable(name: string, value: string): string {
  try {
    validateHeaderValue(name, value);
    return value;
  } catch {
    throw new S3Error("InvalidArgument", `${name} has characters that an HTTP header cannot carry: ${value}`);
  }
}
