/** Refuses, by name and with 501, everything this S3 does not do: nothing is ever silently accepted. */

import type { S3Request } from "./request.ts";
import { findRoute, levelOf } from "./routes.ts";
import { S3Error } from "./s3-error.ts";

const verbs: Readonly<Record<string, string>> = {
  GET: "Get",
  HEAD: "Head",
  PUT: "Put",
  POST: "Post",
  DELETE: "Delete",
};

/** Names that do not follow verb + level + subresource. */
const irregularNames: Readonly<Record<string, string>> = {
  "GET bucket": "ListObjects",
  "GET bucket uploads": "ListMultipartUploads",
  "POST bucket": "PostObject",
  "POST object restore": "RestoreObject",
  "POST object select": "SelectObjectContent",
  "PUT object renameObject": "RenameObject",
  "GET bucket session": "CreateSession",
};

const irregularSubresources: Readonly<Record<string, string>> = {
  accelerate: "AccelerateConfiguration",
  analytics: "AnalyticsConfiguration",
  "intelligent-tiering": "IntelligentTieringConfiguration",
  inventory: "InventoryConfiguration",
  lifecycle: "LifecycleConfiguration",
  metrics: "MetricsConfiguration",
  "object-lock": "ObjectLockConfiguration",
};

const listingParameters: readonly string[] = ["prefix", "delimiter", "marker", "encoding-type"];

/** Headers beginning with `x-amz-` that some operation here acts on, or that belong to transport. */
const knownHeaders: readonly string[] = [
  "x-amz-date",
  "x-amz-content-sha256",
  "x-amz-security-token",
  "x-amz-user-agent",
  "x-amz-decoded-content-length",
  "x-amz-trailer",
  "x-amz-sdk-checksum-algorithm",
  "x-amz-copy-source",
  "x-amz-copy-source-range",
  "x-amz-copy-source-if-match",
  "x-amz-copy-source-if-none-match",
  "x-amz-metadata-directive",
  "x-amz-mp-object-size",
];

/** The error for a request that no route fits; the message names the operation as AWS does. */
export function unsupportedOperation(request: S3Request): S3Error {
  const names = [...new Set(request.query.keys())];
  const query = names.length === 0 ? "" : ` with ?${names.join("&")}`;
  return new S3Error(
    "NotImplemented",
    `${operationName(request, names)} is not implemented by the embedded S3 (${request.method} on ${levelOf(request)} level${query}).`,
  );
}

function operationName(request: S3Request, names: readonly string[]): string {
  const known = findRoute(request, "other parameters too");
  // A subresource has no value; a parameter with one is a variant of an operation we may know.
  const subresource = names.find(
    (name) => request.query.get(name) === "" && !listingParameters.includes(name),
  );
  if (known !== undefined && (known.needs.length > 0 || subresource === undefined)) return known.name;
  const level = levelOf(request);
  const irregular = irregularNames[[request.method, level, subresource].filter(Boolean).join(" ")];
  if (irregular !== undefined) return irregular;
  const verb = verbs[request.method] ?? request.method;
  if (subresource === "publicAccessBlock") return `${verb}PublicAccessBlock`;
  return (
    verb + pascalCase(level) + (irregularSubresources[subresource ?? ""] ?? pascalCase(subresource ?? ""))
  );
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z])/gi, (_, letter: string) => letter.toUpperCase());
}

/** Refuses headers that ask for functions we do not have, e.g. `x-amz-tagging` or server-side encryption. */
export function refuseUnknownHeaders(request: S3Request, operation: string): void {
  for (const name of Object.keys(request.headers)) {
    if (!name.startsWith("x-amz-") || knownHeaders.includes(name)) continue;
    if (name.startsWith("x-amz-meta-") || name.startsWith("x-amz-checksum-")) continue;
    throw new S3Error(
      "NotImplemented",
      `${operation}: the header ${name} is not implemented by the embedded S3.`,
    );
  }
}
