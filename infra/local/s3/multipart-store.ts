/** Multipart uploads in progress: one directory each, parts as files, an index in memory. */
import { randomBytes } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Spooled } from "./body.ts";
import { type ChecksumAlgorithm, type Checksums, checksumAlgorithms } from "./checksum.ts";
import { JsonRecord, writeJsonFile } from "./json-file.ts";
import { S3Error } from "./s3-error.ts";
import { type ObjectAttributes, readChecksums } from "./stored-version.ts";

/** What CreateMultipartUpload fixed. */
export interface UploadPlan extends ObjectAttributes {
  readonly key: string;
  /** Algorithm of the composite checksum, or "NONE". */
  readonly checksum: ChecksumAlgorithm | "NONE";
}

export interface StoredPart {
  readonly number: number;
  readonly size: number;
  /** MD5 in hex. */
  readonly etag: string;
  /** Epoch milliseconds. */
  readonly lastModified: number;
  readonly checksums: Checksums;
  /** File name inside the upload's directory, new for each write of the part. */
  readonly file: string;
}

export interface Upload {
  readonly id: string;
  readonly plan: UploadPlan;
  /** By part number. */
  readonly parts: ReadonlyMap<number, StoredPart>;
}

const planFile = "upload.json";

export class MultipartStore {
  readonly #directory: string;
  readonly #uploads = new Map<string, { id: string; plan: UploadPlan; parts: Map<number, StoredPart> }>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Starts an upload and returns its id. */
  create(plan: UploadPlan): string {
    const id = randomBytes(16).toString("hex");
    mkdirSync(join(this.#directory, id), { recursive: true });
    writeJsonFile(join(this.#directory, id, planFile), plan);
    this.#uploads.set(id, { id, plan, parts: new Map() });
    return id;
  }

  /** Throws NoSuchUpload, also when the id belongs to another key. */
  get(id: string, key: string): Upload {
    return this.#find(id, key);
  }

  /** Stores a part, replacing one of the same number. */
  putPart(id: string, key: string, number: number, body: Spooled): StoredPart {
    const upload = this.#find(id, key);
    const name = String(number).padStart(5, "0");
    const part: StoredPart = {
      number,
      size: body.size,
      etag: body.md5.toString("hex"),
      lastModified: Date.now(),
      checksums: body.checksums,
      file: `${name}.${randomBytes(8).toString("hex")}.data`,
    };
    const directory = join(this.#directory, id);
    renameSync(body.path, join(directory, part.file));
    writeJsonFile(join(directory, `${name}.json`), part);
    const replaced = upload.parts.get(number);
    if (replaced !== undefined) rmSync(join(directory, replaced.file));
    upload.parts.set(number, part);
    return part;
  }

  /** The bytes of some parts, one after another. */
  async *read(upload: Upload, parts: readonly StoredPart[]): AsyncGenerator<Buffer> {
    for (const part of parts) yield* createReadStream(join(this.#directory, upload.id, part.file));
  }

  /** Forgets an upload and its parts. */
  remove(id: string): void {
    this.#uploads.delete(id);
    rmSync(join(this.#directory, id), { recursive: true, force: true });
  }

  /** Rebuilds the index after a restart. */
  load(): void {
    mkdirSync(this.#directory, { recursive: true });
    for (const entry of readdirSync(this.#directory, { withFileTypes: true })) {
      if (entry.isDirectory()) this.#loadUpload(entry.name);
    }
  }

  #find(id: string, key: string) {
    const upload = this.#uploads.get(id);
    if (upload === undefined || upload.plan.key !== key) {
      throw new S3Error(
        "NoSuchUpload",
        "The specified upload does not exist: it was completed, aborted, or never was.",
      );
    }
    return upload;
  }

  #loadUpload(id: string): void {
    const directory = join(this.#directory, id);
    const files = readdirSync(directory);
    if (!files.includes(planFile)) {
      rmSync(directory, { recursive: true });
      return;
    }
    const parts = new Map<number, StoredPart>();
    for (const file of files.filter((name) => /^\d+\.json$/.test(name))) {
      const part = readPart(JsonRecord.read(join(directory, file)));
      parts.set(part.number, part);
    }
    this.#uploads.set(id, { id, plan: readPlan(JsonRecord.read(join(directory, planFile))), parts });
  }
}

function readPlan(record: JsonRecord): UploadPlan {
  return {
    key: record.text("key"),
    checksum: record.oneOf("checksum", [...checksumAlgorithms, "NONE"]),
    headers: record.texts("headers"),
    metadata: record.texts("metadata"),
  };
}

function readPart(record: JsonRecord): StoredPart {
  return {
    number: record.number("number"),
    size: record.number("size"),
    etag: record.text("etag"),
    lastModified: record.number("lastModified"),
    checksums: readChecksums(record),
    file: record.text("file"),
  };
}
