/** Creates the template's tables, or recognises those that an earlier run left in the data directory. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { DynaliteStore } from "./dynalite.ts";
import { DynamoDbError, execute } from "./execute.ts";

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const indexSchema = z.object({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.object({
    ProjectionType: z.string().optional(),
    NonKeyAttributes: z.array(z.string()).optional(),
  }),
});
const shapeSchema = z.object({
  KeySchema: keySchema,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.string() })),
  GlobalSecondaryIndexes: z.array(indexSchema).optional(),
});

const statusSchema = z.object({ TableStatus: z.string() });

export type TableDefinition = z.infer<typeof shapeSchema> & { readonly TableName: string };

export async function ensureTable(store: DynaliteStore, definition: TableDefinition): Promise<void> {
  const { TableName } = definition;
  await dropHalfMade(store, TableName);
  try {
    const described = await execute(store, "DescribeTable", { TableName });
    const wanted = comparable(shapeSchema.parse(definition));
    if (!isDeepStrictEqual(comparable(shapeSchema.parse(described.Table)), wanted))
      throw new Error(
        `table ${TableName} exists in the data directory with other keys or indexes than the template's: remove the directory or migrate the table`,
      );
  } catch (error) {
    if (!(error instanceof DynamoDbError) || !String(error.body.__type).endsWith("ResourceNotFoundException"))
      throw error;
    await execute(store, "CreateTable", { ...structuredClone(definition), BillingMode: "PAY_PER_REQUEST" });
    await untilActive(store, TableName);
  }
}

/** Names of a table's key attributes; none where there is no such table. */
export async function keyAttributes(store: DynaliteStore, TableName: string): Promise<readonly string[]> {
  const { TableNames } = await execute(store, "ListTables", {});
  if (!z.array(z.string()).parse(TableNames).includes(TableName)) return [];
  const { Table } = await execute(store, "DescribeTable", { TableName });
  return shapeSchema.parse(Table).KeySchema.map(({ AttributeName }) => AttributeName);
}

/** A run that was killed while it created the table left it in a state that it never leaves, and empty. */
async function dropHalfMade(store: DynaliteStore, TableName: string): Promise<void> {
  const { TableNames } = await execute(store, "ListTables", {});
  if (!z.array(z.string()).parse(TableNames).includes(TableName)) return;
  const { Table } = await execute(store, "DescribeTable", { TableName });
  if (statusSchema.parse(Table).TableStatus !== "CREATING") return;
  await new Promise<void>((resolve, reject) => {
    store.tableDb.del(TableName, (error) => (error ? reject(error) : resolve()));
  });
}

async function untilActive(store: DynaliteStore, TableName: string): Promise<void> {
  for (;;) {
    const { Table } = await execute(store, "DescribeTable", { TableName });
    if (statusSchema.parse(Table).TableStatus === "ACTIVE") return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The same definition whatever the order in which it lists attributes and indexes. */
function comparable(shape: z.infer<typeof shapeSchema>) {
  const byName = (left: string, right: string) => left.localeCompare(right);
  return {
    keys: shape.KeySchema,
    attributes: shape.AttributeDefinitions.map((each) => `${each.AttributeName}:${each.AttributeType}`).sort(
      byName,
    ),
    indexes: (shape.GlobalSecondaryIndexes ?? [])
      .map(({ IndexName, KeySchema, Projection }) => JSON.stringify({ IndexName, KeySchema, Projection }))
      .sort(byName),
  };
}
