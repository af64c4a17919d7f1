/** The contracts of the stores behind pressure, against memory and DynamoDB. */
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll } from "vitest";
import { dynamoBreakerStore } from "../../functions/_aws/dynamo-breaker-store.ts";
import { dynamoBudgetStore } from "../../functions/_aws/dynamo-budget-store.ts";
import { memoryBreakerStore } from "../memory/memory-breaker-store.ts";
import { memoryBudgetStore } from "../memory/memory-budget-store.ts";
import { breakerStoreContract } from "./breaker-store-contract.ts";
import { budgetStoreContract } from "./budget-store-contract.ts";
import { type LocalDynamo, startDynamo } from "./local-dynamo.ts";

let dynamo: LocalDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.close());

breakerStoreContract("memory", async () => memoryBreakerStore());
breakerStoreContract("DynamoDB", async () => {
  // There is one breaker per endpoint and table, so a new store begins with an empty table.
  const Key = { pk: "endpoint#judge", sk: "state" };
  await dynamo.client.send(new DeleteCommand({ TableName: dynamo.tasks.name, Key }));
  return dynamoBreakerStore(dynamo.tasks);
});

const budgets = memoryBudgetStore();
budgetStoreContract("memory", () => budgets);
budgetStoreContract("DynamoDB", () => dynamoBudgetStore(dynamo.tasks));
