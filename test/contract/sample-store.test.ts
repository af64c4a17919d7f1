/** The sample store contract against memory and DynamoDB. */
import * as fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { dynamoSampleStore } from "../../functions/_aws/dynamo-sample-store.ts";
import { memorySampleStore } from "../memory/memory-sample-store.ts";
import { type LocalDynamo, startDynamo } from "./local-dynamo.ts";
import { agreesWithMemory, steps } from "./sample-lease-property.ts";
import { sampleStoreContract } from "./sample-store-contract.ts";

let dynamo: LocalDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.close());

const memory = memorySampleStore();
sampleStoreContract("memory", () => memory);
sampleStoreContract("DynamoDB", () => dynamoSampleStore(dynamo.samples));

test("any order of leases, releases and records keeps one payer and the first paid answer", async () => {
  const store = dynamoSampleStore(dynamo.samples);
  await fc.assert(
    fc.asyncProperty(steps, (plan) => agreesWithMemory(store, plan)),
    { numRuns: 60 },
  );
});
