/** The trust store's contract, against memory and DynamoDB. */
import { afterAll, beforeAll } from "vitest";
import { dynamoTrustStore } from "../../functions/_aws/dynamo-trust-store.ts";
import { memoryTrustStore } from "../memory/memory-trust-store.ts";
import { type LocalDynamo, startDynamo } from "./local-dynamo.ts";
import { trustStoreContract } from "./trust-store-contract.ts";

let dynamo: LocalDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.close());

const memory = memoryTrustStore();
trustStoreContract("memory", () => memory);
trustStoreContract("DynamoDB", () => dynamoTrustStore(dynamo.tasks));
