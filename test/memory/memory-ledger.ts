/** The ledger port in memory. */
import { isOpen } from "@touchstone/core/domain/ledger/batch";
import { permanent } from "@touchstone/core/errors";
import type { Ledger } from "@touchstone/core/ports";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";

export const memoryLedger = (): Ledger => {
  const batches = new Map<string, BatchRecord>();
  const splits = new Map<string, SplitRecord>();
  const resends = new Map<string, { readonly count: number; readonly lastAt: number }>();
  let inboxMark: string | null = null;
  const name = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

  const change = (
    batch: string,
    run: number,
    next: (record: BatchRecord) => Partial<BatchRecord>,
  ): BatchRecord => {
    const record = batches.get(name(batch, run));
    if (!record) throw permanent("object-missing", `batch ${batch} run ${run} is not in the ledger`);
    const changed = { ...record, ...next(record) };
    batches.set(name(batch, run), changed);
    return structuredClone(changed);
  };

  return {
    async open(batch) {
      const standing = batches.get(name(batch.batch, batch.run));
      if (!standing) batches.set(name(batch.batch, batch.run), structuredClone(batch));
      return structuredClone(standing ?? batch);
    },
    batch: async (batch, run) => structuredClone(batches.get(name(batch, run)) ?? null),
    async putSplit(split) {
      const key = name(split.batch, split.run, split.split);
      if (!splits.has(key)) splits.set(key, structuredClone(split));
    },
    split: async (batch, run, split) => structuredClone(splits.get(name(batch, run, split)) ?? null),
    async writeSplit(split) {
      const key = name(split.batch, split.run, split.split);
      if (splits.get(key)?.version !== split.version - 1) return false;
      splits.set(key, structuredClone(split));
      return true;
    },
    async markSent(batch, run, count) {
      change(batch, run, ({ splitsSent }) => ({ splitsSent: Math.max(splitsSent, count) }));
    },
    async seal(batch, run, sealed, fault) {
      change(batch, run, (record) =>
        record.sealed ? {} : { sealed, ...(fault === undefined ? {} : { fault }) },
      );
    },
    addSplit: async (batch, run, split, set) =>
      change(batch, run, (record) => ({ [set]: new Set([...record[set], split]) })),
    async close(batch, run, { kind, at, revision }) {
      const field = kind === "final" ? "finalAt" : "decidedAt";
      change(batch, run, (record) => (record[field] === undefined ? { [field]: at, revision } : {}));
    },
    async addLate(batch, run, split, at) {
      change(batch, run, ({ lateSplits, lateVerdicts, lateSince }) => ({
        lateSplits: new Set([...(lateSplits ?? []), split]),
        lateVerdicts: (lateVerdicts ?? 0) + 1,
        lateSince: lateSince ?? at,
      }));
    },
    async revise(batch, run, { revision, lateVerdicts }) {
      const key = name(batch, run);
      const record = batches.get(key);
      if (!record) throw permanent("object-missing", `batch ${batch} run ${run} is not in the ledger`);
      if (record.lateVerdicts !== lateVerdicts) return;
      const { lateSplits: _splits, lateVerdicts: _verdicts, lateSince: _since, ...rest } = record;
      batches.set(key, { ...rest, revision });
    },
    async *openBatches() {
      const open = [...batches.values()].filter(isOpen);
      yield* open
        .sort((left, right) => left.openedAt - right.openedAt)
        .map((batch) => structuredClone(batch));
    },
    async *allBatches() {
      yield* [...batches.values()].map((batch) => structuredClone(batch));
    },
    resends: async (batch, run, split) => resends.get(name(batch, run, split)) ?? { count: 0, lastAt: 0 },
    async noteResend(batch, run, split, count, lastAt) {
      resends.set(name(batch, run, split), { count, lastAt });
    },
    inboxMark: async () => inboxMark,
    async markInbox(key) {
      inboxMark = key;
    },
  };
};
