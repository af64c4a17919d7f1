/** One batch as people want to see it: its state and its counts, from the ledger. `status`, `results` and `npm start` show it. */
import { readUploadPath } from "@touchstone/core/domain/intake/upload-key";
import { machineReviewRate } from "@touchstone/core/domain/ledger/batch";
import { addCounts, countSplit, type LedgerCounts, noCounts } from "@touchstone/core/domain/ledger/split";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import { shortBatchName } from "./batch-name.ts";
import { type BatchState, batchStateOf, undecidedCount } from "./batch-state.ts";
import type { Connection } from "./connection.ts";
import type { QueueDepths } from "./queues.ts";

export interface BatchView {
  readonly batch: BatchId;
  readonly run: number;
  readonly task: string;
  /** Without task and version. */
  readonly name: string;
  readonly state: BatchState;
  /** While the file is being read, `total` is what has been read. */
  readonly counts: LedgerCounts;
  readonly undecided: number;
  readonly machineReviewRate: number | null;
  /** The result files are written: of every sample's outcome, and of every verdict as well. */
  readonly decided: boolean;
  readonly final: boolean;
  readonly fault: string | null;
  /** Epoch milliseconds. */
  readonly arrivedAt: number;
  readonly decidedAt: number | null;
  readonly finalAt: number | null;
}

type ViewPorts = Pick<Connection, "ledger" | "blobs" | "queueDepths">;

/** Give `depths` where several batches are looked at together; they are read only if needed. */
export const batchView = async (
  connection: ViewPorts,
  record: BatchRecord,
  depths?: QueueDepths,
): Promise<BatchView> => {
  const splits = await readSplits(connection, record);
  const counts = splits.map(countSplit).reduce(addCounts, noCounts());
  const undecided = undecidedCount(counts);
  const isDescribing =
    record.sealed !== undefined && undecided > 0 && (await describes(connection, record, depths));
  return {
    batch: record.batch,
    run: record.run,
    task: record.task,
    name: shortBatchName(record.batch),
    state: batchStateOf(record, counts, isDescribing),
    counts,
    undecided,
    machineReviewRate: machineReviewRate(counts),
    decided: record.decidedAt !== undefined || record.finalAt !== undefined,
    final: record.finalAt !== undefined,
    fault: record.fault ?? null,
    arrivedAt: record.arrivedAt,
    decidedAt: record.decidedAt ?? record.finalAt ?? null,
    finalAt: record.finalAt ?? null,
  };
};

/** The rows of the batch's splits, in order, as far as INTAKE has come. */
export const readSplits = async (
  connection: Pick<Connection, "ledger">,
  record: BatchRecord,
): Promise<readonly SplitRecord[]> => {
  // A row stands before its messages are sent, so one more than is marked may be there.
  const length = record.sealed?.splits ?? record.splitsSent + 1;
  const indexes = Array.from({ length }, (_, index) => index);
  const rows = await inParallel(indexes, 16, (index) =>
    connection.ledger.split(record.batch, record.run, index),
  );
  return rows.flatMap((row) => row ?? []);
};

/** Whether DESCRIBE has work, and the batch something to describe: media beside its file. */
const describes = async (
  connection: ViewPorts,
  record: BatchRecord,
  known: QueueDepths | undefined,
): Promise<boolean> => {
  const { describe } = known ?? (await connection.queueDepths());
  if (describe.waiting + describe.inFlight + describe.delayed === 0) return false;
  const { bucket, key } = record.source;
  for await (const entry of connection.blobs.list(bucket, key.slice(0, key.lastIndexOf("/") + 1)))
    if (readUploadPath(entry.key).kind === "other") return true;
  return false;
};
