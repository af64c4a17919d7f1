/** The two small engines under the adapters: ordered merging and bounded parallel calls. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeOrdered } from "../../functions/_aws/merge-ordered.ts";
import { shardOf } from "../../functions/_aws/shard.ts";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import { allOf } from "../contract/all-of.ts";

const ascending = (left: number, right: number): number => left - right;

describe("mergeOrdered", () => {
  test("of ordered sources is the order of all", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.integer())), async (lists) => {
        const sources = lists.map(async function* (list) {
          yield* [...list].sort(ascending);
        });
        expect(await allOf(mergeOrdered(sources, ascending))).toEqual(lists.flat().sort(ascending));
      }),
    );
  });

  test("reads no further than asked and closes its sources", async () => {
    let read = 0;
    let closed = 0;
    async function* endless(step: number) {
      try {
        for (let value = step; ; value += step) {
          read += 1;
          yield value;
        }
      } finally {
        closed += 1;
      }
    }
    for await (const value of mergeOrdered([endless(2), endless(3)], ascending)) if (value >= 6) break;
    expect(read).toBeLessThanOrEqual(7);
    expect(closed).toBe(2);
  });
});

describe("inParallel", () => {
  test("keeps the order of its items and its bound", async () => {
    let running = 0;
    let most = 0;
    const answers = await inParallel([5, 1, 4, 2, 3], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return item * 2;
    });
    expect(answers).toEqual([10, 2, 8, 4, 6]);
    expect(most).toBe(2);
  });

  test("tries every item before it throws the first failure", async () => {
    const tried: number[] = [];
    const failing = inParallel([1, 2, 3], 1, async (item) => {
      tried.push(item);
      if (item < 3) throw new Error(`item ${item}`);
    });
    await expect(failing).rejects.toThrow("item 1");
    expect(tried).toEqual([1, 2, 3]);
  });
});

test("shards are even, and stable between releases", () => {
  const counts = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let batch = 0; batch < 8_000; batch += 1) {
    const shard = shardOf(`dialogue/批次-${batch}/a.jsonl@v${batch}`, 8);
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(["", "a", "批次"].map((name) => shardOf(name, 8))).toEqual([3, 3, 7]);
});
