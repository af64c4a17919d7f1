/** Reads the source file of a batch again and sends on what has no outcome yet, split by split. */

import {
  bareResult,
  type EntryContext,
  outcomeOf,
  taskOfRow,
} from "@touchstone/core/domain/intake/entry-message";
import type { Row } from "@touchstone/core/domain/intake/read-row";
import type { TemplatesByTask } from "@touchstone/core/domain/intake/route";
import { checkMessageOf } from "@touchstone/core/domain/ledger/batch";
import { missingOrdinals } from "@touchstone/core/domain/ledger/split";
import { errorKind } from "@touchstone/core/errors";
import type { Clock, Ledger, SampleStore, TemplateStore } from "@touchstone/core/ports";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import type { OutcomeMessage } from "@touchstone/core/schema/messages";
import { type EntrySenders, type PlacedRow, sendRows } from "../_batch/entry-senders.ts";
import { loadTemplates, pinnedTemplates } from "../_batch/load-templates.ts";
import { sourceSplits } from "../_batch/source-splits.ts";

export interface ResendPorts extends EntrySenders {
  readonly ledger: Ledger;
  readonly samples: SampleStore;
  readonly templates: TemplateStore;
  readonly clock: Clock;
}

/** A split that has been quiet for too long: send it again, or give up what has no result by now. */
export interface QuietSplit {
  readonly index: number;
  readonly how: "resend" | "lost";
}

export interface Resent {
  readonly index: number;
  readonly resent: number;
  readonly lost: number;
}

/**
 * Sends every undecided sample of the splits to its entry hop, in one pass over the file however many they are. A sample
 * that was decided but never settled is found by SCORE's own record, so nothing is paid twice.
 */
export async function* resendSplits(
  batch: BatchRecord,
  quiet: readonly QuietSplit[],
  ports: ResendPorts,
): AsyncGenerator<Resent> {
  const waiting = new Map(quiet.map((split) => [split.index, split]));
  const current = await loadTemplates(ports.templates);
  const templates = await pinnedTemplates(batch.templates, current, ports.templates);
  for await (const { index, rows } of splitsOf(batch, ports)) {
    const split = waiting.get(index);
    if (!split) continue;
    yield await resendOne(batch, split, rows, templates, ports);
    waiting.delete(index);
    if (waiting.size === 0) return;
  }
  // The file ended before them, or is gone for good.
  for (const split of waiting.values()) yield await resendOne(batch, split, [], templates, ports);
}

async function* splitsOf(
  batch: BatchRecord,
  ports: ResendPorts,
): AsyncGenerator<{ readonly index: number; readonly rows: readonly Row[] }> {
  const splits = sourceSplits(batch, ports);
  for (;;) {
    let next: Awaited<ReturnType<typeof splits.next>>;
    try {
      next = await splits.next();
    } catch (error) {
      if (errorKind(error) === "transient") throw error;
      return;
    }
    if (next.done) return;
    yield next.value;
  }
}

const resendOne = async (
  batch: BatchRecord,
  { index, how }: QuietSplit,
  rows: readonly Row[],
  templates: TemplatesByTask,
  ports: ResendPorts,
): Promise<Resent> => {
  const split = await ports.ledger.split(batch.batch, batch.run, index);
  const missing = split ? missingOrdinals(split) : [];
  if (!split || missing.length === 0) {
    await ports.settle.send([checkMessageOf(batch)]);
    return { index, resent: 0, lost: 0 };
  }
  const hopeless = how === "lost" ? await withoutResult(split, missing, ports) : new Set<number>();
  const again = missing.flatMap((ordinal): PlacedRow[] => {
    const row = rows[ordinal];
    return row && !hopeless.has(ordinal) ? [{ ordinal, row }] : [];
  });
  await sendRows(again, index, { batch, templates, now: ports.clock() }, ports);
  await ports.settle.send(
    [...hopeless].map((ordinal) =>
      lostMessage({ batch, templates, now: ports.clock() }, split, ordinal, rows[ordinal]),
    ),
  );
  return { index, resent: again.length, lost: hopeless.size };
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
  { batch, templates, now }: EntryContext,
  split: SplitRecord,
  ordinal: number,
  row: Row | undefined,
): OutcomeMessage => {
  const task = taskOfRow(row, batch, templates);
  const sampleId = row?.kind === "sample" ? row.sample.id : (row?.sampleId ?? `ordinal-${ordinal}`);
  const reason = { code: "lost" as const, detail: "sent again five times without an outcome" };
  const line = row?.line ?? split.firstLine + ordinal;
  const record = bareResult(sampleId, task, line, "failed", reason, batch, now);
  return outcomeOf({ batch: batch.batch, run: batch.run, split: split.split, ordinal }, record, null);
};
