/** McNemar's exact test on canaries: frozen samples that are judged again after a change. */

/**
 * Two-sided p of `broke` against `mended` if a change were as likely for the better as for the worse: twice the lower
 * binomial tail at 1/2, at most 1. `1` where nothing flipped.
 */
export const mcnemarP = (broke: number, mended: number): number => {
  const flips = broke + mended;
  let term = -flips * Math.LN2;
  let tail = Math.exp(term);
  // Terms in logarithms: 2^-flips is no double beyond a thousand flips.
  for (let k = 1; k <= Math.min(broke, mended); k += 1) {
    term += Math.log((flips - k + 1) / k);
    tail += Math.exp(term);
  }
  return Math.min(1, 2 * tail);
};

/** Below this p, with more broken than mended, the canaries void the certificate. */
export const canaryLevel = 0.05;

/** So few canaries prove nothing; a replay should have at least this many. */
export const fewestCanaries = 200;
