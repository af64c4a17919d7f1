/** Reading many items when DynamoDB leaves some of them unprocessed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dynamoSampleStore } from "../../functions/_aws/dynamo-sample-store.ts";
import { type LocalDynamo, startDynamo } from "../contract/local-dynamo.ts";
import { result, sampleKey } from "../contract/records.ts";

interface BatchGetInput {
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly unknown[] }>>;
}

let dynamo: LocalDynamo;
/** How many keys of each call are served; the rest come back unprocessed. */
let served: number[] = [];
let asked: number[] = [];
let atOnce = 0;
let mostAtOnce = 0;
beforeAll(async () => {
  dynamo = await startDynamo();
  dynamo.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== "BatchGetItemCommand") return next(args);
      const input = args.input as unknown as BatchGetInput;
      const { Keys = [], ...options } = input.RequestItems.samples ?? {};
      asked.push(Keys.length);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      const take = served.shift() ?? Keys.length;
      const some = { RequestItems: { samples: { ...options, Keys: Keys.slice(0, take) } } };
      const answer =
        take === 0
          ? { response: {}, output: { $metadata: {}, Responses: {}, UnprocessedKeys: {} } }
          : await next({ ...args, input: { ...args.input, ...some } });
      atOnce -= 1;
      const left = Keys.slice(take);
      const UnprocessedKeys = left.length > 0 ? { samples: { ...options, Keys: left } } : {};
      return { ...answer, output: { ...answer.output, UnprocessedKeys } };
    },
    { step: "initialize", priority: "low" },
  );
});
afterAll(() => dynamo.close());

const waits: number[] = [];
const store = () =>
  dynamoSampleStore(dynamo.samples, {
    random: () => 1,
    sleep: async (milliseconds) => void waits.push(milliseconds),
  });
const keys = Array.from({ length: 620 }, (_, ordinal) => ({ ...sampleKey(), ordinal }));

test("leftovers are asked for again until all are there, with growing waits while nothing comes", async () => {
  const some = keys.slice(0, 25);
  await Promise.all(some.map((key) => store().record(key, result({ line: key.ordinal + 1 }))));
  served = [18, 0, 0, 5];
  asked = [];
  const found = await store().read(some);
  expect(found.map((one) => one?.result?.line)).toEqual(some.map(({ ordinal }) => ordinal + 1));
  expect(asked).toEqual([25, 7, 7, 7, 2]);
  expect(waits).toEqual([50, 100, 200, 50]);
});

test("a table that stays throttled is a transient error, not a missing sample", async () => {
  served = Array.from({ length: 20 }, () => 0);
  asked = [];
  await expect(store().read(keys.slice(0, 3))).rejects.toMatchObject({
    kind: "transient",
    code: "throttled",
  });
  expect(asked).toHaveLength(9);
});

test("at most 100 keys a call and 4 calls at a time", async () => {
  served = [];
  asked = [];
  mostAtOnce = 0;
  await store().read(keys);
  expect(asked.sort((left, right) => right - left)).toEqual([100, 100, 100, 100, 100, 100, 20]);
  expect(mostAtOnce).toBe(4);
});
