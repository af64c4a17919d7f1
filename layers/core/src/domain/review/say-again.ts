/** When SWEEP says again what stands in a review task: by its age alone (milliseconds), so that nothing needs to be noted. */

/**
 * True in the two sweeps after each multiple of `every` seconds of a task's age: twice, so that one sweep may fail, and no
 * more, so that a task which stays open does not flood the queue of hints.
 */
export const hintDue = (ageMs: number, every: number, period: number): boolean => {
  if (ageMs < every * 1000) return false;
  return ageMs % (every * 1000) < 2 * period * 1000;
};

/**
 * True in the two sweeps after a verdict has gone unheard for `first` seconds, twice that, four times that and so on: SETTLE
 * may be down for days, and its queue must not fill with repeats.
 */
export const verdictDue = (ageMs: number, first: number, period: number): boolean => {
  const firsts = ageMs / (first * 1000);
  if (firsts < 1) return false;
  const latest = first * 1000 * 2 ** Math.floor(Math.log2(firsts));
  return ageMs - latest < 2 * period * 1000;
};
