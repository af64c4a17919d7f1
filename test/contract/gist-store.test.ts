/** The gist cache contract against memory and DynamoDB, and what DynamoDB alone must see to. */
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dynamoGistStore } from "../../functions/_aws/dynamo-gist-store.ts";
import { memoryGistStore } from "../memory/memory-gist-store.ts";
import { gistStoreContract } from "./gist-store-contract.ts";
import { type LocalDynamo, startDynamo } from "./local-dynamo.ts";
import { fresh, gist } from "./records.ts";

const now = 1_700_000_000_000;
let dynamo: LocalDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.close());

const memory = memoryGistStore();
gistStoreContract("memory", () => memory);
gistStoreContract("DynamoDB", () => dynamoGistStore(dynamo.gists, () => now));

test("a gist and a lease both expire after 90 days, in epoch seconds", async () => {
  const store = dynamoGistStore(dynamo.gists, () => now);
  const [put, leased] = [fresh("gist"), fresh("gist")];
  await store.put(put, gist());
  await store.lease(leased, "a", now, 150);
  for (const pk of [put, leased]) {
    const { Item } = await dynamo.client.send(new GetCommand({ TableName: dynamo.gists.name, Key: { pk } }));
    expect(Item?.expiresAt).toBe(now / 1000 + 90 * 86_400);
  }
});

test("a gist over 350 KB of UTF-8 is refused for good, by name", async () => {
  const store = dynamoGistStore(dynamo.gists, () => now);
  const long = gist({ text: "字".repeat(120_000) });
  await expect(store.put(fresh("gist"), long)).rejects.toMatchObject({
    kind: "permanent",
    code: "payload-too-large",
    message: expect.stringContaining("gist.text"),
  });
});
