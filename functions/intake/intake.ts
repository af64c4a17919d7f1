/** INTAKE: reads an uploaded file in one pass, cuts it into splits and sends each sample on its way. */

import type { Split } from "@touchstone/core/domain/intake/splits";
import { cutSplits } from "@touchstone/core/domain/intake/splits";
import { newSplit } from "@touchstone/core/domain/ledger/split";
import { errorKind } from "@touchstone/core/errors";
import type { Clock, Ledger, TemplateStore } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { type EntrySenders, sendRows } from "../_batch/entry-senders.ts";
import { type LoadedTemplates, loadTemplates } from "../_batch/load-templates.ts";
import { readBatchFile } from "../_batch/read-batch-file.ts";

export interface IntakePorts extends EntrySenders {
  readonly ledger: Ledger;
  readonly templates: TemplateStore;
  readonly clock: Clock;
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
  const rows = split.rows.map((row, ordinal) => ({ ordinal, row }));
  await sendRows(rows, split.index, { batch, templates, now: ports.clock() }, ports);
  await ports.ledger.markSent(batch.batch, batch.run, split.index + 1);
};
