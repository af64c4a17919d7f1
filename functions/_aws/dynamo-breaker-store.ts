/** The breaker store port on DynamoDB: one item per endpoint in the tasks table; SCORE, DESCRIBE and SWEEP use it. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { newBreaker } from "@touchstone/core/domain/pressure/breaker";
import type { BreakerStore } from "@touchstone/core/ports";
import { breakerSchema, type EndpointName } from "@touchstone/core/schema/pressure";
import { type DynamoTable, getItem, unlessConditionFailed } from "./dynamo-table.ts";
import { parseStored } from "./stored.ts";

const keyOf = (endpoint: EndpointName) => ({ pk: `endpoint#${endpoint}`, sk: "state" });

/** Key attributes `pk` and `sk`. */
export const dynamoBreakerStore = (table: DynamoTable): BreakerStore => ({
  async read(endpoint) {
    const item = await getItem(table, keyOf(endpoint));
    if (item === null) return newBreaker(endpoint);
    const { pk, sk: _sk, ...breaker } = item;
    return parseStored(breakerSchema, breaker, `tasks row ${String(pk)}`);
  },

  async write(breaker) {
    const isFirst = breaker.version === 1;
    const put = new PutCommand({
      TableName: table.name,
      Item: { ...keyOf(breaker.endpoint), ...breaker },
      ...(isFirst
        ? {
            ConditionExpression: "attribute_not_exists(#pk)",
            ExpressionAttributeNames: { "#pk": "pk" },
          }
        : {
            ConditionExpression: "#version = :before",
            ExpressionAttributeNames: { "#version": "version" },
            ExpressionAttributeValues: { ":before": breaker.version - 1 },
          }),
    });
    return (await unlessConditionFailed(table.client.send(put))) !== null;
  },
});
