/** Reads a split of the source file again and sends on what has no outcome yet. */
import { bareResult, outcomeOf } from "@touchstone/core/domain/intake/entry-message";
import type { Row } from "@touchstone/core/domain/intake/read-row";
import { cutSplits } from "@touchstone/core/domain/intake/splits";
import { missingOrdinals } from "@touchstone/core/domain/ledger/split";
import { errorKind } from "@touchstone/core/errors";
import type { Clock, Ledger, SampleStore, TemplateStore } from "@touchstone/core/ports";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import type { OutcomeMessage } from "@touchstone/core/schema/messages";
import { type EntrySenders, type PlacedRow, sendRows } from "../_batch/entry-senders.ts";
import { loadTemplates } from "../_batch/load-templates.ts";
import { readBatchFile } from "../_batch/read-batch-file.ts";

export interface ResendPorts extends EntrySenders {
  readonly ledger: Ledger;
  readonly samples: SampleStore;
  readonly templates: TemplateStore;
  readonly clock: Clock;
}

/**
 * Sends every undecided sample of the split to its entry hop; with `lost`, gives up those that have no result by now.
 * A sample that was decided but never settled is found by SCORE's own record, so nothing is paid twice.
 */
export const resendSplit = async (
  batch: BatchRecord,
  index: number,
  how: "resend" | "lost",
  ports: ResendPorts,
): Promise<{ readonly resent: number; readonly lost: number }> => {
  const split = await ports.ledger.split(batch.batch, batch.run, index);
  if (!split) return { resent: 0, lost: 0 };
  const missing = missingOrdinals(split);
  if (missing.length === 0) {
    await ports.settle.send([{ kind: "check", schema: 1, batch: batch.batch, run: batch.run }]);
    return { resent: 0, lost: 0 };
  }
  const rows = await rowsOf(batch, index, ports);
  const hopeless = how === "lost" ? await withoutResult(split, missing, ports) : new Set<number>();
  const again = missing.flatMap((ordinal): PlacedRow[] => {
    const row = rows[ordinal];
    return row && !hopeless.has(ordinal) ? [{ ordinal, row }] : [];
  });
  const templates = await loadTemplates(ports.templates);
  await sendRows(again, index, { batch, templates, now: ports.clock() }, ports);
  await ports.settle.send(
    [...hopeless].map((ordinal) => lostMessage(batch, split, ordinal, rows[ordinal], ports.clock())),
  );
  return { resent: again.length, lost: hopeless.size };
};

/** The split's rows, or none if the source file is gone for good. */
const rowsOf = async (batch: BatchRecord, index: number, ports: ResendPorts): Promise<readonly Row[]> => {
  try {
    for await (const split of cutSplits(readBatchFile(ports.blobs, batch.source))) {
      if (split.index === index) return split.rows;
    }
  } catch (error) {
    if (errorKind(error) === "transient") throw error;
  }
  return [];
};

const withoutResult = async (
  split: SplitRecord,
  ordinals: readonly number[],
  ports: ResendPorts,
): Promise<ReadonlySet<number>> => {
  const { batch, run, split: index } = split;
  const stored = await ports.samples.read(ordinals.map((ordinal) => ({ batch, run, split: index, ordinal })));
  return new Set(ordinals.filter((_, at) => !stored[at]?.result));
};

const lostMessage = (
  batch: BatchRecord,
  split: SplitRecord,
  ordinal: number,
  row: Row | undefined,
  now: number,
): OutcomeMessage => {
  const sampleId = row?.kind === "sample" ? row.sample.id : (row?.sampleId ?? `ordinal-${ordinal}`);
  const reason = { code: "lost" as const, detail: "sent again five times without an outcome" };
  const line = row?.line ?? split.firstLine + ordinal;
  const record = bareResult(sampleId, batch.task, line, "failed", reason, batch, now);
  return outcomeOf({ batch: batch.batch, run: batch.run, split: split.split, ordinal }, record, null);
};
