/** When the hint of a review task is said again; SWEEP asks for every old task at every run. */

/**
 * True in the two sweeps after each multiple of `every` seconds of a task's age (milliseconds): twice, so that one sweep
 * may fail, and no more, so that a task which stays open does not flood the queue.
 */
export const hintDue = (ageMs: number, every: number, period: number): boolean => {
  if (ageMs < every * 1000) return false;
  return ageMs % (every * 1000) < 2 * period * 1000;
};
