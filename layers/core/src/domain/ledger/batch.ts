/** When a batch is decided, when it is final, how SETTLE is told to look, and what its machine-review rate is. */
import type { BatchRecord } from "../../schema/ledger.ts";
import type { CheckMessage } from "../../schema/messages.ts";
import type { LedgerCounts } from "./split.ts";

/**
 * Sealed, and every split is in the set. A batch without samples is complete as soon as it is sealed. The set may hold
 * more: splits of a reading that got further than the one that sealed.
 */
const isComplete = ({ sealed }: BatchRecord, set: ReadonlySet<number>): boolean =>
  sealed !== undefined &&
  Array.from({ length: sealed.splits }, (_, split) => split).every((split) => set.has(split));

/** Every sample of the file has an outcome. */
export const isDecided = (batch: BatchRecord): boolean => isComplete(batch, batch.doneSplits);

/** Every review has a verdict as well. */
export const isFinal = (batch: BatchRecord): boolean => isComplete(batch, batch.finalSplits);

/** machine ÷ (total − invalid); null where nothing valid was submitted. */
export const machineReviewRate = (counts: LedgerCounts): number | null => {
  const valid = counts.total - counts.invalid;
  return valid > 0 ? counts.machine / valid : null;
};

/** Whether somebody still has to do something for the batch: decide, review, or say late verdicts in its files. */
export const isOpen = ({ finalAt, lateVerdicts }: BatchRecord): boolean =>
  finalAt === undefined || lateVerdicts !== undefined;

/** How SETTLE is told to look whether the batch has come to its end. */
export const checkMessageOf = ({ batch, run }: Pick<BatchRecord, "batch" | "run">): CheckMessage => ({
  kind: "check",
  schema: 1,
  batch,
  run,
});
