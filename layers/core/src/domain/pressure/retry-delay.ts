/** How long a message waits before it comes again: waiting is not failing. */

/**
 * Seconds: what the other side asked for, or a doubling from `first`, never more than `most` (SQS allows 900). Jitter
 * keeps a crowd from coming back together: it adds up to half to what was asked, since coming sooner would be refused
 * again, and takes up to half from what we chose. `random` is from 0 up to 1.
 */
export const retryDelaySeconds = (
  attempt: number,
  limits: { readonly first: number; readonly most: number },
  asked: number | null,
  random: number,
): number => {
  const wanted = asked ?? limits.first * 2 ** Math.min(attempt, 16);
  const bounded = Math.min(Math.max(wanted, limits.first), limits.most);
  const jitter = asked === null ? 0.5 + random / 2 : 1 + random / 2;
  return Math.min(limits.most, Math.ceil(bounded * jitter));
};
