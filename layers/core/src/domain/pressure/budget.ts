/** A batch's budget of judge calls: what it may need, and what it means for samples that are quiet. */
import type { CallBudget } from "../../schema/pressure.ts";

/** Calls that were made or are being made. */
export const spentCalls = ({ limit, left }: CallBudget): number => limit - left;

/** Whether samples of the task have to wait until somebody raises the limit. */
export const isUsedUp = ({ left }: CallBudget): boolean => left <= 0;

export type Due = "wait" | "resend" | "lost";

/**
 * What SWEEP does with a split that is due for `due` by its own clock, and was last sent again at `lastAt`. Who waits for a
 * budget is not lost; once there is more of it, all are sent again at once, and `anew` begins their re-sends from the start.
 */
export const dueUnderBudget = (
  due: Due,
  lastAt: number,
  budgets: readonly CallBudget[],
): { readonly due: Due; readonly anew: boolean } => {
  const waits = budgets.some(isUsedUp);
  const changedAt = Math.max(0, ...budgets.map((budget) => budget.changedAt ?? 0));
  if (!waits && changedAt > lastAt) return { due: "resend", anew: true };
  return { due: due === "lost" && waits ? "wait" : due, anew: false };
};
