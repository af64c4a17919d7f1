/** How long a message waits before it comes again: waiting is not failing. */

/**
 * Seconds: what the other side asked for, or a doubling from `first`, never more than `most` (SQS allows 900), with
 * jitter of half its length so that a crowd does not come back together. `random` is from 0 up to 1.
 */
export const retryDelaySeconds = (
  attempt: number,
  limits: { readonly first: number; readonly most: number },
  asked: number | null,
  random: number,
): number => {
  const wanted = asked ?? limits.first * 2 ** Math.min(attempt, 16);
  const bounded = Math.min(Math.max(wanted, limits.first), limits.most);
  return Math.min(limits.most, Math.ceil(bounded * (0.5 + random / 2)));
};
