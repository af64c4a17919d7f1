/** A split of the ledger: who is accounted for. Counts change only by what is newly set. */
import type { BatchId } from "../../schema/identity.ts";
import { type LedgerEvent, ledgerEvents, type SplitRecord } from "../../schema/ledger.ts";
import { type Outcome, outcomes } from "../../schema/outcome.ts";
import { addToTally } from "./tally.ts";

const undecided = 0;

/** An undecided split of `samples` samples. */
export const newSplit = (
  batch: BatchId,
  run: number,
  split: number,
  samples: number,
  firstLine: number,
): SplitRecord => ({
  batch,
  run,
  split,
  samples,
  firstLine,
  outcomes: new Uint8Array(Math.ceil(samples / 2)),
  reviewed: new Uint8Array(Math.ceil(samples / 8)),
  audited: new Uint8Array(Math.ceil(samples / 8)),
  tally: {},
  version: 0,
});

/** The outcome of a sample, or null while it has none. */
export const outcomeAt = (split: SplitRecord, ordinal: number): Outcome | null => {
  const byte = split.outcomes[ordinal >> 1] ?? 0;
  const code = ordinal % 2 === 0 ? byte & 0x0f : byte >> 4;
  return code === undecided ? null : (outcomes[code - 1] ?? null);
};

const bitAt = (bits: Uint8Array, ordinal: number): boolean =>
  ((bits[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;

/** Whether a person has answered the review of a sample. */
export const isReviewed = (split: SplitRecord, ordinal: number): boolean => bitAt(split.reviewed, ordinal);
/** Whether a person has checked an accepted sample. */
export const isAudited = (split: SplitRecord, ordinal: number): boolean => bitAt(split.audited, ordinal);

/** One thing that happened to a sample, at a moment in epoch milliseconds. */
export interface LedgerEntry {
  readonly ordinal: number;
  /** The task it counts for; any other name counts for none. */
  readonly task: string;
  readonly event: LedgerEvent;
  readonly at: number;
  /** It came out of the queues; what INTAKE ends at once, and what people do, says nothing of them. */
  readonly moved?: boolean;
}

/**
 * The split with the entries applied, and which of them were new. A sample keeps its first outcome; a repeated
 * entry, or one outside the split, changes nothing. The version rises by one if anything did.
 */
export const applyEntries = (
  split: SplitRecord,
  entries: readonly LedgerEntry[],
): { readonly split: SplitRecord; readonly applied: readonly LedgerEntry[] } => {
  const next = {
    ...split,
    outcomes: split.outcomes.slice(),
    reviewed: split.reviewed.slice(),
    audited: split.audited.slice(),
  };
  const applied = entries.filter((entry) => setEntry(next, entry));
  for (const { task, event, at, moved } of applied) {
    next.tally = addToTally(next.tally, task, event, at);
    if (moved) next.movedAt = Math.max(next.movedAt ?? 0, at);
  }
  return applied.length === 0
    ? { split, applied }
    : { split: { ...next, version: split.version + 1 }, applied };
};

const setEntry = (split: SplitRecord, { ordinal, event }: LedgerEntry): boolean => {
  if (!Number.isInteger(ordinal) || ordinal < 0 || ordinal >= split.samples) return false;
  switch (event) {
    case "reviewed":
      return setBit(split.reviewed, ordinal);
    case "audited":
      return setBit(split.audited, ordinal);
    case "machine":
    case "review":
    case "invalid":
    case "failed": {
      if (outcomeAt(split, ordinal) !== null) return false;
      const code = outcomes.indexOf(event) + 1;
      const shift = ordinal % 2 === 0 ? 0 : 4;
      split.outcomes[ordinal >> 1] = (split.outcomes[ordinal >> 1] ?? 0) | (code << shift);
      return true;
    }
    default:
      return event satisfies never;
  }
};

const setBit = (bits: Uint8Array, ordinal: number): boolean => {
  if (bitAt(bits, ordinal)) return false;
  bits[ordinal >> 3] = (bits[ordinal >> 3] ?? 0) | (1 << (ordinal & 7));
  return true;
};

/** Ordinals without an outcome: exactly the samples that are missing. */
export const missingOrdinals = (split: SplitRecord): readonly number[] =>
  Array.from({ length: split.samples }, (_, ordinal) => ordinal).filter(
    (ordinal) => outcomeAt(split, ordinal) === null,
  );

export type LedgerCounts = Readonly<Record<LedgerEvent | "total", number>>;

/** Counts of a split, from its bits; `total` is the number of samples, decided or not. */
export const countSplit = (split: SplitRecord): LedgerCounts => {
  const counts: Record<LedgerEvent | "total", number> = { ...noCounts(), total: split.samples };
  for (let ordinal = 0; ordinal < split.samples; ordinal += 1) {
    const outcome = outcomeAt(split, ordinal);
    if (outcome) counts[outcome] += 1;
    if (bitAt(split.reviewed, ordinal)) counts.reviewed += 1;
    if (bitAt(split.audited, ordinal)) counts.audited += 1;
  }
  return counts;
};

/** Zero of everything. */
export const noCounts = (): Record<LedgerEvent | "total", number> => ({
  total: 0,
  machine: 0,
  review: 0,
  invalid: 0,
  failed: 0,
  reviewed: 0,
  audited: 0,
});

/** The sum, count by count. */
export const addCounts = (left: LedgerCounts, right: LedgerCounts): LedgerCounts => {
  const sum = noCounts();
  for (const name of ["total", ...ledgerEvents] as const) sum[name] = left[name] + right[name];
  return sum;
};

/** Every sample has an outcome. */
export const isSplitDone = (split: SplitRecord): boolean => {
  for (let ordinal = 0; ordinal < split.samples; ordinal += 1) {
    if (outcomeAt(split, ordinal) === null) return false;
  }
  return true;
};

/** Every sample has an outcome, and every one sent to review has a verdict. */
export const isSplitFinal = (split: SplitRecord): boolean => {
  for (let ordinal = 0; ordinal < split.samples; ordinal += 1) {
    const outcome = outcomeAt(split, ordinal);
    if (outcome === null || (outcome === "review" && !bitAt(split.reviewed, ordinal))) return false;
  }
  return true;
};
