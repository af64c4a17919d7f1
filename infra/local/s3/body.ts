/** Receives bodies: objects stream into a spool file, small XML documents into a string. Both are verified. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwsChunkedDecoder } from "./aws-chunked.ts";
import {
  type BodyPromise,
  BodyVerifier,
  maxBodyBytes,
  promiseOf,
  tooLarge,
  type VerifiedBody,
} from "./body-verifier.ts";
import { declaredBytes, headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";

/** A verified body in a file nobody refers to yet: rename it into place, or remove it. */
export interface Spooled extends VerifiedBody {
  readonly path: string;
}

/** Enough for 10,000 parts or for 1,000 keys of escaped control characters. */
const maxDocumentBytes = 8 * 1024 ** 2;

let spooled = 0;

/** Streams bytes into a new file under `directory`, verifying on the way. The file is gone if this throws. */
export async function spoolStream(
  source: Readable,
  directory: string,
  promise: BodyPromise,
  decoder?: AwsChunkedDecoder,
): Promise<Spooled> {
  spooled += 1;
  const path = join(directory, `${process.pid}-${spooled}`);
  const verifier = new BodyVerifier(promise, maxBodyBytes);
  try {
    const target = createWriteStream(path, { flags: "wx" });
    if (decoder === undefined) await pipeline(source, watch(verifier), target);
    else await pipeline(source, decoder, watch(verifier), target);
    return { path, ...verifier.finish(decoder?.trailers) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Spools a request's body. */
export async function spoolBody(request: S3Request, directory: string): Promise<Spooled> {
  if (declaredBytes(request) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  if (
    headerOf(request, "content-length") === undefined &&
    headerOf(request, "transfer-encoding") === undefined
  ) {
    throw new S3Error("MissingContentLength", "You must provide the Content-Length HTTP header.");
  }
  return spoolStream(request.body, directory, promiseOf(request), decoderFor(request));
}

/** Reads an XML body into memory. */
export async function readDocument(request: S3Request): Promise<string> {
  if (declaredBytes(request) > maxDocumentBytes) throw tooLarge(maxDocumentBytes);
  const verifier = new BodyVerifier(promiseOf(request), maxDocumentBytes);
  const decoder = decoderFor(request);
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) chunks.push(chunk);
  };
  if (decoder === undefined) await pipeline(request.body, watch(verifier), collect);
  else await pipeline(request.body, decoder, watch(verifier), collect);
  verifier.finish(decoder?.trailers);
  return Buffer.concat(chunks).toString("utf8");
}

function watch(verifier: BodyVerifier) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      verifier.update(chunk);
      yield chunk;
    }
  };
}

function decoderFor(request: S3Request): AwsChunkedDecoder | undefined {
  const streaming = headerOf(request, "x-amz-content-sha256")?.startsWith("STREAMING-") ?? false;
  return streaming || contentEncodings(request).includes("aws-chunked") ? new AwsChunkedDecoder() : undefined;
}

/** The tokens of Content-Encoding, in order. `aws-chunked` is transport and is not stored. */
export function contentEncodings(request: S3Request): string[] {
  const header = headerOf(request, "content-encoding") ?? "";
  return header.split(",").flatMap((token) => (token.trim() === "" ? [] : [token.trim()]));
}
