/** The sample store contract against memory and DynamoDB. */
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dynamoSampleStore } from "../../functions/_aws/dynamo-sample-store.ts";
import { memorySampleStore } from "../memory/memory-sample-store.ts";
import { type LocalDynamo, startDynamo } from "./local-dynamo.ts";
import { result, sampleKey, verdict } from "./records.ts";
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

test("the largest result and the largest verdict fit into one item; one byte more is refused by name", async () => {
  const store = dynamoSampleStore(dynamo.samples);
  const key = sampleKey();
  const filler = (record: object, bytes: number) =>
    "x".repeat(bytes - Buffer.byteLength(JSON.stringify(record)));
  const largest = result({ fingerprint: filler(result({ fingerprint: "" }), 380_000) });
  const longest = verdict({ note: filler(verdict({ note: "" }), 25_000).slice(0, 2_000) });
  const values = { relevance: filler({ ...longest, values: { relevance: "" } }, 25_000) };
  await store.record(key, largest);
  await store.setVerdict(key, { ...longest, values });
  expect((await store.read([key]))[0]?.result).toEqual(largest);
  const over = { ...largest, fingerprint: `${largest.fingerprint}x` };
  await expect(store.record(sampleKey(), over)).rejects.toMatchObject({
    kind: "permanent",
    code: "payload-too-large",
    message: expect.stringContaining("result.fingerprint"),
  });
});
