/** Whether a new task may inherit its family's certificate: its first audited accepted samples must all be right. */
import { leastAudits } from "./audit-plan.ts";

export type FloorTest =
  | { readonly kind: "waiting"; readonly seen: number; readonly needed: number }
  | { readonly kind: "passed"; readonly needed: number }
  /** It needs a certificate of its own; until then its policy for uncertified tasks holds. */
  | { readonly kind: "failed"; readonly seen: number; readonly needed: number };

/**
 * `errors`: of the task's audited samples that the family's threshold accepts, in the order they were drawn. Passed after
 * 59 without an error (5 % at 95 %). Later ones are the watch's business: looking again would be a second test.
 */
export const floorTest = (
  errors: readonly boolean[],
  { alpha = 0.05, delta = 0.05 }: { readonly alpha?: number; readonly delta?: number } = {},
): FloorTest => {
  const needed = leastAudits(0, alpha, delta);
  const looked = errors.slice(0, needed);
  if (looked.includes(true)) return { kind: "failed", seen: looked.length, needed };
  return looked.length < needed
    ? { kind: "waiting", seen: looked.length, needed }
    : { kind: "passed", needed };
};
