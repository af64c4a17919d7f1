/** The least that a function of this pipeline can be: the SDK clients that all hops use, and one call to each. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";

const s3 = new S3Client({});
const sqs = new SQSClient({});
const tables = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const handler = async (): Promise<void> => {
  await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "key" }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: "queue", Entries: [] }));
  await tables.send(new PutCommand({ TableName: "table", Item: { pk: "1" } }));
};
