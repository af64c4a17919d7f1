/** The ledger contract against memory and DynamoDB. */
import { afterAll, beforeAll } from "vitest";
import { dynamoLedger } from "../../functions/_aws/dynamo-ledger.ts";
import { memoryLedger } from "../memory/memory-ledger.ts";
import { ledgerContract } from "./ledger-contract.ts";
import { type LocalDynamo, startDynamo } from "./local-dynamo.ts";

let dynamo: LocalDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.close());

const memory = memoryLedger();
ledgerContract("memory", () => memory);
ledgerContract("DynamoDB", () => dynamoLedger(dynamo.ledger));
