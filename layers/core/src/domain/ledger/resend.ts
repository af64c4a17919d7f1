/** When SWEEP sends a quiet split again, and when it stops hoping. */
import { maxResends } from "../../timing.ts";

/** What SWEEP sends again beside the splits of a batch, under numbers that no split has. */
export const resentThings = { wholeFile: -1, verdicts: -2, announcement: -3 } as const;

export interface ResendState {
  readonly count: number;
  readonly lastAt: number;
  readonly since: number;
  /** Seconds. */
  readonly quietAfter: number;
}

/** The moment of the next re-send, or of giving up after the last. */
export const nextResendAt = ({ count, lastAt, since, quietAfter }: ResendState): number =>
  Math.max(lastAt, since) + quietAfter * 1000 * 2 ** Math.min(count, maxResends);

/**
 * Re-sends come at doubling intervals from `quietAfter` seconds, counted from the last one (or from `since`); after the
 * last of them has been waited for in vain, the split's missing samples are lost. Times are epoch milliseconds.
 */
export const resendDue = (state: ResendState & { readonly now: number }): "wait" | "resend" | "lost" => {
  if (state.now < nextResendAt(state)) return "wait";
  return state.count < maxResends ? "resend" : "lost";
};
