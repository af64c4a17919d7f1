/** BatchGetItem over any number of keys; what DynamoDB leaves unprocessed is asked for again. */
import { BatchGetCommand } from "@aws-sdk/lib-dynamodb";
import { transient } from "@touchstone/core/errors";
import { inParallel } from "../_batch/in-parallel.ts";
import type { DynamoTable, Item } from "./dynamo-table.ts";
import { backoffMs, type Pace } from "./pace.ts";

type Key = Readonly<Record<string, string>>;

const keysPerCall = 100;
const callsAtOnce = 4;
const maxStalls = 8;

/**
 * The items that exist, in no order. `keys` must be distinct. DynamoDB answers 200 with leftovers when it is
 * throttled or the page is full, which no SDK retry covers; eight answers in a row without an item are `throttled`.
 */
export const batchGet = async (table: DynamoTable, keys: readonly Key[], pace: Pace): Promise<Item[]> => {
  const calls = Array.from({ length: Math.ceil(keys.length / keysPerCall) }, (_, index) =>
    keys.slice(index * keysPerCall, (index + 1) * keysPerCall),
  );
  const pages = await inParallel(calls, callsAtOnce, (call) => getAll(table, call, pace));
  return pages.flat();
};

async function getAll(table: DynamoTable, keys: readonly Key[], pace: Pace): Promise<Item[]> {
  const items: Item[] = [];
  let wanted: Record<string, unknown>[] = [...keys];
  for (let stalls = 0; ; ) {
    const answer = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: wanted, ConsistentRead: true } } }),
    );
    const found = answer.Responses?.[table.name] ?? [];
    items.push(...found);
    wanted = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
    if (wanted.length === 0) return items;
    stalls = found.length > 0 ? 1 : stalls + 1;
    if (stalls > maxStalls) {
      throw transient("throttled", `table ${table.name} left ${wanted.length} of ${keys.length} keys unread`);
    }
    await pace.sleep(backoffMs(stalls, 50, 5_000, pace.random));
  }
}
