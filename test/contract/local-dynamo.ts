/** DynamoDB for the contract suites: the embedded one on loopback, reached through the very clients that functions use. */
import { CreateTableCommand, type CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { dynamoClient, plainDynamoClient } from "../../functions/_aws/clients.ts";
import type { DynamoTable } from "../../functions/_aws/dynamo-table.ts";
import { writeTogether } from "../../functions/_aws/dynamo-together.ts";
import { startDynamoDb } from "../../infra/local/dynamodb/server.ts";
import type { Tap } from "../../infra/local/tap.ts";
import { joinTaps } from "../../infra/local/taps.ts";
import { useTestCredentials } from "./loopback.ts";

export interface LocalDynamo {
  readonly client: DynamoDBDocumentClient;
  /** Each with the keys and indexes that the adapter of that name documents. */
  readonly ledger: DynamoTable;
  readonly samples: DynamoTable;
  readonly reviews: DynamoTable;
  readonly gists: DynamoTable;
  readonly tasks: DynamoTable;
  close(): Promise<void>;
}

export const startDynamo = async (
  tap: Tap = {},
  log: (line: string) => void = console.error,
): Promise<LocalDynamo> => {
  const server = await startDynamoDb({ region: "us-east-1", tap: joinTaps([tap]), log });
  useTestCredentials();
  process.env.AWS_ENDPOINT_URL_DYNAMODB = server.url;
  const client = dynamoClient();
  const plain = plainDynamoClient();
  const together = writeTogether(plain, console.error);
  for (const table of tables) {
    await client.send(new CreateTableCommand({ ...table, BillingMode: "PAY_PER_REQUEST" }));
  }
  return {
    client,
    ledger: { client, name: "ledger" },
    samples: { client, plain, together, name: "samples" },
    reviews: { client, name: "reviews" },
    gists: { client, name: "gists" },
    tasks: { client, name: "tasks" },
    close: async () => {
      client.destroy();
      plain.destroy();
      await server.close();
    },
  };
};

const pkOnly = (TableName: string): CreateTableCommandInput => ({
  TableName,
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
});

const tables: readonly CreateTableCommandInput[] = [
  {
    TableName: "ledger",
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
      { AttributeName: "openShard", AttributeType: "S" },
      { AttributeName: "openedAt", AttributeType: "N" },
    ],
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "open",
        KeySchema: [
          { AttributeName: "openShard", KeyType: "HASH" },
          { AttributeName: "openedAt", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
  },
  {
    TableName: "tasks",
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
    ],
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
  },
  pkOnly("samples"),
  pkOnly("gists"),
  {
    TableName: "reviews",
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "claimShard", AttributeType: "S" },
      { AttributeName: "rank", AttributeType: "S" },
    ],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    GlobalSecondaryIndexes: [
      {
        IndexName: "claimable",
        KeySchema: [
          { AttributeName: "claimShard", KeyType: "HASH" },
          { AttributeName: "rank", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["task", "leaseUntil"] },
      },
    ],
  },
];
