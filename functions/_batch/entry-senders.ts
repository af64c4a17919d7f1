/** Turns rows into their entry messages and sends them, hop by hop. INTAKE and SWEEP use it. */
import { type EntryContext, entryMessage } from "@touchstone/core/domain/intake/entry-message";
import type { Row } from "@touchstone/core/domain/intake/read-row";
import type { BlobStore, MessageSender } from "@touchstone/core/ports";
import type { DescribeRequest, ScoreRequest, SettleEntry } from "@touchstone/core/schema/messages";
import { packSample } from "./payload.ts";

export interface EntrySenders {
  readonly blobs: BlobStore;
  readonly describe: MessageSender<DescribeRequest>;
  readonly score: MessageSender<ScoreRequest>;
  readonly settle: MessageSender<SettleEntry>;
  readonly resultsBucket: string;
}

export interface PlacedRow {
  readonly ordinal: number;
  readonly row: Row;
}

/** So much is turned into messages before they are sent: a split may have 32 MB, and its messages are as large again. */
const gatheredRows = 1_000;
const gatheredBytes = 4 * 1024 * 1024;

/** Resolves when every row's message is accepted by its queue. */
export const sendRows = async (
  rows: readonly PlacedRow[],
  split: number,
  context: EntryContext,
  ports: EntrySenders,
): Promise<void> => {
  let gathered: PlacedRow[] = [];
  let bytes = 0;
  for (const placed of rows) {
    gathered.push(placed);
    bytes += placed.row.bytes;
    if (gathered.length < gatheredRows && bytes < gatheredBytes) continue;
    await sendGathered(gathered, split, context, ports);
    gathered = [];
    bytes = 0;
  }
  await sendGathered(gathered, split, context, ports);
};

const sendGathered = async (
  rows: readonly PlacedRow[],
  split: number,
  context: EntryContext,
  ports: EntrySenders,
): Promise<void> => {
  const { batch } = context;
  const describe: DescribeRequest[] = [];
  const score: ScoreRequest[] = [];
  const settle: SettleEntry[] = [];
  for (const { ordinal, row } of rows) {
    const key = { batch: batch.batch, run: batch.run, split, ordinal };
    const payload =
      row.kind === "sample" ? await packSample(row.sample, key, ports.blobs, ports.resultsBucket) : null;
    const entry = entryMessage(row, key, payload, context);
    switch (entry.hop) {
      case "describe":
        describe.push(entry.message);
        break;
      case "score":
        score.push(entry.message);
        break;
      case "settle":
        settle.push(entry.message);
        break;
      default:
        entry satisfies never;
    }
  }
  await Promise.all([ports.describe.send(describe), ports.score.send(score), ports.settle.send(settle)]);
};
