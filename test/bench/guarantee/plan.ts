/** What the guarantee bench registers before it looks at a label. Called by draws.ts. */
import { leastAudits } from "@touchstone/core/domain/certificate/audit-plan";
import type { CertificationPlan } from "@touchstone/core/domain/certificate/certify";

/** Judges here are weak, and sets small: the grid begins far below the product's own. */
const grid: readonly number[] = Array.from({ length: 20 }, (_, step) => (step + 1) / 20);
/** Errors that a sequence's first test has room for, and its share of delta. */
const sequences = [
  { room: 2, share: 0.7 },
  { room: 0, share: 0.3 },
] as const;

/**
 * Two sequences. Each starts at the least coverage where so many labels, `audits` in all, can bound the error by alpha
 * with that many errors among them: a matter of counting, in which no label has a say.
 */
export function planFor(alpha: number, delta: number, audits: number): CertificationPlan {
  const starts = sequences.map(({ room, share }) => {
    const least = leastAudits(room, alpha, delta * share) / audits;
    return { coverage: grid.find((point) => point >= least) ?? 1, share };
  });
  return { alpha, delta, grid, starts };
}
