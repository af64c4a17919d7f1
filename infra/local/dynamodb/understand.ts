/** What a DynamoDB call is about, for who watches it, and how it is run. Used by the server. */
import type { ItemWrite, ServiceCall } from "../tap.ts";
import { executeBatch, readBatch, refuseRepeats } from "./batch-statements.ts";
import type { DynaliteStore, Parameters } from "./dynalite.ts";
import { execute } from "./execute.ts";
import type { KeysOf } from "./statements.ts";

export interface Understood {
  readonly about: Pick<ServiceCall, "resource" | "index" | "item" | "expression" | "writes">;
  readonly run: (store: DynaliteStore) => Promise<Parameters>;
}

/** Throws `DynamoDbError` for statements that are refused. */
export const understand = (operation: string, parameters: Parameters, keysOf: KeysOf): Promise<Understood> =>
  operation === "BatchExecuteStatement"
    ? understandBatch(parameters, keysOf)
    : understandSingle(operation, parameters, keysOf);

const understandSingle = async (
  operation: string,
  parameters: Parameters,
  keysOf: KeysOf,
): Promise<Understood> => {
  const keyNames = parameters.Item === undefined ? [] : await keysOf(String(parameters.TableName));
  return {
    about: { ...resourceOf(parameters), ...itemOf(parameters, keyNames) },
    run: (store) => execute(store, operation, measured(operation, parameters)),
  };
};

const understandBatch = async (parameters: Parameters, keysOf: KeysOf): Promise<Understood> => {
  const statements = await readBatch(parameters, keysOf);
  const writes: ItemWrite[] = [];
  for (const { action, parameters: write } of statements) {
    const table = String(write.TableName);
    const { item = "", expression = "" } = itemOf(write, await keysOf(table));
    writes.push({ action, table, item, expression });
  }
  refuseRepeats(writes);
  const tables = new Set(writes.map(({ table }) => table));
  return {
    about: { resource: [...tables].join(","), writes },
    run: (store) => executeBatch(store, statements),
  };
};

/** Lets dynalite count what the call would be billed, where it is one that reads or writes items. */
const measured = (operation: string, parameters: Parameters): Parameters =>
  /Item$|^Query$|^Scan$/.test(operation) && parameters.ReturnConsumedCapacity === undefined
    ? { ...parameters, ReturnConsumedCapacity: "TOTAL" }
    : parameters;

/** The table a call is about; batch calls name theirs as keys, joined by commas. */
const resourceOf = (parameters: Parameters): { resource: string; index?: string } => {
  const { TableName, IndexName, RequestItems } = parameters;
  if (RequestItems !== undefined) return { resource: Object.keys(Object(RequestItems)).join(",") };
  const resource = typeof TableName === "string" ? (TableName.split("/").at(-1) ?? TableName) : "";
  return typeof IndexName === "string" ? { resource, index: IndexName } : { resource };
};

/** Which item a call is about, and what an update does to it; `keyNames` are needed where the whole item is given. */
const itemOf = (
  { Key, Item, UpdateExpression }: Parameters,
  keyNames: readonly string[],
): { item?: string; expression?: string } => {
  const attributes: Record<string, unknown> = Object(Key ?? Item);
  const names = Key === undefined ? keyNames : Object.keys(attributes);
  const values = names.flatMap((name) => Object.values(Object(attributes[name])).map(String));
  return {
    ...(values.length === 0 ? {} : { item: values.join(" ") }),
    ...(typeof UpdateExpression === "string" ? { expression: UpdateExpression } : {}),
  };
};
