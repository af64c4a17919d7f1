/** Watches an upload's bytes go by and holds the sender to the digests and lengths it promised. */
import { createHash } from "node:crypto";
import {
  algorithmOfHeader,
  type ChecksumAlgorithm,
  type Checksums,
  checksumAlgorithm,
  type RunningDigest,
  startDigest,
} from "./checksum.ts";
import { headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";

/** S3's limit for one PutObject or one part. */
export const maxBodyBytes = 5 * 1024 ** 3;

/** What the sender said about the bytes; everything is optional. */
export interface BodyPromise {
  readonly contentMd5?: string;
  /** Lower-case hex, from `x-amz-content-sha256`. */
  readonly payloadSha256?: string;
  readonly length?: number;
  readonly checksums: Checksums;
  /** Further algorithms to compute; for an aws-chunked body each must arrive in a trailer and match. */
  readonly computed: readonly ChecksumAlgorithm[];
}

export interface VerifiedBody {
  readonly size: number;
  readonly md5: Buffer;
  readonly checksums: Checksums;
}

/** Reads the promise out of a request's headers. */
export function promiseOf(request: S3Request): BodyPromise {
  const checksums: Checksums = {};
  for (const [name, value] of Object.entries(request.headers)) {
    const algorithm = algorithmOfHeader(name);
    if (algorithm !== undefined) checksums[algorithm] = String(value);
  }
  const computed = (headerOf(request, "x-amz-trailer") ?? "").split(",").flatMap((name) => {
    const algorithm = algorithmOfHeader(name.trim().toLowerCase());
    return algorithm === undefined ? [] : [algorithm];
  });
  const sha256 = headerOf(request, "x-amz-content-sha256") ?? "";
  const decoded = headerOf(request, "x-amz-decoded-content-length");
  return {
    contentMd5: headerOf(request, "content-md5"),
    payloadSha256: /^[0-9a-f]{64}$/i.test(sha256) ? sha256.toLowerCase() : undefined,
    length: decoded === undefined ? undefined : Number(decoded),
    checksums,
    computed,
  };
}

/** Reads the one algorithm a copy should compute: asked for by header, else the source's. */
export function promiseForCopy(asked: string | undefined, source: Checksums): BodyPromise {
  const algorithms = asked === undefined ? Object.keys(source) : [asked];
  return { checksums: {}, computed: algorithms.map(checksumAlgorithm) };
}

export class BodyVerifier {
  readonly #promise: BodyPromise;
  readonly #limit: number;
  readonly #md5 = createHash("md5");
  readonly #digests = new Map<ChecksumAlgorithm, RunningDigest>();
  readonly #payload: RunningDigest | undefined;
  #size = 0;

  constructor(promise: BodyPromise, limit: number) {
    this.#promise = promise;
    this.#limit = limit;
    for (const name of [...Object.keys(promise.checksums), ...promise.computed]) {
      const algorithm = checksumAlgorithm(name);
      this.#digests.set(algorithm, startDigest(algorithm));
    }
    this.#payload = promise.payloadSha256 === undefined ? undefined : startDigest("SHA256");
  }

  /** Throws EntityTooLarge as soon as the limit is passed. */
  update(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) throw tooLarge(this.#limit);
    this.#md5.update(chunk);
    this.#payload?.update(chunk);
    for (const digest of this.#digests.values()) digest.update(chunk);
  }

  /** Compares everything with the promise. Throws BadDigest, IncompleteBody and their kin. */
  finish(trailers: ReadonlyMap<string, string> | undefined): VerifiedBody {
    const { contentMd5, payloadSha256, length } = this.#promise;
    if (length !== undefined && length !== this.#size) {
      throw new S3Error(
        "IncompleteBody",
        `x-amz-decoded-content-length is ${length}, received ${this.#size} bytes.`,
      );
    }
    const md5 = this.#md5.digest();
    if (contentMd5 !== undefined) checkMd5(contentMd5, md5);
    if (payloadSha256 !== undefined && this.#payload?.digest().toString("hex") !== payloadSha256) {
      throw new S3Error(
        "XAmzContentSHA256Mismatch",
        "x-amz-content-sha256 does not match what was received.",
      );
    }
    return { size: this.#size, md5, checksums: this.#checkedChecksums(trailers) };
  }

  #checkedChecksums(trailers: ReadonlyMap<string, string> | undefined): Checksums {
    const checksums: Checksums = {};
    for (const [algorithm, digest] of this.#digests) {
      const computed = digest.digest().toString("base64");
      const header = `x-amz-checksum-${algorithm.toLowerCase()}`;
      const promised = this.#promise.checksums[algorithm] ?? trailers?.get(header);
      if (promised === undefined && trailers !== undefined) {
        throw new S3Error("MalformedTrailerError", `The announced trailer ${header} did not arrive.`);
      }
      if (promised !== undefined && promised !== computed) {
        throw new S3Error(
          "BadDigest",
          `The ${algorithm} you specified did not match the calculated checksum.`,
        );
      }
      checksums[algorithm] = computed;
    }
    return checksums;
  }
}

function checkMd5(promised: string, md5: Buffer): void {
  const bytes = Buffer.from(promised, "base64");
  if (bytes.length !== md5.length)
    throw new S3Error("InvalidDigest", "The Content-MD5 you specified is not valid.");
  if (!bytes.equals(md5)) {
    throw new S3Error("BadDigest", "The Content-MD5 you specified did not match what we received.");
  }
}

/** The refusal of a body over `limit` bytes. */
export function tooLarge(limit: number): S3Error {
  return new S3Error(
    "EntityTooLarge",
    `Your proposed upload exceeds the maximum allowed size of ${limit} bytes.`,
  );
}
