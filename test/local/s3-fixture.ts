/** An embedded S3 with a real SDK client on it, for the s3-*.test.ts files. */
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from "@aws-sdk/client-s3";
import { type S3Options, type S3Server, startS3 } from "../../infra/local/s3/server.ts";

export const region = "eu-west-1";

export interface Delivered {
  readonly queueArn: string;
  readonly body: string;
}

export interface S3Fixture {
  readonly server: S3Server;
  readonly client: S3Client;
  /** Everything the server put on queues, in order. */
  readonly delivered: Delivered[];
  /** Makes a bucket of a new name. */
  bucket(versioning?: "Enabled" | "Suspended"): Promise<string>;
  close(): Promise<void>;
}

let buckets = 0;

/** A client of a server anywhere on this machine. */
export function clientOf(url: string): S3Client {
  const credentials = { accessKeyId: "AKIATEST", secretAccessKey: "secret" };
  return new S3Client({ endpoint: url, region, credentials, forcePathStyle: true, maxAttempts: 1 });
}

export async function openS3(options: Partial<S3Options> = {}): Promise<S3Fixture> {
  const delivered: Delivered[] = [];
  const deliver = async (queueArn: string, body: string): Promise<void> => {
    delivered.push({ queueArn, body });
  };
  const server = await startS3({ region, deliver, ...options });
  const client = clientOf(server.url);
  return {
    server,
    client,
    delivered,
    bucket: async (versioning) => {
      buckets += 1;
      const Bucket = `bucket-${buckets}`;
      await client.send(new CreateBucketCommand({ Bucket }));
      if (versioning !== undefined) await setVersioning(client, Bucket, versioning);
      return Bucket;
    },
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
}

export async function setVersioning(client: S3Client, Bucket: string, Status: "Enabled" | "Suspended") {
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
}

/** What a refused SDK call must look like. */
export function refusal(name: string, httpStatusCode: number) {
  return { name, $metadata: { httpStatusCode } };
}
