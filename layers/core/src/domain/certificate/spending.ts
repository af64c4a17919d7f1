/** How a chance of error is shared: over certifications in time, and over certificates that must all hold. */

/** What the `index`-th certification (from 1) may use of delta: δ · 6 / (π² t²), which adds up to δ over all time. */
export const spentDelta = (delta: number, index: number): number => (delta * 6) / (Math.PI * index) ** 2;

/** What each of `certificates` may use where the statement is that all of them hold. */
export const sharedDelta = (delta: number, certificates: number): number => delta / certificates;
