/** The trust store port on DynamoDB: one item per family and one per watched task, in the tasks table. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { newFamilyTrust } from "@touchstone/core/domain/trust/family-trust";
import { transient } from "@touchstone/core/errors";
import type { TrustStore } from "@touchstone/core/ports";
import { type FamilyTrust, familyTrustSchema } from "@touchstone/core/schema/trust";
import { type Watch, watchSchema } from "@touchstone/core/schema/watch";
import { type DynamoTable, getItem, partitionKey, unlessConditionFailed } from "./dynamo-table.ts";
import { jsonAttribute, parseJsonAttribute } from "./stored.ts";

const familyKey = (family: string) => ({ pk: partitionKey(`trust#${family}`), sk: "family" });
const watchKey = (task: string) => ({ pk: partitionKey(`watch#${task}`), sk: "watch" });
const rounds = 16;

/** Key attributes `pk` and `sk`; `body` is the record as JSON, `stamp` names what stands for conditions to look at. */
export const dynamoTrustStore = (table: DynamoTable): TrustStore => {
  const family = async (name: string): Promise<FamilyTrust> => {
    const item = await getItem(table, familyKey(name));
    return item === null
      ? newFamilyTrust(name)
      : parseJsonAttribute(familyTrustSchema, item.body, `trust of family "${name}"`);
  };
  const watch = async (task: string): Promise<Watch | null> => {
    const item = await getItem(table, watchKey(task));
    return item === null ? null : parseJsonAttribute(watchSchema, item.body, `watch of task "${task}"`);
  };
  return {
    family,
    watch,
    changeFamily: (name, change) =>
      changeItem(
        table,
        `trust of family "${name}"`,
        () => family(name),
        change,
        (next, before) => ({
          ...{ key: familyKey(name), body: jsonAttribute("trust", next) },
          ...{ stamp: String(next.version), before: before.version === 0 ? null : String(before.version) },
        }),
      ),
    changeWatch: (task, change) =>
      changeItem(
        table,
        `watch of task "${task}"`,
        () => watch(task),
        change,
        (next, before) =>
          next === null
            ? null
            : {
                ...{ key: watchKey(task), body: jsonAttribute("watch", next) },
                ...{ stamp: stampOf(next), before: before && stampOf(before) },
              },
      ),
  };
};

/** The versions of a watch begin anew with every certificate. */
const stampOf = ({ certificate, version }: Watch): string => `${version} ${certificate}`;

interface Write {
  readonly key: Record<string, string>;
  readonly body: string;
  readonly stamp: string;
  /** Stamp of what must stand; null: nothing may. */
  readonly before: string | null;
}

const changeItem = async <Value>(
  table: DynamoTable,
  what: string,
  read: () => Promise<Value>,
  change: (value: Value) => Value,
  writeOf: (next: Value, before: Value) => Write | null,
): Promise<Value> => {
  for (let round = 0; round < rounds; round += 1) {
    const before = await read();
    const next = change(before);
    const write = next === before ? null : writeOf(next, before);
    if (write === null || (await put(table, write))) return next;
  }
  throw transient("conflict", `the ${what} was written by others at every try`);
};

const put = async (table: DynamoTable, { key, body, stamp, before }: Write): Promise<boolean> => {
  const command = new PutCommand({
    TableName: table.name,
    Item: { ...key, stamp, body },
    ...(before === null
      ? {
          ConditionExpression: "attribute_not_exists(#pk)",
          ExpressionAttributeNames: { "#pk": "pk" },
        }
      : {
          ConditionExpression: "#stamp = :before",
          ExpressionAttributeNames: { "#stamp": "stamp" },
          ExpressionAttributeValues: { ":before": before },
        }),
  });
  return (await unlessConditionFailed(table.client.send(command))) !== null;
};
