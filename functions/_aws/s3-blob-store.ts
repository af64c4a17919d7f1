/** The blob store port on S3. Keys are what they are, bytes are what was stored: nothing is decoded here. */
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { permanent } from "@touchstone/core/errors";
import type { BlobEntry, BlobHead, BlobStore } from "@touchstone/core/ports";
import type { ObjectRef } from "@touchstone/core/schema/identity";
import { writeInParts } from "./s3-multipart.ts";
import { isMissing, objectMissing, objectName } from "./s3-object.ts";
import { readInRanges } from "./s3-ranges.ts";

export const s3BlobStore = (client: S3Client): BlobStore => ({
  head: (ref) => head(client, ref),
  read: (ref, maxBytes) => read(client, ref, maxBytes),
  stream: (ref) => readInRanges(client, ref),

  async write(ref, body, contentType) {
    const target = { Bucket: ref.bucket, Key: ref.key, ContentType: contentType };
    if (typeof body === "string" || body instanceof Uint8Array) {
      // The SDK takes an empty string for a stream of unknown length.
      const Body = typeof body === "string" ? Buffer.from(body) : body;
      await client.send(new PutObjectCommand({ ...target, Body }));
    } else {
      await writeInParts(client, target, body);
    }
  },

  list: (bucket, prefix, after) => list(client, bucket, prefix, after),
});

async function head(client: S3Client, ref: ObjectRef): Promise<BlobHead | null> {
  try {
    const answer = await client.send(new HeadObjectCommand(objectName(ref)));
    return blobHead(answer.ContentLength ?? 0, answer);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const blobHead = (
  bytes: number,
  answer: { readonly VersionId?: string | undefined; readonly ContentType?: string | undefined },
): BlobHead => ({ bytes, versionId: answer.VersionId, contentType: answer.ContentType });

async function read(client: S3Client, ref: ObjectRef, maxBytes: number) {
  try {
    const answer = await client.send(new GetObjectCommand(objectName(ref)));
    const length = answer.ContentLength ?? 0;
    if (length > maxBytes || !answer.Body) {
      await answer.Body?.transformToWebStream().cancel();
      throw permanent(
        "object-too-large",
        `s3://${ref.bucket}/${ref.key} has ${length} bytes, over ${maxBytes}`,
      );
    }
    const bytes = await answer.Body.transformToByteArray();
    return { bytes, head: blobHead(bytes.byteLength, answer) };
  } catch (error) {
    throw isMissing(error) ? objectMissing(ref, error) : error;
  }
}

async function* list(
  client: S3Client,
  bucket: string,
  prefix: string,
  after: string | undefined,
): AsyncGenerator<BlobEntry> {
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        StartAfter: after,
        ContinuationToken: token,
        // A key may hold characters that XML cannot.
        EncodingType: "url",
      }),
    );
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      if (Key === undefined) continue;
      const key = decodeURIComponent(Key.replaceAll("+", "%20"));
      yield { key, bytes: Size ?? 0, modifiedAt: LastModified?.getTime() ?? 0 };
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}
