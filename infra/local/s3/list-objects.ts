/** ListObjectsV2. */
import { checksumAlgorithms } from "./checksum.ts";
import { type ListEntry, listEntries } from "./list-entries.ts";
import { commonPrefixXml, echoedParameters, type ListParameters, listParameters } from "./list-parameters.ts";
import type { S3Context } from "./operation.ts";
import { type Reply, xmlReply } from "./reply.ts";
import type { S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import type { StoredObject } from "./stored-version.ts";
import { element, isoTime, leaf } from "./xml-write.ts";

/** Lists current objects; delete markers and old versions do not show. */
export function listObjects(context: S3Context, request: S3Request): Reply {
  const bucket = context.catalog.bucket(request.bucket);
  const parameters = listParameters(request);
  const startAfter = request.query.get("start-after");
  const token = request.query.get("continuation-token");
  const after = token === null ? (startAfter ?? "") : readToken(token);
  const visible = (key: string): boolean => bucket.currentObject(key) !== undefined;
  const { page, last } = takePage(
    listEntries(bucket.keys, { ...parameters, after }, visible),
    parameters.maxKeys,
  );
  const entries = page.map((entry) => {
    const object = entry.kind === "key" ? bucket.currentObject(entry.name) : undefined;
    return object === undefined ? commonPrefixXml(entry.name, parameters) : contentsXml(object, parameters);
  });
  return xmlReply("ListBucketResult", [
    ...echoedParameters(bucket.name, parameters),
    leaf("KeyCount", page.length),
    leaf("IsTruncated", last !== undefined),
    leaf("ContinuationToken", token ?? undefined),
    leaf("NextContinuationToken", last === undefined ? undefined : writeToken(last.name)),
    leaf("StartAfter", startAfter === null ? undefined : parameters.encode(startAfter)),
    ...entries,
  ]);
}

/** Up to `size` entries, and the last of them if more follow. */
function takePage(entries: Iterable<ListEntry>, size: number): { page: ListEntry[]; last?: ListEntry } {
  const page: ListEntry[] = [];
  // A page of zero keys is complete by definition: there is no entry to continue after.
  if (size === 0) return { page };
  for (const entry of entries) {
    if (page.length === size) return { page, last: page.at(-1) };
    page.push(entry);
  }
  return { page };
}

function contentsXml(object: StoredObject, parameters: ListParameters): string {
  return element(
    "Contents",
    leaf("Key", parameters.encode(object.key)),
    leaf("LastModified", isoTime(object.lastModified)),
    leaf("ETag", `"${object.etag}"`),
    ...checksumAlgorithms.map((name) => leaf("ChecksumAlgorithm", object.checksums[name] && name)),
    leaf("Size", object.size),
    leaf("StorageClass", "STANDARD"),
  );
}

const tokenPrefix = "after:";

function writeToken(name: string): string {
  return Buffer.from(tokenPrefix + name).toString("base64url");
}

function readToken(token: string): string {
  const text = Buffer.from(token, "base64url").toString("utf8");
  if (!text.startsWith(tokenPrefix))
    throw new S3Error("InvalidArgument", "The continuation token is not ours.");
  return text.slice(tokenPrefix.length);
}
