import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import {
  ChangeMessageVisibilityCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { CfnOutput, Duration, type Stack } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as s3 from "aws-cdk-lib/aws-s3";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { type EmbeddedStack, startStack } from "../../infra/local/stack.ts";
import { synthesise, temporaryDirectory } from "./fixture/synthesise.ts";

const dataDirectory = temporaryDirectory("data");

const template = (sortKey: boolean, visibilitySeconds: number) => (target: Stack) => {
  new s3.Bucket(target, "Bucket", { versioned: true });
  const queue = new sqs.Queue(target, "Queue", { visibilityTimeout: Duration.seconds(visibilitySeconds) });
  const table = new dynamodb.Table(target, "Table", {
    partitionKey: { name: "id", type: dynamodb.AttributeType.STRING },
    ...(sortKey ? { sortKey: { name: "at", type: dynamodb.AttributeType.STRING } } : {}),
    billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
  });
  table.addGlobalSecondaryIndex({
    indexName: "byOwner",
    partitionKey: { name: "owner", type: dynamodb.AttributeType.STRING },
  });
  new CfnOutput(target, "QueueName", { value: queue.queueName });
  new CfnOutput(target, "QueueUrl", { value: queue.queueUrl });
  new CfnOutput(target, "TableName", { value: table.tableName });
  const bucket = target.node.findChild("Bucket");
  if (bucket instanceof s3.Bucket) new CfnOutput(target, "BucketName", { value: bucket.bucketName });
};

function clients(stack: EmbeddedStack) {
  const common = { region: stack.region, credentials: stack.credentials };
  return {
    names: stack.outputs.Kept ?? {},
    s3: new S3Client({ ...common, endpoint: stack.endpoints.s3 }),
    sqs: new SQSClient({ ...common, endpoint: stack.endpoints.sqs }),
    dynamodb: new DynamoDBClient({ ...common, endpoint: stack.endpoints.dynamodb }),
  };
}

describe("a data directory", () => {
  test("keeps objects, messages and items, on other ports and with changed queue settings", async () => {
    const first = await startStack({ assembly: synthesise("Kept", template(false, 30)), dataDirectory });
    const before = clients(first);
    await before.s3.send(new PutObjectCommand({ Bucket: before.names.BucketName, Key: "a", Body: "kept" }));
    await before.dynamodb.send(
      new PutItemCommand({ TableName: before.names.TableName, Item: { id: { S: "i" } } }),
    );
    await before.sqs.send(new SendMessageCommand({ QueueUrl: before.names.QueueUrl, MessageBody: "m" }));
    const { Messages } = await before.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: before.names.QueueUrl }),
    );
    // Releasing a message is what fauxqs loses it by, unless mended.
    await before.sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: before.names.QueueUrl,
        ReceiptHandle: Messages?.[0]?.ReceiptHandle,
        VisibilityTimeout: 0,
      }),
    );
    await first.stop();

    const second = await startStack({ assembly: synthesise("Kept", template(false, 60)), dataDirectory });
    const after = clients(second);
    const object = await after.s3.send(new GetObjectCommand({ Bucket: after.names.BucketName, Key: "a" }));
    expect(await object.Body?.transformToString()).toBe("kept");
    const { Item } = await after.dynamodb.send(
      new GetItemCommand({ TableName: after.names.TableName, Key: { id: { S: "i" } } }),
    );
    expect(Item).toEqual({ id: { S: "i" } });
    const { QueueUrl } = await after.sqs.send(new GetQueueUrlCommand({ QueueName: after.names.QueueName }));
    expect(QueueUrl).toBe(after.names.QueueUrl);
    const again = await after.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ["ApproximateReceiveCount"] }),
    );
    expect(again.Messages).toMatchObject([{ Body: "m", Attributes: { ApproximateReceiveCount: "2" } }]);
    await second.stop();
  });

  test("with a table of other keys is refused, and says what to do", async () => {
    const start = startStack({ assembly: synthesise("Kept", template(true, 30)), dataDirectory });
    await expect(start).rejects.toThrow(
      /exists in the data directory with other keys or indexes.*remove the directory/,
    );
  });
});
