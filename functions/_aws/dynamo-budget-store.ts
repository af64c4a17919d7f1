/** The budget store port on DynamoDB: one item per run and task in the tasks table, whose `left` only falls by taking. */
import { PutCommand, UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import { isUsedUp } from "@touchstone/core/domain/pressure/budget";
import type { BudgetStore } from "@touchstone/core/ports";
import { type BudgetKey, type CallBudget, callBudgetSchema } from "@touchstone/core/schema/pressure";
import {
  type DynamoTable,
  getItem,
  type Item,
  partitionKey,
  queryItems,
  unlessConditionFailed,
} from "./dynamo-table.ts";
import { parseStored } from "./stored.ts";

const partitionOf = (batch: string, run: number): string => partitionKey(`budget#${batch}#${run}`);
const keyOf = ({ batch, run, task }: BudgetKey) => ({ pk: partitionOf(batch, run), sk: task });

const budgetOf = ({ pk, sk: _sk, ...budget }: Item): CallBudget =>
  parseStored(callBudgetSchema, budget, `tasks row ${String(pk)}`);

/** Key attributes `pk` and `sk`. */
export const dynamoBudgetStore = (table: DynamoTable): BudgetStore => ({
  async take(key, calls, limit) {
    let wanted = calls;
    while (wanted > 0) {
      const taken = await update(table, key, {
        UpdateExpression: "SET #left = #left - :calls",
        ConditionExpression: "#left >= :calls",
        ExpressionAttributeNames: { "#left": "left" },
        ExpressionAttributeValues: { ":calls": wanted },
      });
      if (taken) return wanted;
      const item = await getItem(table, keyOf(key));
      if (item === null) await create(table, key, limit);
      else wanted = Math.min(wanted, budgetOf(item).left);
    }
    return 0;
  },

  async giveBack(key, calls) {
    await update(table, key, {
      UpdateExpression: "SET #left = #left + :calls",
      ConditionExpression: "attribute_exists(#left)",
      ExpressionAttributeNames: { "#left": "left" },
      ExpressionAttributeValues: { ":calls": calls },
    });
  },

  async setLimit(key, limit, templateLimit, now) {
    for (;;) {
      const item = await getItem(table, keyOf(key));
      if (item === null) {
        await create(table, key, templateLimit);
        continue;
      }
      const before = budgetOf(item);
      const more = limit - before.limit;
      const resumes = isUsedUp(before) && before.left + more > 0;
      const written = await update(table, key, {
        UpdateExpression: `SET #limit = :limit, #left = #left + :more${resumes ? ", #resumedAt = :now" : ""}`,
        // Others take meanwhile: whether anybody has had to wait must not change under our hands.
        ConditionExpression: `#limit = :before AND #left ${isUsedUp(before) ? "<=" : ">"} :zero`,
        ExpressionAttributeNames: {
          "#limit": "limit",
          "#left": "left",
          ...(resumes ? { "#resumedAt": "resumedAt" } : {}),
        },
        ExpressionAttributeValues: {
          ":limit": limit,
          ":more": more,
          ":before": before.limit,
          ":zero": 0,
          ":now": resumes ? now : undefined,
        },
      });
      if (written) return budgetOf(written);
    }
  },

  async read(batch, run) {
    const budgets: CallBudget[] = [];
    const query = {
      KeyConditionExpression: "#pk = :pk",
      ExpressionAttributeNames: { "#pk": "pk" },
      ExpressionAttributeValues: { ":pk": partitionOf(batch, run) },
      ConsistentRead: true,
    };
    for await (const item of queryItems(table, query)) budgets.push(budgetOf(item));
    return budgets;
  },
});

/** The item as it then stands, or null where its condition does not hold. */
const update = async (
  table: DynamoTable,
  key: BudgetKey,
  expressions: Omit<UpdateCommandInput, "TableName" | "Key" | "ReturnValues">,
): Promise<Item | null> => {
  const command = new UpdateCommand({
    ...expressions,
    TableName: table.name,
    Key: keyOf(key),
    ReturnValues: "ALL_NEW",
  });
  return (await unlessConditionFailed(table.client.send(command)))?.Attributes ?? null;
};

/** With the whole limit left; one that is there already stays as it is. */
const create = async (table: DynamoTable, key: BudgetKey, limit: number): Promise<void> => {
  const budget: CallBudget = { ...key, limit, left: limit, resumedAt: null };
  const put = new PutCommand({
    TableName: table.name,
    Item: { ...keyOf(key), ...budget },
    ConditionExpression: "attribute_not_exists(#pk)",
    ExpressionAttributeNames: { "#pk": "pk" },
  });
  await unlessConditionFailed(table.client.send(put));
};
