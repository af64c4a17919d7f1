/** The review store contract against memory and DynamoDB, and what DynamoDB alone must see to. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dynamoReviewStore } from "../../functions/_aws/dynamo-review-store.ts";
import { memoryReviewStore } from "../memory/memory-review-store.ts";
import { type LocalDynamo, startDynamo } from "./local-dynamo.ts";
import { reviewTask } from "./records.ts";
import { reviewStoreContract } from "./review-store-contract.ts";

let dynamo: LocalDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.close());

const memory = memoryReviewStore();
reviewStoreContract("memory", () => memory);
reviewStoreContract("DynamoDB", () => dynamoReviewStore(dynamo.reviews));

test("a task over 380 KB of UTF-8 is refused for good, and told by its largest part", async () => {
  const payload = { sample: { id: "s-1", output: "字".repeat(140_000) } };
  await expect(dynamoReviewStore(dynamo.reviews).open(reviewTask({ payload }))).rejects.toMatchObject({
    kind: "permanent",
    code: "payload-too-large",
    message: expect.stringContaining("body.payload"),
  });
});
