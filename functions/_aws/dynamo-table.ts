/** What every DynamoDB adapter needs to say about a table: failed conditions, keys, consistent reads. */
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { permanent } from "@touchstone/core/errors";
import type { WriteTogether } from "./dynamo-together.ts";

export interface DynamoTable {
  readonly client: DynamoDBDocumentClient;
  /** For commands in DynamoDB's own form, where there are many; they may go through the other one too. */
  readonly plain?: DynamoDBClient;
  /** Where writes of many callers may share a call; the role needs the right to PartiQL's writes. */
  readonly together?: WriteTogether;
  readonly name: string;
}

export type Item = Readonly<Record<string, unknown>>;

/** DynamoDB's limit for a partition key. */
const maxKeyBytes = 2048;

/** The key itself; one that DynamoDB would refuse for ever is a permanent error. */
export const partitionKey = (key: string): string => {
  const bytes = Buffer.byteLength(key);
  if (bytes <= maxKeyBytes) return key;
  throw permanent(
    "refused",
    `a key of ${bytes} bytes is too long; shorten the batch's path to fit ${maxKeyBytes}`,
  );
};

/** By name: a second bundled copy of the SDK has other classes. */
export const isConditionFailed = (error: unknown): boolean =>
  error instanceof Error && error.name === "ConditionalCheckFailedException";

/** Sends a conditional write; null where its condition did not hold. */
export const unlessConditionFailed = async <Answer>(write: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailed(error)) return null;
    throw error;
  }
};

/** The item as it stands now, not as some replica remembers it. */
export const getItem = async (table: DynamoTable, key: Record<string, string>): Promise<Item | null> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
  );
  return answer.Item ?? null;
};

/** All pages of a query, item by item. */
export async function* queryItems(
  table: DynamoTable,
  query: Omit<QueryCommandInput, "TableName" | "ExclusiveStartKey">,
): AsyncGenerator<Item> {
  let from: QueryCommandInput["ExclusiveStartKey"];
  do {
    const page = await table.client.send(
      new QueryCommand({ ...query, TableName: table.name, ExclusiveStartKey: from }),
    );
    yield* page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from);
}
