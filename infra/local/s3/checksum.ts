/** The `x-amz-checksum-*` algorithms we verify and return, as running digests. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { S3Error } from "./s3-error.ts";

export const checksumAlgorithms = ["CRC32", "SHA1", "SHA256"] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** Base64 values by algorithm; a multipart object's value ends in `-<number of parts>`. */
export type Checksums = Partial<Record<ChecksumAlgorithm, string>>;

export interface RunningDigest {
  update(chunk: Uint8Array): void;
  digest(): Buffer;
}

function runningCrc32(): RunningDigest {
  let value = 0;
  return {
    update: (chunk) => {
      value = crc32(chunk, value);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}

/** Starts a digest of one algorithm. */
export function startDigest(algorithm: ChecksumAlgorithm): RunningDigest {
  switch (algorithm) {
    case "CRC32":
      return runningCrc32();
    case "SHA1":
      return createHash("sha1");
    case "SHA256":
      return createHash("sha256");
    default:
      throw new Error(`unknown algorithm ${algorithm satisfies never}`);
  }
}

/** Digest of one buffer. */
export function digestOf(algorithm: ChecksumAlgorithm, bytes: Uint8Array): Buffer {
  const digest = startDigest(algorithm);
  digest.update(bytes);
  return digest.digest();
}

/** Reads an algorithm's name in any case; one we cannot verify is refused, not ignored. */
export function checksumAlgorithm(name: string): ChecksumAlgorithm {
  const found = checksumAlgorithms.find((algorithm) => algorithm === name.toUpperCase());
  if (found === undefined) {
    throw new S3Error(
      "NotImplemented",
      `Checksum algorithm ${name} is not implemented; use one of ${checksumAlgorithms.join(", ")}.`,
    );
  }
  return found;
}

const headerPrefix = "x-amz-checksum-";
const settings: readonly string[] = ["algorithm", "mode", "type"];

/** The algorithm a header or trailer carries the value of, or undefined for any other name. */
export function algorithmOfHeader(header: string): ChecksumAlgorithm | undefined {
  const suffix = header.startsWith(headerPrefix) ? header.slice(headerPrefix.length) : "algorithm";
  return settings.includes(suffix) ? undefined : checksumAlgorithm(suffix);
}

/** Response headers for stored checksums. */
export function checksumHeaders(checksums: Checksums): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [algorithm, value] of Object.entries(checksums)) {
    headers[headerPrefix + algorithm.toLowerCase()] = value;
    headers[`${headerPrefix}type`] = value.includes("-") ? "COMPOSITE" : "FULL_OBJECT";
  }
  return headers;
}
