import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DynamoDbService, startDynamoDb } from "../../infra/local/dynamodb/server.ts";
import type { ServiceCall } from "../../infra/local/tap.ts";
import { joinTaps } from "../../infra/local/taps.ts";

let service: DynamoDbService;
let client: DynamoDBClient;
let refuse = false;
const calls: ServiceCall[] = [];
const lines: string[] = [];
const TableName = "Things";

beforeAll(async () => {
  const tap = joinTaps([
    {
      before(call) {
        calls.push(call);
        if (refuse) throw new Error("not today");
      },
    },
  ]);
  service = await startDynamoDb({ region: "us-east-1", tap, log: (line) => lines.push(line) });
  client = new DynamoDBClient({
    endpoint: service.url,
    region: "us-east-1",
    credentials: { accessKeyId: "tester", secretAccessKey: "s" },
  });
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [
        { AttributeName: "id", AttributeType: "S" },
        { AttributeName: "owner", AttributeType: "S" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "byOwner",
          KeySchema: [{ AttributeName: "owner", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        },
      ],
    }),
  );
});
afterAll(async () => await service?.close());

describe("the embedded DynamoDB", () => {
  test("returns the item a condition failed against, when asked", async () => {
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: "a" }, n: { N: "1" } } }));
    const second = client.send(
      new PutItemCommand({
        TableName,
        Item: { id: { S: "a" } },
        ConditionExpression: "attribute_not_exists(id)",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    const error = await second.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(error).toHaveProperty("Item", { id: { S: "a" }, n: { N: "1" } });
  });

  test("tells the tap who calls what on which table and index", async () => {
    await client.send(
      new QueryCommand({
        TableName,
        IndexName: "byOwner",
        KeyConditionExpression: "#o = :o",
        ExpressionAttributeNames: { "#o": "owner" },
        ExpressionAttributeValues: { ":o": { S: "x" } },
      }),
    );
    expect(calls.at(-1)).toMatchObject({
      service: "dynamodb",
      operation: "Query",
      resource: TableName,
      index: "byOwner",
      caller: "tester",
    });
  });

  test("refuses what a tap refuses", async () => {
    refuse = true;
    const put = client.send(new PutItemCommand({ TableName, Item: { id: { S: "b" } } }));
    await expect(put).rejects.toMatchObject({ name: "AccessDeniedException", message: "not today" });
    refuse = false;
  });

  test("an operation or parameter that is not simulated is refused by name", async () => {
    const transaction = client.send(
      new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: { id: { S: "c" } } } }] }),
    );
    await expect(transaction).rejects.toThrow(/TransactWriteItems is not simulated/);
    const query = client.send(
      new CreateTableCommand({
        TableName: "Other",
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
        BillingMode: "PAY_PER_REQUEST",
        StreamSpecification: { StreamEnabled: true },
      }),
    );
    await expect(query).rejects.toThrow(
      /parameter StreamSpecification of DynamoDB CreateTable is not simulated/,
    );
    expect(lines.some((line) => /TransactWriteItems is not simulated, called by tester/.test(line))).toBe(
      true,
    );
  });
});
