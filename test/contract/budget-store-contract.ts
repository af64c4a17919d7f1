/** What every budget store must do; run by pressure-stores.test.ts against memory and DynamoDB. */
import type { BudgetStore } from "@touchstone/core/ports";
import type { BudgetKey } from "@touchstone/core/schema/pressure";
import { describe, expect, test } from "vitest";
import { batchId, fresh, taskId } from "./records.ts";

const keyOf = (task = "quiz"): BudgetKey => ({ batch: batchId(fresh("b")), run: 1, task: taskId(task) });

export const budgetStoreContract = (name: string, store: () => BudgetStore): void => {
  describe(`budget store: ${name}`, () => {
    test("gives what is left, then nothing", async () => {
      const key = keyOf();
      expect(await store().take(key, 7, 10)).toBe(7);
      expect(await store().take(key, 7, 10)).toBe(3);
      expect(await store().take(key, 1, 10)).toBe(0);
      expect(await store().read(key.batch, 1)).toEqual([{ ...key, limit: 10, left: 0, resumedAt: null }]);
    });

    test("however many take at once, the limit is kept", async () => {
      const key = keyOf();
      const taken = await Promise.all(Array.from({ length: 30 }, () => store().take(key, 4, 50)));
      expect(taken.reduce((sum, calls) => sum + calls, 0)).toBe(50);
    });

    test("the limit of the first taker holds, whatever a later template says", async () => {
      const key = keyOf();
      await store().take(key, 1, 2);
      expect(await store().take(key, 5, 100)).toBe(1);
    });

    test("what is given back can be taken again", async () => {
      const key = keyOf();
      await store().take(key, 2, 2);
      await store().giveBack(key, 1);
      expect(await store().take(key, 2, 2)).toBe(1);
      await store().giveBack(keyOf(), 5);
    });

    test("another limit leaves what is spent, also below it", async () => {
      const key = keyOf();
      await store().take(key, 6, 10);
      expect(await store().setLimit(key, 20, 10, 5)).toEqual({
        ...key,
        limit: 20,
        left: 14,
        resumedAt: null,
      });
      expect(await store().setLimit(key, 4, 10, 6)).toEqual({ ...key, limit: 4, left: -2, resumedAt: null });
      expect(await store().take(key, 1, 10)).toBe(0);
      expect(await store().setLimit(key, 6, 10, 7)).toMatchObject({ left: 0, resumedAt: null });
      expect(await store().setLimit(key, 7, 10, 8)).toMatchObject({ left: 1, resumedAt: 8 });
      expect(await store().setLimit(key, 9, 10, 9)).toMatchObject({ left: 3, resumedAt: 8 });
    });

    test("a limit may be set before anything is taken, and then outranks the template's", async () => {
      const key = keyOf();
      await store().setLimit(key, 1, 10, 5);
      expect(await store().take(key, 3, 10)).toBe(1);
    });

    test("each task and each run has its own", async () => {
      const key = keyOf("a");
      const other = { ...key, task: taskId("b") };
      await store().take(key, 1, 1);
      await store().take(other, 1, 2);
      await store().take({ ...key, run: 2 }, 1, 3);
      const found = await store().read(key.batch, 1);
      expect(found.map(({ task, limit }) => `${task} ${limit}`).sort()).toEqual(["a 1", "b 2"]);
      expect(await store().read(key.batch, 2)).toHaveLength(1);
      expect(await store().read(key.batch, 3)).toEqual([]);
    });
  });
};
