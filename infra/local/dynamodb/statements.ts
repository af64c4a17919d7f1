/**
 * The PartiQL that functions send: an INSERT of one item, and an UPDATE that sets attributes of one item, found by its
 * key, and may ask for others to be missing. Translated to the writes that dynalite knows; nothing else is simulated.
 */
import * as z from "zod";
import type { Parameters } from "./dynalite.ts";

/** One statement as the operation that it comes to. */
export interface Translated {
  readonly action: "PartiQLInsert" | "PartiQLUpdate";
  readonly operation: "PutItem" | "UpdateItem";
  readonly parameters: Parameters;
}

const attributeValue = z.record(z.string(), z.unknown());
const statementSchema = z.strictObject({
  Statement: z.string(),
  Parameters: z.array(attributeValue).optional(),
});
export const batchSchema = z.strictObject({
  Statements: z.array(statementSchema).min(1).max(25),
  ReturnConsumedCapacity: z.string().optional(),
});
type Statement = z.infer<typeof statementSchema>;
type AttributeValue = z.infer<typeof attributeValue>;

const insert = /^\s*INSERT INTO "([\w.-]+)" VALUE \{(.*)\}\s*$/;
const update = /^\s*UPDATE "([\w.-]+)"((?: SET "\w+" ?= ?\?)+) WHERE (.+?)\s*$/;
const member = /^\s*'(\w+)'\s*:\s*\?\s*$/;
const change = /SET "(\w+)"/g;
const equality = /^\s*"(\w+)" ?= ?\?\s*$/;
const missing = /^\s*"(\w+)" IS MISSING\s*$/;

/** The attributes of a table's key; none where there is no such table. */
export type KeysOf = (table: string) => Promise<readonly string[]>;

/** Null for a statement that is not simulated. */
export const translate = async (
  { Statement, Parameters: values = [] }: Statement,
  keysOf: KeysOf,
): Promise<Translated | null> => {
  // Text in a parameter is never part of the statement, so every question mark stands for one value.
  if (values.length !== Statement.split("?").length - 1) return null;
  const inserted = insert.exec(Statement);
  const found = inserted ?? update.exec(Statement);
  if (!found) return null;
  const keyNames = await keysOf(found[1] ?? "");
  return inserted ? insertion(found, values, keyNames) : modification(found, values, keyNames);
};

const insertion = (
  [, table, members = ""]: RegExpExecArray,
  values: readonly AttributeValue[],
  [firstKey = ""]: readonly string[],
): Translated | null => {
  const names = members.split(",").map((each) => member.exec(each)?.[1]);
  if (names.some((name) => name === undefined)) return null;
  return {
    action: "PartiQLInsert",
    operation: "PutItem",
    parameters: {
      TableName: table,
      Item: Object.fromEntries(names.map((name, index) => [name, values[index]])),
      ConditionExpression: "attribute_not_exists(#key)",
      ExpressionAttributeNames: { "#key": firstKey },
    },
  };
};

/** An UPDATE makes no item: unlike UpdateItem it fails where there is none. */
const modification = (
  [, table, changes = "", where = ""]: RegExpExecArray,
  values: readonly AttributeValue[],
  keyNames: readonly string[],
): Translated | null => {
  const set = [...changes.matchAll(change)].map(([, name = ""]) => name);
  const conditions = where.split(" AND ");
  const keys = conditions.flatMap((each) => equality.exec(each)?.[1] ?? []);
  const absent = conditions.flatMap((each) => missing.exec(each)?.[1] ?? []);
  const isWhole = keys.length + absent.length === conditions.length;
  if (!isWhole || [...keys].sort().join() !== [...keyNames].sort().join()) return null;
  return {
    action: "PartiQLUpdate",
    operation: "UpdateItem",
    parameters: {
      TableName: table,
      Key: Object.fromEntries(keys.map((name, index) => [name, values[set.length + index]])),
      UpdateExpression: `SET ${set.map((name) => `#${name} = :${name}`).join(", ")}`,
      ConditionExpression: [
        `attribute_exists(#${keys[0]})`,
        ...absent.map((name) => `attribute_not_exists(#${name})`),
      ].join(" AND "),
      ExpressionAttributeNames: Object.fromEntries(
        [...set, ...keys, ...absent].map((name) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: Object.fromEntries(set.map((name, index) => [`:${name}`, values[index]])),
    },
  };
};
