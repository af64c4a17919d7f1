/** The gist cache port on DynamoDB; DESCRIBE leases a picture here before it pays a captioner. */
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Clock, GistStore } from "@touchstone/core/ports";
import { gistSchema } from "@touchstone/core/schema/gist";
import { type DynamoTable, getItem, partitionKey, unlessConditionFailed } from "./dynamo-table.ts";
import { jsonAttribute, parseJsonAttribute } from "./stored.ts";

/** A gist serves every batch that shows the same picture again within this time. */
const keepSeconds = 90 * 86_400;
const maxGistBytes = 350_000;

/** Key attribute `pk`; `expiresAt` (epoch seconds) is the table's time-to-live attribute. */
export const dynamoGistStore = (table: DynamoTable, clock: Clock): GistStore => ({
  async lease(cacheKey, token, now, leaseSeconds) {
    const key = { pk: partitionKey(cacheKey) };
    const update = new UpdateCommand({
      TableName: table.name,
      Key: key,
      UpdateExpression: "SET #leaseToken = :token, #leaseUntil = :until, #expiresAt = :expiresAt",
      ConditionExpression:
        "attribute_not_exists(#gist) AND (attribute_not_exists(#leaseUntil) OR #leaseUntil <= :now)",
      ExpressionAttributeNames: {
        "#leaseToken": "leaseToken",
        "#leaseUntil": "leaseUntil",
        "#expiresAt": "expiresAt",
        "#gist": "gist",
      },
      ExpressionAttributeValues: {
        ":token": token,
        ":until": now + leaseSeconds * 1000,
        ":expiresAt": expiry(now),
        ":now": now,
      },
    });
    if (await unlessConditionFailed(table.client.send(update))) return { kind: "leased" };
    const item = await getItem(table, key);
    if (item?.gist !== undefined) {
      return { kind: "ready", gist: parseJsonAttribute(gistSchema, item.gist, `gist ${cacheKey}`) };
    }
    // Our own token: the first answer was lost on the way and the SDK asked again.
    return item?.leaseToken === token ? { kind: "leased" } : { kind: "busy" };
  },

  async put(cacheKey, gist) {
    const Item = {
      pk: partitionKey(cacheKey),
      gist: jsonAttribute("gist", gist, maxGistBytes),
      expiresAt: expiry(clock()),
    };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  },

  async release(cacheKey, token) {
    await unlessConditionFailed(
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { pk: partitionKey(cacheKey) },
          UpdateExpression: "REMOVE #leaseToken, #leaseUntil",
          ConditionExpression: "#leaseToken = :token",
          ExpressionAttributeNames: { "#leaseToken": "leaseToken", "#leaseUntil": "leaseUntil" },
          ExpressionAttributeValues: { ":token": token },
        }),
      ),
    );
  },
});

const expiry = (now: number): number => Math.floor(now / 1000) + keepSeconds;
