/** All buckets under one directory: opened at start, created and deleted by the bucket operations. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BucketStore } from "./bucket-store.ts";
import { S3Error } from "./s3-error.ts";
import { Sequence } from "./sequence.ts";
import { Unannounced } from "./unannounced.ts";

export class Catalog {
  /** Where bodies are received before they are renamed into place; same file system as the buckets. */
  readonly spool: string;
  readonly unannounced: Unannounced;
  readonly #root: string;
  readonly #sequence: Sequence;
  readonly #buckets = new Map<string, BucketStore>();

  /** Opens or creates the store and rebuilds its index. */
  constructor(directory: string) {
    this.#root = join(directory, "buckets");
    this.spool = join(directory, "spool");
    mkdirSync(this.#root, { recursive: true });
    rmSync(this.spool, { recursive: true, force: true });
    mkdirSync(this.spool);
    this.unannounced = new Unannounced(join(directory, "unannounced"));
    this.#sequence = new Sequence(join(directory, "sequence.json"), Date.now());
    for (const name of readdirSync(this.#root)) this.#load(name);
  }

  /** Throws NoSuchBucket. */
  bucket(name: string): BucketStore {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined)
      throw new S3Error("NoSuchBucket", `The specified bucket does not exist: ${name}`);
    return bucket;
  }

  /** Buckets by name. */
  list(): BucketStore[] {
    return [...this.#buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  create(name: string): void {
    if (!isBucketName(name)) {
      throw new S3Error(
        "InvalidBucketName",
        `The specified bucket is not valid: "${name}". Use 3-63 of a-z 0-9 . -`,
      );
    }
    if (this.#buckets.has(name)) {
      throw new S3Error("BucketAlreadyOwnedByYou", `The bucket ${name} exists already and you own it.`);
    }
    const settings = { created: Date.now(), versioning: "Unset", notifications: [] } as const;
    this.#buckets.set(name, BucketStore.create(name, join(this.#root, name), this.#sequence, settings));
  }

  delete(name: string): void {
    const bucket = this.bucket(name);
    if (!bucket.isEmpty) {
      throw new S3Error("BucketNotEmpty", `The bucket ${name} is not empty: delete all its versions first.`);
    }
    this.#buckets.delete(name);
    bucket.destroy();
  }

  #load(name: string): void {
    const directory = join(this.#root, name);
    // No settings file: a crash came between the two steps of creating or of deleting this bucket.
    if (!existsSync(join(directory, "bucket.json"))) rmSync(directory, { recursive: true });
    else this.#buckets.set(name, BucketStore.load(name, directory, this.#sequence));
  }
}

function isBucketName(name: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes("..");
}
