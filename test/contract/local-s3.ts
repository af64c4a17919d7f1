/** S3 for the contract and adapter suites: the embedded server, reached through the very client that functions use. */
import { CreateBucketCommand, PutBucketVersioningCommand, type S3Client } from "@aws-sdk/client-s3";
import { s3Client } from "../../functions/_aws/clients.ts";
import { startS3 } from "../../infra/local/s3/server.ts";
import { useTestCredentials } from "./loopback.ts";

export interface LocalS3 {
  readonly client: S3Client;
  close(): Promise<void>;
}

/** With the bucket `contract`, which keeps versions, and `plain`, which does not. */
export const startLocalS3 = async (): Promise<LocalS3> => {
  useTestCredentials();
  const server = await startS3({ region: process.env.AWS_REGION ?? "", deliver: async () => undefined });
  process.env.AWS_ENDPOINT_URL_S3 = server.url;
  const client = s3Client();
  for (const Bucket of ["contract", "plain"]) await client.send(new CreateBucketCommand({ Bucket }));
  await client.send(
    new PutBucketVersioningCommand({
      Bucket: "contract",
      VersioningConfiguration: { Status: "Enabled" },
    }),
  );
  return {
    client,
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
};
