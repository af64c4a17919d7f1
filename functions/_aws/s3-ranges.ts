/** Streams an S3 object of any size as ranges; INTAKE reads batch files this way. */
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { transient } from "@touchstone/core/errors";
import type { ObjectRef } from "@touchstone/core/schema/identity";
import { isMissing, objectMissing, objectName } from "./s3-object.ts";

/** Three of them are in memory at a time: the one being read, the one ahead, and its pieces as they come. */
const rangeBytes = 2 * 1024 * 1024;
const maxTries = 4;

interface Range {
  readonly bytes: Uint8Array;
  /** Size of the whole object. */
  readonly total: number;
  readonly etag: string | undefined;
}

/**
 * Resolves once the first range is there, so a missing object fails at once. One range is fetched ahead. A
 * reader that pauses to send messages leaves no connection idle until S3 cuts it, and a cut costs one range.
 * The object must not change meanwhile: later ranges ask for the first one's ETag.
 */
export async function readInRanges(client: S3Client, ref: ObjectRef): Promise<AsyncIterable<Uint8Array>> {
  const first = await fetchRange(client, ref, 0, undefined);
  return rest(client, ref, first);
}

async function* rest(client: S3Client, ref: ObjectRef, first: Range): AsyncGenerator<Uint8Array> {
  const next = (start: number) => {
    if (start >= first.total) return null;
    const range = fetchRange(client, ref, start, first.etag);
    // The consumer may stop before this one is awaited; its failure then concerns nobody.
    range.catch(() => undefined);
    return range;
  };
  let ahead = next(first.bytes.byteLength);
  if (first.bytes.byteLength > 0) yield first.bytes;
  for (let position = first.bytes.byteLength; ahead; ) {
    const { bytes } = await ahead;
    position += bytes.byteLength;
    ahead = next(position);
    yield bytes;
  }
}

async function fetchRange(
  client: S3Client,
  ref: ObjectRef,
  start: number,
  etag: string | undefined,
): Promise<Range> {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await client.send(
        new GetObjectCommand({
          ...objectName(ref),
          Range: `bytes=${start}-${start + rangeBytes - 1}`,
          IfMatch: etag,
        }),
      );
      const bytes = (await answer.Body?.transformToByteArray()) ?? new Uint8Array();
      const total = Number(answer.ContentRange?.split("/")[1] ?? bytes.byteLength);
      return { bytes, total, etag: answer.ETag };
    } catch (error) {
      const name = error instanceof Error ? error.name : "";
      // An empty object has no first byte to ask for.
      if (name === "InvalidRange" && start === 0)
        return { bytes: new Uint8Array(), total: 0, etag: undefined };
      if (isMissing(error)) throw objectMissing(ref, error);
      if (name === "PreconditionFailed") {
        const where = `s3://${ref.bucket}/${ref.key}`;
        throw transient("conflict", `${where} was replaced while it was being read`, { cause: error });
      }
      // The SDK retries until the answer's head is there; a body that breaks off is ours to ask for again.
      if (tries === maxTries) throw error;
    }
  }
}
