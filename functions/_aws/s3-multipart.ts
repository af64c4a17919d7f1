/** Writes a stream to S3 in parts, all or nothing; used by s3-blob-store.ts. */
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  type UploadPartCommandInput,
} from "@aws-sdk/client-s3";

/** 10,000 parts of this size make 80 GB, far above any result file. */
const partBytes = 8 * 1024 * 1024;

interface Target {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
}

/** A body of less than one part is a single put. If the body or a part fails, no object and no parts remain. */
export async function writeInParts(
  client: S3Client,
  { Bucket, Key, ContentType }: Target,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const parts = inParts(body);
  const first = await parts.next();
  if (first.done || first.value.byteLength < partBytes) {
    const Body = first.value ?? new Uint8Array();
    await client.send(new PutObjectCommand({ Bucket, Key, ContentType, Body }));
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType }));
  const upload = { Bucket, Key, UploadId };
  try {
    const done: CompletedPart[] = [];
    const put = async (Body: Uint8Array): Promise<void> => {
      const PartNumber = done.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
      done.push({ PartNumber, ETag });
    };
    await put(first.value);
    for await (const part of parts) await put(part);
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } }));
  } catch (error) {
    await abort(client, upload, error);
    throw error;
  }
}

type Upload = Pick<UploadPartCommandInput, "Bucket" | "Key" | "UploadId">;

/** Parts that outlive a failed abort cost money unseen, so both failures are told. */
async function abort(client: S3Client, upload: Upload, reason: unknown): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload));
  } catch (error) {
    throw new AggregateError(
      [reason, error],
      `upload ${upload.UploadId} of s3://${upload.Bucket}/${upload.Key} failed and its parts remain`,
    );
  }
}

/** The bytes in pieces of exactly `partBytes`, the last one shorter. */
async function* inParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size < partBytes) continue;
    const whole = Buffer.concat(chunks);
    const end = whole.byteLength - (whole.byteLength % partBytes);
    for (let start = 0; start < end; start += partBytes) yield whole.subarray(start, start + partBytes);
    chunks = [whole.subarray(end)];
    size = whole.byteLength - end;
  }
  if (size > 0) yield Buffer.concat(chunks);
  return undefined;
}
