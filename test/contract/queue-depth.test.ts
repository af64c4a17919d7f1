/** How many messages queues hold, asked of a real SQS. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqsDepth } from "../../functions/_aws/sqs-depth.ts";
import { sqsSender } from "../../functions/_aws/sqs-sender.ts";
import { type LocalSqs, startSqs } from "./local-sqs.ts";

let sqs: LocalSqs;
beforeAll(async () => {
  sqs = await startSqs();
});
afterAll(() => sqs.close());

test("visible and delayed messages of all the queues count", async () => {
  const [first, second] = [sqs.createQueue(), sqs.createQueue()];
  const depth = sqsDepth(sqs.client, first.url, second.url);
  expect(await depth()).toBe(0);
  await sqsSender<number>(sqs.client, first.url).send([1, 2]);
  await sqsSender<number>(sqs.client, second.url).send([3], 60);
  expect(await depth()).toBe(3);
});
