/** Finds the texts of a result's gists, of which the result keeps only the hash. Part of a connection. */
import { type DynamoDBDocumentClient, ScanCommand, type ScanCommandInput } from "@aws-sdk/lib-dynamodb";
import { type Gist, gistSchema } from "@touchstone/core/schema/gist";
import { parseJsonAttribute } from "../../functions/_aws/stored.ts";

/** A page is at most 1 MB. Whoever looks at one sample waits for so many and no longer. */
const maxPages = 25;

/**
 * The gist of a picture, from the cache; null where it is not found (it expires, and a large cache is searched
 * in part only). The cache key begins with the hash; the rest of it names what the result does not say.
 */
export const findGist = async (
  client: DynamoDBDocumentClient,
  table: string,
  wanted: Pick<Gist, "hash" | "strategy">,
): Promise<Gist | null> => {
  let from: ScanCommandInput["ExclusiveStartKey"];
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await client.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: "begins_with(#pk, :hash) AND attribute_exists(#gist)",
        ProjectionExpression: "#pk, #gist",
        ExpressionAttributeNames: { "#pk": "pk", "#gist": "gist" },
        ExpressionAttributeValues: { ":hash": `${wanted.hash}:` },
        ExclusiveStartKey: from,
      }),
    );
    for (const item of answer.Items ?? []) {
      const gist = parseJsonAttribute(gistSchema, item.gist, `gist ${String(item.pk)}`);
      if (gist.strategy === wanted.strategy) return gist;
    }
    from = answer.LastEvaluatedKey;
    if (!from) break;
  }
  return null;
};
