/** How long a message waits before it comes again: waiting is not failing. */

/**
 * Seconds: a doubling from `first` with every turn, and no less than the other side `asked` for; never more than `most`
 * (SQS allows 900). Jitter keeps a crowd from coming back together: it adds up to half to what was asked, since coming
 * sooner would be refused again, and takes up to half from what we chose. `random` is from 0 up to 1.
 */
export const retryDelaySeconds = (
  turn: number,
  limits: { readonly first: number; readonly most: number },
  asked: number | null,
  random: number,
): number => {
  const doubled = Math.min(limits.most, limits.first * 2 ** Math.min(turn, 16));
  const ours = doubled * (0.5 + random / 2);
  const theirs = asked === null ? 0 : Math.max(asked, limits.first) * (1 + random / 2);
  return Math.min(limits.most, Math.ceil(Math.max(ours, theirs)));
};
