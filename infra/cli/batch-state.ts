/** What a batch is doing, in one word; pure. Called by batch-view.ts. */
import type { LedgerCounts } from "@touchstone/core/domain/ledger/split";
import type { BatchRecord } from "@touchstone/core/schema/ledger";

export const batchStates = [
  "reading",
  "unreadable",
  "empty",
  "describing",
  "scoring",
  /** Everything has its outcome and its verdict; the result files are being written. */
  "closing",
  /** Every sample has an outcome, and some wait for a person. */
  "waiting",
  "final",
] as const;
export type BatchState = (typeof batchStates)[number];

/** INTAKE's words for a file that was read to its end and held nothing. */
const emptyFault = "the file has no samples";

/** `isDescribing` matters only while samples are undecided: the ledger does not know which hop has them. */
export const batchStateOf = (
  record: Pick<BatchRecord, "sealed" | "fault" | "finalAt">,
  counts: LedgerCounts,
  isDescribing: boolean,
): BatchState => {
  if (record.sealed === undefined) return "reading";
  if (record.sealed.samples === 0)
    return record.fault === undefined || record.fault === emptyFault ? "empty" : "unreadable";
  if (record.finalAt !== undefined) return "final";
  if (undecidedCount(counts) > 0) return isDescribing ? "describing" : "scoring";
  return counts.reviewed < counts.review ? "waiting" : "closing";
};

/** Samples without an outcome. */
export const undecidedCount = (counts: LedgerCounts): number =>
  counts.total - counts.machine - counts.review - counts.invalid - counts.failed;
