/** When a model call is given up: after its own time-out, and in any case before the function is stopped. */
import type { Clock } from "@touchstone/core/ports";

export interface CallLimits {
  readonly timeoutMs: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly clock: Clock;
}

/**
 * Makes a call with a signal that ends it, and with it the connection, so that the endpoint works for nobody who has
 * stopped listening. The timer ends with the call: one that ran on would hold the whole call until its time came.
 */
export const withCallSignal = async <Answer>(
  { timeoutMs, deadline, clock }: CallLimits,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const giveUp = new AbortController();
  const limitMs = Math.max(0, Math.min(timeoutMs, deadline - clock()));
  const timer = setTimeout(() => giveUp.abort(), limitMs);
  try {
    return await call(giveUp.signal);
  } finally {
    clearTimeout(timer);
  }
};
