/** When SWEEP sends a quiet split again, and when it stops hoping. */
import { maxResends } from "../../timing.ts";

/**
 * Re-sends come at doubling intervals from `quietAfter` seconds, counted from the last one (or from `since`); after the
 * last of them has been waited for in vain, the split's missing samples are lost. Times are epoch milliseconds.
 */
export const resendDue = (state: {
  readonly count: number;
  readonly lastAt: number;
  readonly since: number;
  readonly now: number;
  readonly quietAfter: number;
}): "wait" | "resend" | "lost" => {
  const from = Math.max(state.lastAt, state.since);
  const interval = state.quietAfter * 1000 * 2 ** Math.min(state.count, maxResends);
  if (state.now - from < interval) return "wait";
  return state.count < maxResends ? "resend" : "lost";
};
