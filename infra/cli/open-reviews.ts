/** Counts the review tasks without a verdict through the index that reviewers are served from. Part of a connection. */
import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import { claimableIndex, claimShards } from "../../functions/_aws/dynamo-review-rows.ts";

export interface OpenReviews {
  readonly open: number;
  /** Somebody has them; a lease that has run out counts here until the task is claimed again. */
  readonly claimed: number;
}

export const openReviews = async (client: DynamoDBDocumentClient, table: string): Promise<OpenReviews> => ({
  open: await countShards(client, table, claimShards("open")),
  claimed: await countShards(client, table, claimShards("claimed")),
});

const countShards = async (
  client: DynamoDBDocumentClient,
  table: string,
  shards: readonly string[],
): Promise<number> => {
  const counts = await Promise.all(shards.map((shard) => countShard(client, table, shard)));
  return counts.reduce((sum, count) => sum + count, 0);
};

const countShard = async (client: DynamoDBDocumentClient, table: string, shard: string): Promise<number> => {
  let count = 0;
  let from: QueryCommandInput["ExclusiveStartKey"];
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: claimableIndex,
        Select: "COUNT",
        KeyConditionExpression: "#claimShard = :shard",
        ExpressionAttributeNames: { "#claimShard": "claimShard" },
        ExpressionAttributeValues: { ":shard": shard },
        ExclusiveStartKey: from,
      }),
    );
    count += page.Count ?? 0;
    from = page.LastEvaluatedKey;
  } while (from);
  return count;
};
