/** ListObjectVersions. */
import type { BucketStore } from "./bucket-store.ts";
import { type ListScope, listEntries } from "./list-entries.ts";
import { commonPrefixXml, echoedParameters, type ListParameters, listParameters } from "./list-parameters.ts";
import type { S3Context } from "./operation.ts";
import { type Reply, xmlReply } from "./reply.ts";
import type { S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import type { StoredVersion } from "./stored-version.ts";
import { element, isoTime, leaf } from "./xml-write.ts";

interface Row {
  readonly name: string;
  /** Undefined for a common prefix. */
  readonly version: StoredVersion | undefined;
}

/** Lists every version and delete marker, keys in order, newest version first. */
export function listObjectVersions(context: S3Context, request: S3Request): Reply {
  const bucket = context.catalog.bucket(request.bucket);
  const parameters = listParameters(request);
  const keyMarker = request.query.get("key-marker") ?? "";
  const versionMarker = request.query.get("version-id-marker") ?? "";
  if (versionMarker !== "" && keyMarker === "") {
    throw new S3Error("InvalidArgument", "A version-id marker cannot be specified without a key marker.");
  }
  const page: Row[] = [];
  let truncated = false;
  for (const row of rows(bucket, { ...parameters, after: keyMarker }, versionMarker)) {
    truncated = page.length === parameters.maxKeys && parameters.maxKeys > 0;
    if (page.length === parameters.maxKeys) break;
    page.push(row);
  }
  const last = truncated ? page.at(-1) : undefined;
  return xmlReply("ListVersionsResult", [
    ...echoedParameters(bucket.name, parameters),
    leaf("KeyMarker", parameters.encode(keyMarker)),
    leaf("VersionIdMarker", versionMarker),
    leaf("IsTruncated", truncated),
    leaf("NextKeyMarker", last === undefined ? undefined : parameters.encode(last.name)),
    leaf("NextVersionIdMarker", last?.version?.versionId),
    ...page.map((row) => rowXml(bucket, row, parameters)),
  ]);
}

function* rows(bucket: BucketStore, scope: ListScope, versionMarker: string): Generator<Row> {
  if (versionMarker !== "") yield* remainingVersions(bucket, scope.after, versionMarker);
  for (const entry of listEntries(bucket.keys, scope, () => true)) {
    if (entry.kind === "prefix") yield { name: entry.name, version: undefined };
    else for (const version of bucket.versionsOf(entry.name)) yield { name: entry.name, version };
  }
}

/** The marker's key goes on after the marker's version. */
function* remainingVersions(bucket: BucketStore, key: string, versionMarker: string): Generator<Row> {
  const versions = bucket.versionsOf(key);
  const position = versions.findIndex((version) => version.versionId === versionMarker);
  if (position === -1) {
    // The version was deleted between two pages; repeating the key's versions loses none.
    for (const version of versions) yield { name: key, version };
    return;
  }
  for (const version of versions.slice(position + 1)) yield { name: key, version };
}

function rowXml(bucket: BucketStore, row: Row, parameters: ListParameters): string {
  const { version } = row;
  if (version === undefined) return commonPrefixXml(row.name, parameters);
  const common = [
    leaf("Key", parameters.encode(version.key)),
    leaf("VersionId", version.versionId),
    leaf("IsLatest", bucket.versionsOf(version.key)[0] === version),
    leaf("LastModified", isoTime(version.lastModified)),
  ];
  if (version.kind === "marker") return element("DeleteMarker", ...common);
  const content = [
    leaf("ETag", `"${version.etag}"`),
    leaf("Size", version.size),
    leaf("StorageClass", "STANDARD"),
  ];
  return element("Version", ...common, ...content);
}
