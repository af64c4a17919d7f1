/** A batch's budget as one function instance draws on it: calls asked for at about the same time are one write. */
import type { BudgetStore } from "@touchstone/core/ports";
import type { BudgetKey } from "@touchstone/core/schema/pressure";

export interface CallPurse {
  /** One call; false where the budget is used up. */
  take(key: BudgetKey, limit: number): Promise<boolean>;
  /** One call that was not made after all. */
  giveBack(key: BudgetKey, limit: number): Promise<void>;
}

interface Round {
  readonly key: BudgetKey;
  readonly limit: number;
  readonly asking: PromiseWithResolvers<boolean>[];
  returned: number;
  readonly over: Promise<void>;
}

/**
 * `gather` is the time in which calls are gathered into one write. What cannot be given back is told to `complain` and
 * stays spent: the limit is kept, and the call it was meant for has an error of its own.
 */
export const callPurse = (
  store: BudgetStore,
  gather: () => Promise<unknown>,
  complain: (error: unknown) => void,
): CallPurse => {
  const rounds = new Map<string, Round>();

  const join = (key: BudgetKey, limit: number): Round => {
    const name = JSON.stringify([key.batch, key.run, key.task]);
    const open = rounds.get(name);
    if (open) return open;
    const over = gather().then(() => {
      rounds.delete(name);
      return settle(store, round);
    });
    const round: Round = { key, limit, asking: [], returned: 0, over };
    rounds.set(name, round);
    return round;
  };

  return {
    async take(key, limit) {
      const round = join(key, limit);
      const mine = Promise.withResolvers<boolean>();
      round.asking.push(mine);
      await round.over;
      return mine.promise;
    },
    async giveBack(key, limit) {
      const round = join(key, limit);
      round.returned += 1;
      await round.over.catch(complain);
    },
  };
};

/** What comes back in a round is given to those who ask in it. */
const settle = async (store: BudgetStore, { key, limit, asking, returned }: Round): Promise<void> => {
  const need = asking.length - returned;
  if (need < 0) await store.giveBack(key, -need);
  const granted = need > 0 ? await store.take(key, need, limit) : 0;
  asking.forEach((asker, index) => {
    asker.resolve(index < returned + granted);
  });
};
