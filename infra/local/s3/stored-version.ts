/** The stored form of an object version or delete marker: one JSON file each, all of them in memory too. */
import { type Checksums, checksumAlgorithm } from "./checksum.ts";
import type { JsonRecord } from "./json-file.ts";

/** The version id of everything written while versioning is not enabled. */
export const nullVersionId = "null";

export const versionKinds = ["object", "marker"] as const;

interface VersionIdentity {
  readonly key: string;
  readonly versionId: string;
  /** Grows with every write of the bucket; orders the versions of a key. */
  readonly sequencer: string;
  /** Epoch milliseconds. */
  readonly lastModified: number;
}

/** What a writer decides about an object, apart from its bytes. */
export interface ObjectAttributes {
  /** Standard headers kept with the object, e.g. `content-type`, lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** User metadata without the `x-amz-meta-` prefix. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface StoredObject extends VersionIdentity, ObjectAttributes {
  readonly kind: "object";
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly checksums: Checksums;
}

export interface DeleteMarker extends VersionIdentity {
  readonly kind: "marker";
}

export type StoredVersion = StoredObject | DeleteMarker;

/** Reads checksums back, dropping nothing: an unknown algorithm is an error. */
export function readChecksums(record: JsonRecord): Checksums {
  const checksums: Checksums = {};
  for (const [name, value] of Object.entries(record.texts("checksums")))
    checksums[checksumAlgorithm(name)] = value;
  return checksums;
}

/** Parses a version file. Throws with file and field if it is damaged. */
export function readStoredVersion(record: JsonRecord): StoredVersion {
  const identity: VersionIdentity = {
    key: record.text("key"),
    versionId: record.text("versionId"),
    sequencer: record.text("sequencer"),
    lastModified: record.number("lastModified"),
  };
  if (record.oneOf("kind", versionKinds) === "marker") return { kind: "marker", ...identity };
  return {
    kind: "object",
    ...identity,
    size: record.number("size"),
    etag: record.text("etag"),
    headers: record.texts("headers"),
    metadata: record.texts("metadata"),
    checksums: readChecksums(record),
  };
}
