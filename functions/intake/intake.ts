/** INTAKE: reads an uploaded file in one pass, cuts it into splits and sends each sample on its way. */

import type { TemplatesByTask } from "@touchstone/core/domain/intake/route";
import type { Split } from "@touchstone/core/domain/intake/splits";
import { checkMessageOf } from "@touchstone/core/domain/ledger/batch";
import { newSplit } from "@touchstone/core/domain/ledger/split";
import { errorKind } from "@touchstone/core/errors";
import type { Clock, Ledger, TemplateStore } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { type EntrySenders, sendRows } from "../_batch/entry-senders.ts";
import { loadTemplates, pinnedTemplates } from "../_batch/load-templates.ts";
import { sourceSplits } from "../_batch/source-splits.ts";

export interface IntakePorts extends EntrySenders {
  readonly ledger: Ledger;
  readonly templates: TemplateStore;
  readonly clock: Clock;
}

/** As much as a batch row holds; a key alone may have a thousand characters, and what is wrong stands after it. */
const shortened = (fault: string): string =>
  fault.length <= 500 ? fault : `${fault.slice(0, 249)}…${fault.slice(-250)}`;

/**
 * Takes one file in. Every step can be repeated: a redelivery reads the file again with the templates pinned at the
 * first opening and skips the splits whose messages are sent; a sealed batch is a duplicate event.
 */
export const takeIn = async (arrival: BatchRecord, ports: IntakePorts): Promise<BatchRecord> => {
  const current = await loadTemplates(ports.templates);
  const pins = [...current.known.values()].map(({ pin }) => pin);
  const batch = await ports.ledger.open({ ...arrival, templates: pins });
  if (batch.sealed) {
    // The first delivery may have died between sealing and checking.
    if (batch.decidedAt === undefined) await sendCheck(batch, ports);
    return batch;
  }
  const templates = await pinnedTemplates(batch.templates, current, ports.templates);
  const { splits, samples, fault } = await readSplits(batch, templates, ports);
  const sealed = { splits, samples, at: ports.clock() };
  await ports.ledger.seal(batch.batch, batch.run, sealed, fault);
  await sendCheck(batch, ports);
  return { ...batch, sealed, splitsSent: splits, ...(fault === undefined ? {} : { fault }) };
};

/** One pass over the file; a file that cannot be read to its end keeps what was read, and says why in `fault`. */
const readSplits = async (
  batch: BatchRecord,
  templates: TemplatesByTask,
  ports: IntakePorts,
): Promise<{ readonly splits: number; readonly samples: number; readonly fault: string | undefined }> => {
  let splits = 0;
  let samples = 0;
  let damage: string | undefined;
  const rows = sourceSplits(batch, ports);
  for (;;) {
    let next: IteratorResult<Split>;
    try {
      next = await rows.next();
    } catch (error) {
      if (errorKind(error) === "transient") throw error;
      const fault = error instanceof Error ? error.message : "the file cannot be read";
      return { splits, samples, fault: shortened(fault) };
    }
    if (next.done) return { splits, samples, fault: damage ?? emptiness(batch, samples) };
    const split = next.value;
    if (split.index >= batch.splitsSent) await sendSplit(split, batch, templates, ports);
    splits = split.index + 1;
    samples += split.rows.length;
    damage = damageOf(split) ?? damage;
  }
};

/** A selection may well be empty; a file is not meant to be. */
const emptiness = (batch: BatchRecord, samples: number): string | undefined =>
  samples === 0 && batch.replays?.only === undefined ? "the file has no samples" : undefined;

/** A file that breaks off ends in a row that says so. */
const damageOf = ({ rows }: Split): string | undefined => {
  const last = rows.at(-1);
  return last?.kind === "bad" && last.endsFile ? last.fault.message : undefined;
};

const sendCheck = (batch: BatchRecord, ports: IntakePorts): Promise<void> =>
  ports.settle.send([checkMessageOf(batch)]);

/** The split's row comes before its messages: whatever is sent is already accounted for. */
const sendSplit = async (
  split: Split,
  batch: BatchRecord,
  templates: TemplatesByTask,
  ports: IntakePorts,
): Promise<void> => {
  const firstLine = split.rows[0]?.line ?? 1;
  await ports.ledger.putSplit(newSplit(batch.batch, batch.run, split.index, split.rows.length, firstLine));
  const rows = split.rows.map((row, ordinal) => ({ ordinal, row }));
  await sendRows(rows, split.index, { batch, templates, now: ports.clock() }, ports);
  await ports.ledger.markSent(batch.batch, batch.run, split.index + 1);
};
