/** What becomes of samples that have no outcome yet, as their items tell. Part of a connection. */
import { formatSampleKey, type SampleKey } from "@touchstone/core/schema/identity";
import { batchGet } from "../../functions/_aws/dynamo-batch-get.ts";
import type { DynamoTable } from "../../functions/_aws/dynamo-table.ts";
import { realPace } from "../../functions/_aws/pace.ts";

/**
 * `untouched`: nobody has begun; `leased`: somebody works on it; `put-back`: begun, and put off without a failed attempt;
 * `failed`: put off after one; `recorded`: it has a result, of which SETTLE has not heard yet.
 */
export type SampleState = "untouched" | "leased" | "put-back" | "failed" | "recorded";

/** In the order of the keys; `now` is epoch milliseconds. */
export const sampleStates = async (
  table: DynamoTable,
  keys: readonly SampleKey[],
  now: number,
): Promise<readonly SampleState[]> => {
  const names = keys.map(formatSampleKey);
  const items = await batchGet(
    table,
    [...new Set(names)].map((pk) => ({ pk })),
    realPace,
  );
  const byName = new Map(items.map((item) => [item.pk, item]));
  return names.map((name) => {
    const item = byName.get(name);
    if (item === undefined) return "untouched";
    if (item.result !== undefined) return "recorded";
    if (Number(item.leaseUntil ?? 0) > now) return "leased";
    return Number(item.attempts ?? 0) > 0 ? "failed" : "put-back";
  });
};
