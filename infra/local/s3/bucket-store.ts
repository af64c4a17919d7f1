/**
 * One bucket on disk with its index in memory. Every change is synchronous: nothing else runs between the
 * check of a condition and its effect, so conditional writes are atomic without locks.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Spooled } from "./body.ts";
import { type BucketSettings, readBucketSettings } from "./bucket-settings.ts";
import { JsonRecord, writeJsonFile } from "./json-file.ts";
import { MultipartStore } from "./multipart-store.ts";
import type { Sequence } from "./sequence.ts";
import { SortedKeys } from "./sorted-keys.ts";
import {
  type DeleteMarker,
  nullVersionId,
  type ObjectAttributes,
  readStoredVersion,
  type StoredObject,
  type StoredVersion,
} from "./stored-version.ts";

/** A complete object about to become visible. */
export interface ObjectDraft extends ObjectAttributes {
  readonly key: string;
  readonly etag: string;
  readonly body: Spooled;
}

const settingsFile = "bucket.json";

export class BucketStore {
  readonly name: string;
  readonly uploads: MultipartStore;
  readonly #directory: string;
  readonly #objects: string;
  readonly #sequence: Sequence;
  /** Versions of each key, newest first; never an empty list. */
  readonly #versions = new Map<string, readonly StoredVersion[]>();
  #keys = new SortedKeys([]);
  #settings: BucketSettings;

  private constructor(name: string, directory: string, sequence: Sequence, settings: BucketSettings) {
    this.name = name;
    this.#directory = directory;
    this.#objects = join(directory, "objects");
    this.#sequence = sequence;
    this.#settings = settings;
    this.uploads = new MultipartStore(join(directory, "uploads"));
  }

  static create(name: string, directory: string, sequence: Sequence, settings: BucketSettings): BucketStore {
    mkdirSync(join(directory, "objects"), { recursive: true });
    writeJsonFile(join(directory, settingsFile), settings);
    return new BucketStore(name, directory, sequence, settings);
  }

  /** Reads a bucket back and sweeps what a killed process left half written. */
  static load(name: string, directory: string, sequence: Sequence): BucketStore {
    const settings = readBucketSettings(JsonRecord.read(join(directory, settingsFile)));
    const bucket = new BucketStore(name, directory, sequence, settings);
    bucket.#loadVersions();
    bucket.uploads.load();
    return bucket;
  }

  get settings(): BucketSettings {
    return this.#settings;
  }

  saveSettings(change: Partial<BucketSettings>): void {
    const settings = { ...this.#settings, ...change };
    writeJsonFile(join(this.#directory, settingsFile), settings);
    this.#settings = settings;
  }

  get isEmpty(): boolean {
    return this.#versions.size === 0;
  }

  get keys(): SortedKeys {
    return this.#keys;
  }

  /** Versions of a key, newest first. */
  versionsOf(key: string): readonly StoredVersion[] {
    return this.#versions.get(key) ?? [];
  }

  /** The newest version if it is an object, not a delete marker. */
  currentObject(key: string): StoredObject | undefined {
    const newest = this.versionsOf(key)[0];
    return newest?.kind === "object" ? newest : undefined;
  }

  /** Makes a spooled body the newest version. `check` sees the current object and may throw to refuse. */
  commit(draft: ObjectDraft, check: (current: StoredObject | undefined) => void): StoredObject {
    check(this.currentObject(draft.key));
    const object: StoredObject = {
      kind: "object",
      ...this.#newIdentity(draft.key),
      size: draft.body.size,
      etag: draft.etag,
      headers: draft.headers,
      metadata: draft.metadata,
      checksums: draft.body.checksums,
    };
    mkdirSync(this.#shardOf(draft.key), { recursive: true });
    // Data first: a crash in between leaves an unreferenced file, which the next start removes.
    renameSync(draft.body.path, this.#dataPath(object));
    this.#record(object);
    return object;
  }

  /** Hides the key behind a delete marker; without versioning removes it and returns undefined. */
  hide(key: string): DeleteMarker | undefined {
    if (this.#settings.versioning === "Unset") {
      this.removeVersion(key, nullVersionId);
      return undefined;
    }
    const marker: DeleteMarker = { kind: "marker", ...this.#newIdentity(key) };
    mkdirSync(this.#shardOf(key), { recursive: true });
    this.#record(marker);
    return marker;
  }

  /** Removes one version for good and returns it, or undefined if there was none. */
  removeVersion(key: string, versionId: string): StoredVersion | undefined {
    const versions = this.versionsOf(key);
    const removed = versions.find((version) => version.versionId === versionId);
    if (removed === undefined) return undefined;
    rmSync(this.#recordPath(removed));
    this.#removeData(removed);
    this.#setVersions(
      key,
      versions.filter((version) => version !== removed),
    );
    return removed;
  }

  /** Opens an object's bytes; the descriptor stays readable when the object is replaced meanwhile. */
  openData(object: StoredObject): number {
    return openSync(this.#dataPath(object), "r");
  }

  /** Deletes the bucket's directory, settings first, so that a crash cannot leave a half-empty bucket. */
  destroy(): void {
    rmSync(join(this.#directory, settingsFile));
    rmSync(this.#directory, { recursive: true });
  }

  #newIdentity(key: string) {
    const versionId =
      this.#settings.versioning === "Enabled" ? randomBytes(16).toString("hex") : nullVersionId;
    return { key, versionId, sequencer: this.#sequence.next(), lastModified: Date.now() };
  }

  #record(version: StoredVersion): void {
    writeJsonFile(this.#recordPath(version), version);
    const versions = this.versionsOf(version.key);
    const replaced = versions.find((other) => other.versionId === version.versionId);
    this.#setVersions(version.key, [version, ...versions.filter((other) => other !== replaced)]);
    if (replaced !== undefined) this.#removeData(replaced);
  }

  #setVersions(key: string, versions: readonly StoredVersion[]): void {
    if (versions.length === 0) {
      this.#versions.delete(key);
      this.#keys.remove(key);
      return;
    }
    if (!this.#versions.has(key)) this.#keys.add(key);
    this.#versions.set(key, versions);
  }

  #removeData(version: StoredVersion): void {
    if (version.kind === "object") rmSync(this.#dataPath(version));
  }

  #shardOf(key: string): string {
    return join(this.#objects, hashOf(key).slice(0, 2));
  }

  #recordPath(version: StoredVersion): string {
    return join(this.#shardOf(version.key), `${hashOf(version.key)}.${version.versionId}.json`);
  }

  #dataPath(object: StoredObject): string {
    return join(this.#shardOf(object.key), `${hashOf(object.key)}.${object.sequencer}.data`);
  }

  #loadVersions(): void {
    const files = readdirSync(this.#objects, { recursive: true, withFileTypes: true }).filter((e) =>
      e.isFile(),
    );
    const paths = files.map((file) => join(file.parentPath, file.name));
    const referenced = new Set<string>();
    for (const path of paths.filter((candidate) => candidate.endsWith(".json"))) {
      const version = readStoredVersion(JsonRecord.read(path));
      if (version.kind === "object") referenced.add(this.#dataPath(version));
      const others = this.#versions.get(version.key) ?? [];
      const newestFirst = [...others, version].sort((a, b) => (a.sequencer < b.sequencer ? 1 : -1));
      this.#versions.set(version.key, newestFirst);
      referenced.add(path);
    }
    for (const path of paths) if (!referenced.has(path)) rmSync(path);
    this.#keys = new SortedKeys(this.#versions.keys());
  }
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
