/** Which request is which operation. A request that fits no route exactly is refused in `unsupported.ts`. */
import {
  createBucket,
  deleteBucket,
  getVersioning,
  headBucket,
  listBuckets,
  putVersioning,
} from "./bucket-operations.ts";
import { listObjects } from "./list-objects.ts";
import { listObjectVersions } from "./list-versions.ts";
import { completeUpload } from "./multipart-complete.ts";
import { abortUpload, createUpload, listParts, uploadPart, uploadPartCopy } from "./multipart-operations.ts";
import { getNotifications, putNotifications } from "./notification-operations.ts";
import { copyObject } from "./object-copy.ts";
import { deleteObject, deleteObjects } from "./object-delete.ts";
import { getObject, headObject } from "./object-read.ts";
import { putObject } from "./object-write.ts";
import type { Operation } from "./operation.ts";
import type { S3Request } from "./request.ts";

export const levels = ["service", "bucket", "object"] as const;
export type Level = (typeof levels)[number];

export interface Route {
  /** AWS's name of the operation. */
  readonly name: string;
  readonly method: string;
  readonly level: Level;
  /** Query parameters that make it this operation; `name=value` fixes the value too. */
  readonly needs: readonly string[];
  /** Query parameters it understands besides. */
  readonly takes: readonly string[];
  /** Whether it is the variant with an `x-amz-copy-source` header. */
  readonly copies?: boolean;
  readonly run: Operation;
}

const reading = [
  "versionId",
  ...[
    "content-type",
    "cache-control",
    "content-disposition",
    "content-language",
    "expires",
    "content-encoding",
  ].map((header) => `response-${header}`),
];
const listing = ["prefix", "delimiter", "max-keys", "encoding-type"];

function route(
  name: string,
  method: string,
  level: Level,
  run: Operation,
  needs: string[] = [],
  takes: string[] = [],
) {
  return { name, method, level, needs, takes, run };
}

const routes: readonly Route[] = [
  route("ListBuckets", "GET", "service", listBuckets),
  route("CreateBucket", "PUT", "bucket", createBucket),
  route("HeadBucket", "HEAD", "bucket", headBucket),
  route("DeleteBucket", "DELETE", "bucket", deleteBucket),
  route("PutBucketVersioning", "PUT", "bucket", putVersioning, ["versioning"]),
  route("GetBucketVersioning", "GET", "bucket", getVersioning, ["versioning"]),
  route("PutBucketNotificationConfiguration", "PUT", "bucket", putNotifications, ["notification"]),
  route("GetBucketNotificationConfiguration", "GET", "bucket", getNotifications, ["notification"]),
  route(
    "ListObjectsV2",
    "GET",
    "bucket",
    listObjects,
    ["list-type=2"],
    [...listing, "start-after", "continuation-token"],
  ),
  route(
    "ListObjectVersions",
    "GET",
    "bucket",
    listObjectVersions,
    ["versions"],
    [...listing, "key-marker", "version-id-marker"],
  ),
  route("DeleteObjects", "POST", "bucket", deleteObjects, ["delete"]),
  route("PutObject", "PUT", "object", putObject),
  { ...route("CopyObject", "PUT", "object", copyObject), copies: true },
  route("GetObject", "GET", "object", getObject, [], reading),
  route("HeadObject", "HEAD", "object", headObject, [], reading),
  route("DeleteObject", "DELETE", "object", deleteObject, [], ["versionId"]),
  route("CreateMultipartUpload", "POST", "object", createUpload, ["uploads"]),
  route("UploadPart", "PUT", "object", uploadPart, ["partNumber", "uploadId"]),
  { ...route("UploadPartCopy", "PUT", "object", uploadPartCopy, ["partNumber", "uploadId"]), copies: true },
  route("CompleteMultipartUpload", "POST", "object", completeUpload, ["uploadId"]),
  route("ListParts", "GET", "object", listParts, ["uploadId"], ["max-parts", "part-number-marker"]),
  route("AbortMultipartUpload", "DELETE", "object", abortUpload, ["uploadId"]),
];

/** The level a request is addressed to. */
export function levelOf(request: S3Request): Level {
  if (request.bucket === "") return "service";
  return request.key === "" ? "bucket" : "object";
}

/**
 * The operation a request asks for. With "known parameters only" nothing is found if the query holds a
 * parameter the operation does not understand; the loose form serves to name what is refused.
 */
export function findRoute(
  request: S3Request,
  strictness: "known parameters only" | "other parameters too",
): Route | undefined {
  const level = levelOf(request);
  const copies = request.headers["x-amz-copy-source"] !== undefined;
  const fitting = routes.filter(
    (candidate) =>
      candidate.method === request.method &&
      candidate.level === level &&
      (candidate.copies ?? false) === copies &&
      candidate.needs.every((need) => meets(request.query, need)),
  );
  if (strictness === "known parameters only") {
    return fitting.find((candidate) =>
      [...request.query.keys()].every((name) => understands(candidate, name)),
    );
  }
  return fitting.sort((a, b) => b.needs.length - a.needs.length)[0];
}

function understands(candidate: Route, name: string): boolean {
  return candidate.takes.includes(name) || candidate.needs.some((need) => need.split("=")[0] === name);
}

function meets(query: URLSearchParams, need: string): boolean {
  const [name = "", value] = need.split("=");
  return query.has(name) && (value === undefined || query.get(name) === value);
}
