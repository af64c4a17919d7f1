/** Closes what is complete: a split's part files, then the batch's result files with `summary.json` last. */
import { isDecided, isFinal } from "@touchstone/core/domain/ledger/batch";
import { countSplit, isSplitDone, isSplitFinal } from "@touchstone/core/domain/ledger/split";
import { errorLine, partKeys, resultLine, tallyResults } from "@touchstone/core/domain/results/result-files";
import { trafficMessages } from "@touchstone/core/domain/trust/traffic";
import { transient } from "@touchstone/core/errors";
import type { BlobStore, Clock, Ledger, MessageSender, SampleStore } from "@touchstone/core/ports";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { LearnMessage } from "@touchstone/core/schema/learn";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import { writeBatchFiles } from "./batch-files.ts";

export interface FinishPorts {
  readonly ledger: Ledger;
  readonly samples: SampleStore;
  readonly blobs: BlobStore;
  readonly learn: MessageSender<LearnMessage>;
  readonly clock: Clock;
  readonly resultsBucket: string;
}

/** Run on every touch of a split; does nothing until the split is full, and nothing twice that matters. */
export const finishSplit = async (
  split: SplitRecord,
  hasVerdicts: boolean,
  ports: FinishPorts,
): Promise<void> => {
  if (!isSplitDone(split)) return;
  const batch = await ports.ledger.batch(split.batch, split.run);
  if (!batch) return;
  const state = isSplitFinal(split) ? "final" : "decided";
  const isMarked =
    batch.doneSplits.has(split.split) && (state === "decided" || batch.finalSplits.has(split.split));
  let marked: BatchRecord = batch;
  if (!isMarked) {
    await writePart(split, state, batch, ports);
    // `final` before `done`: whoever sees a complete batch then knows which part file of each split to join.
    if (state === "final") await ports.ledger.addSplit(split.batch, split.run, split.split, "finalSplits");
    marked = await ports.ledger.addSplit(split.batch, split.run, split.split, "doneSplits");
  }
  // An audit or an adjudication is answered long after the files stand; they are written again, though not at every verdict.
  if (isMarked && hasVerdicts && state === "final")
    await ports.ledger.addLate(split.batch, split.run, split.split, ports.clock());
  await closeIfComplete(marked, ports);
};

/** Says late verdicts in the files, which become a new revision. */
export const reviseBatch = async (batch: BatchRecord, ports: FinishPorts): Promise<void> => {
  const { lateVerdicts, lateSplits } = batch;
  if (batch.finalAt === undefined || lateVerdicts === undefined) return;
  for (const index of lateSplits ?? []) {
    const split = await ports.ledger.split(batch.batch, batch.run, index);
    if (split) await writePart(split, "final", batch, ports);
  }
  const revision = batch.revision + 1;
  await writeBatchFiles(batch, { kind: "final", at: ports.clock(), revision }, ports);
  await ports.ledger.revise(batch.batch, batch.run, { revision, lateVerdicts });
};

/** Closes the batch if all its splits are in; for when the last thing it waited for was no split. */
export const finishBatch = async (batch: BatchId, run: number, ports: FinishPorts): Promise<void> => {
  const record = await ports.ledger.batch(batch, run);
  if (record) await closeIfComplete(record, ports);
};

/** `decided` and `final` are two certificates; each is written once, files before the mark. */
const closeIfComplete = async (batch: BatchRecord, ports: FinishPorts): Promise<void> => {
  if (batch.finalAt !== undefined || !isDecided(batch)) return;
  if (isFinal(batch)) return closeAs("final", batch, ports);
  if (batch.decidedAt !== undefined) return;
  await closeAs("decided", batch, ports);
  // The last verdict may have come while these files were being written over the final ones.
  const now = await ports.ledger.batch(batch.batch, batch.run);
  if (now && isFinal(now)) await closeAs("final", now, ports);
};

const closeAs = async (kind: "decided" | "final", batch: BatchRecord, ports: FinishPorts): Promise<void> => {
  const at = ports.clock();
  const revision = batch.revision + 1;
  await writeBatchFiles(batch, { kind, at, revision }, ports);
  if (batch.decidedAt === undefined)
    await ports.ledger.close(batch.batch, batch.run, { kind: "decided", at, revision });
  if (kind === "final") await ports.ledger.close(batch.batch, batch.run, { kind, at, revision });
};

/** Results and errors of one split, in the order of the source file. */
const writePart = async (
  split: SplitRecord,
  state: "decided" | "final",
  batch: BatchRecord,
  ports: FinishPorts,
): Promise<void> => {
  const keys = Array.from({ length: split.samples }, (_, ordinal) => ({
    batch: split.batch,
    run: split.run,
    split: split.split,
    ordinal,
  }));
  const stored = await ports.samples.read(keys);
  const complete = stored.flatMap((sample) => (sample?.result ? [{ ...sample, result: sample.result }] : []));
  if (complete.length !== keys.length) {
    throw transient("conflict", "the ledger is full, yet a result is not readable; it will be read again");
  }
  const names = partKeys(batch, split.split, state);
  const file = batch.source.key;
  const tallies = tallyResults(
    countSplit(split),
    complete.map(({ result }) => result),
  );
  const write = (key: string, text: string, type: string): Promise<void> =>
    ports.blobs.write({ bucket: ports.resultsBucket, key }, text, type);
  await write(
    names.results,
    complete.map((sample) => `${resultLine(sample)}\n`).join(""),
    "application/jsonl",
  );
  await write(
    names.errors,
    complete
      .flatMap(({ result }) => errorLine(result, file) ?? [])
      .map((line) => `${line}\n`)
      .join(""),
    "application/jsonl",
  );
  await write(names.tallies, JSON.stringify(tallies), "application/json");
  // Before the split is marked, or a crash in between would hide it from LEARN; what comes twice counts once there.
  const traffic = trafficMessages(
    split,
    complete.map(({ result }) => result),
  );
  if (!batch.doneSplits.has(split.split) && traffic.length > 0) await ports.learn.send(traffic);
};
