/** A batch's budget of judge calls: what it may need, and what it means for samples that are quiet. */
import type { CallBudget } from "../../schema/pressure.ts";
import type { Template } from "../../schema/template.ts";
import { asksJudge } from "../judge/asked-fields.ts";

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
  const resumedAt = Math.max(0, ...budgets.map((budget) => budget.resumedAt ?? 0));
  if (resumedAt > lastAt) return { due: "resend", anew: true };
  return { due: due === "lost" && waits ? "wait" : due, anew: false };
};

/** Judge calls for a number of samples, between the best and the worst of answers. */
export interface CallEstimate {
  /** Every answer can be read and used at once. */
  readonly least: number;
  /** Every answer needs its second try, and every one a vote. */
  readonly most: number;
}

/** None where code answers everything. What is called again after a crash or a failed call comes on top. */
export const estimateCalls = (
  template: Pick<Template, "fields" | "scorers" | "rubric" | "judge">,
  samples: number,
): CallEstimate => {
  if (!asksJudge(template)) return { least: 0, most: 0 };
  const { vote } = template.judge;
  return { least: samples, most: samples * (2 + (vote === undefined ? 0 : vote.samples - 1)) };
};
