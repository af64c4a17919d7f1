/** INTAKE: reads an uploaded file in one pass, cuts it into splits and sends each sample on its way. */
import { cutSplits } from "@touchstone/core/domain/intake/splits";
import { entryMessage } from "@touchstone/core/domain/intake/entry-message";
import { newSplit } from "@touchstone/core/domain/ledger/split";
import { errorKind } from "@touchstone/core/errors";
import type { BlobStore, Clock, Ledger, MessageSender, TemplateStore } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { DescribeRequest, ScoreRequest, SettleMessage } from "@touchstone/core/schema/messages";
import type { Split } from "@touchstone/core/domain/intake/splits";
import { loadTemplates, type LoadedTemplates } from "../_batch/load-templates.ts";
import { packSample } from "../_batch/payload.ts";
import { readBatchFile } from "../_batch/read-batch-file.ts";

export interface IntakePorts {
  readonly blobs: BlobStore;
  readonly ledger: Ledger;
  readonly templates: TemplateStore;
  readonly describe: MessageSender<DescribeRequest>;
  readonly score: MessageSender<ScoreRequest>;
  readonly settle: MessageSender<SettleMessage>;
  readonly clock: Clock;
  readonly resultsBucket: string;
}

/**
 * Takes one file in. Every step can be repeated: a redelivery reads the file again, skips the splits whose messages
 * are sent, and a sealed batch is a duplicate event.
 */
export const takeIn = async (arrival: BatchRecord, ports: IntakePorts): Promise<BatchRecord> => {
  const batch = await ports.ledger.open(arrival);
  if (batch.sealed) return batch;
  const templates = await loadTemplates(ports.templates);
  let splits = 0;
  let samples = 0;
  let fault: string | undefined;
  try {
    for await (const split of cutSplits(readBatchFile(ports.blobs, batch.source))) {
      if (split.index >= batch.splitsSent) await sendSplit(split, batch, templates, ports);
      splits = split.index + 1;
      samples += split.rows.length;
    }
    if (samples === 0) fault = "the file has no samples";
  } catch (error) {
    if (errorKind(error) === "transient") throw error;
    fault = error instanceof Error ? error.message : "the file cannot be read";
  }
  const sealed = { splits, samples, at: ports.clock() };
  await ports.ledger.seal(batch.batch, batch.run, sealed, fault);
  await ports.settle.send([{ kind: "check", schema: 1, batch: batch.batch, run: batch.run }]);
  return { ...batch, sealed, splitsSent: splits, ...(fault === undefined ? {} : { fault }) };
};

/** The split's row comes before its messages: whatever is sent is already accounted for. */
const sendSplit = async (
  split: Split,
  batch: BatchRecord,
  templates: LoadedTemplates,
  ports: IntakePorts,
): Promise<void> => {
  const firstLine = split.rows[0]?.line ?? 1;
  await ports.ledger.putSplit(newSplit(batch.batch, batch.run, split.index, split.rows.length, firstLine));
  const waiting = {
    describe: new Array<DescribeRequest>(),
    score: new Array<ScoreRequest>(),
    settle: new Array<SettleMessage>(),
  };
  const context = { batch, templates, now: ports.clock() };
  for (const [ordinal, row] of split.rows.entries()) {
    const key = { batch: batch.batch, run: batch.run, split: split.index, ordinal };
    const payload = row.kind === "sample" ? await packSample(row.sample, key, ports.blobs, ports.resultsBucket) : null;
    const entry = entryMessage(row, key, payload, context);
    switch (entry.hop) {
      case "describe":
        waiting.describe.push(entry.message);
        break;
      case "score":
        waiting.score.push(entry.message);
        break;
      case "settle":
        waiting.settle.push(entry.message);
        break;
      default:
        entry satisfies never;
    }
  }
  await Promise.all([
    ports.describe.send(waiting.describe),
    ports.score.send(waiting.score),
    ports.settle.send(waiting.settle),
  ]);
  await ports.ledger.markSent(batch.batch, batch.run, split.index + 1);
};
