/** When SWEEP sends a quiet split again, when it stops hoping, and when it must not do either. */
import { maxResends } from "../../timing.ts";

/** What SWEEP sends again beside the splits of a batch, under numbers that no split has. */
export const resentThings = { wholeFile: -1, check: -2, announcement: -3 } as const;

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

/** What is known of the queues that a thing was sent to. Times are epoch milliseconds, 0 for never. */
export interface QueueSigns {
  /** Messages in them, in anybody's hands or put off. */
  readonly waiting: number;
  /** When their work last brought something to an end, of any batch. */
  readonly movedAt: number;
}

/**
 * Whether the thing may still lie where it was put: its queue is not empty, and nothing has come out of it since. That is a
 * pipeline which somebody stopped or which is starved, and not a loss; sending again would only make its queue longer.
 */
export const standsStill = ({ waiting, movedAt }: QueueSigns, sentAt: number): boolean =>
  waiting > 0 && movedAt <= sentAt;
