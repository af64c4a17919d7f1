/**
 * How many calls a function instance keeps in flight at an endpoint: additive increase, multiplicative decrease (Chiu and
 * Jain 1989), so that instances which know nothing of each other come to share what the endpoint can bear.
 */

export interface AdaptiveLimit {
  /** Calls in flight at most, once rounded down; at least 1. */
  readonly calls: number;
  /** When it was last cut, epoch milliseconds. */
  readonly cutAt: number;
  /** The endpoint asked to be left alone until then, epoch milliseconds. */
  readonly quietUntil: number;
}

/** Refusals within this time after a cut were sent before it: they tell nothing new. */
export const cutWindowMs = 1_000;

/** A limit that has met no pressure yet. */
export const freshLimit = (most: number): AdaptiveLimit => ({
  calls: Math.max(1, most),
  cutAt: Number.NEGATIVE_INFINITY,
  quietUntil: 0,
});

/** Half of what was in flight, at most once per window; no call at all for as long as the endpoint asked. */
export const afterThrottle = (
  limit: AdaptiveLimit,
  inFlight: number,
  now: number,
  retryAfterSeconds: number | null,
): AdaptiveLimit => {
  const cut = now - limit.cutAt >= cutWindowMs;
  return {
    calls: cut ? Math.max(1, Math.min(limit.calls, inFlight) / 2) : limit.calls,
    cutAt: cut ? now : limit.cutAt,
    quietUntil: Math.max(limit.quietUntil, now + (retryAfterSeconds ?? 0) * 1000),
  };
};

/** One call more after as many answers as there may be calls in flight: about one more per round trip. */
export const afterAnswer = (limit: AdaptiveLimit, most: number): AdaptiveLimit => ({
  ...limit,
  calls: Math.min(Math.max(1, most), limit.calls + 1 / limit.calls),
});

/** From the beginning, for an endpoint that has just come back: a crowd would bring it down again. */
export const restartedLimit = (limit: AdaptiveLimit): AdaptiveLimit => ({ ...limit, calls: 1 });

/** Whether one more call may start beside those in flight. */
export const hasRoom = (limit: AdaptiveLimit, inFlight: number): boolean =>
  inFlight < Math.floor(limit.calls);
