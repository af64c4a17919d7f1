/** The budget store port in memory; counts what a database would be asked. */
import type { BudgetStore } from "@touchstone/core/ports";
import type { BudgetKey, CallBudget } from "@touchstone/core/schema/pressure";

export interface MemoryBudgetStore extends BudgetStore {
  readonly writes: () => number;
}

export const memoryBudgetStore = (): MemoryBudgetStore => {
  const budgets = new Map<string, CallBudget>();
  let writes = 0;
  const nameOf = ({ batch, run, task }: BudgetKey): string => JSON.stringify([batch, run, task]);
  const standing = ({ batch, run, task }: BudgetKey, limit: number): CallBudget =>
    budgets.get(nameOf({ batch, run, task })) ?? { batch, run, task, limit, left: limit, resumedAt: null };
  const put = (budget: CallBudget): void => {
    writes += 1;
    budgets.set(nameOf(budget), budget);
  };
  return {
    writes: () => writes,
    async take(key, calls, limit) {
      const before = standing(key, limit);
      const taken = Math.max(0, Math.min(calls, before.left));
      put({ ...before, left: before.left - taken });
      return taken;
    },
    async giveBack(key, calls) {
      const before = budgets.get(nameOf(key));
      if (before) put({ ...before, left: before.left + calls });
    },
    async setLimit(key, limit, templateLimit, now) {
      const before = standing(key, templateLimit);
      const left = before.left + limit - before.limit;
      const resumes = before.left <= 0 && left > 0;
      const after = { ...before, limit, left, resumedAt: resumes ? now : before.resumedAt };
      put(after);
      return structuredClone(after);
    },
    read: async (batch, run) =>
      structuredClone([...budgets.values()].filter((one) => one.batch === batch && one.run === run)),
  };
};
