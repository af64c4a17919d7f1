/** SWEEP: finds what went quiet and sends it again; declares a sample lost only after that has failed five times. */

import { creationEvent } from "@touchstone/core/domain/intake/creation-event";
import { resendDue } from "@touchstone/core/domain/ledger/resend";
import { hintOf } from "@touchstone/core/domain/review/answer-review";
import type { MessageSender, ReviewStore } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { ReviewHint } from "@touchstone/core/schema/review";
import type { S3Notification } from "@touchstone/core/schema/s3-notification";
import type { Timing } from "@touchstone/core/timing";
import { type ResendPorts, resendSplit } from "./resend-split.ts";

export interface SweepPorts extends ResendPorts {
  readonly reviews: ReviewStore;
  readonly uploads: MessageSender<S3Notification>;
  readonly hints: MessageSender<ReviewHint>;
  readonly timing: Timing;
  readonly complain: (batch: BatchRecord, error: unknown) => void;
}

export interface SweepReport {
  readonly batches: number;
  readonly resentFiles: number;
  readonly resentSamples: number;
  readonly lostSamples: number;
  readonly hints: number;
}

/** In the resend rows, the batch as a whole stands beside its splits under this number. */
const wholeBatch = -1;
const hintPage = 100;

export const sweep = async (ports: SweepPorts): Promise<SweepReport> => {
  const report = { batches: 0, resentFiles: 0, resentSamples: 0, lostSamples: 0, hints: 0 };
  for await (const batch of ports.ledger.openBatches()) {
    report.batches += 1;
    try {
      if (batch.sealed === undefined) report.resentFiles += await resendFile(batch, ports);
      else await sweepSplits(batch, report, ports);
    } catch (error) {
      // One batch that cannot be swept must not hide the others.
      ports.complain(batch, error);
    }
  }
  report.hints = await repeatHints(ports);
  return report;
};

/** A file whose reading stopped half-way: INTAKE takes it up where it left off. */
const resendFile = async (batch: BatchRecord, ports: SweepPorts): Promise<number> => {
  const now = ports.clock();
  const resends = await ports.ledger.resends(batch.batch, batch.run, wholeBatch);
  const due = resendDue({
    ...resends,
    since: batch.openedAt,
    now,
    quietAfter: ports.timing.sweep.quietAfter,
  });
  if (due !== "resend") return 0;
  await ports.uploads.send([creationEvent(batch)]);
  await ports.ledger.noteResend(batch.batch, batch.run, wholeBatch, resends.count + 1, now);
  return 1;
};

const sweepSplits = async (
  batch: BatchRecord,
  report: { resentSamples: number; lostSamples: number },
  ports: SweepPorts,
): Promise<void> => {
  const now = ports.clock();
  const total = batch.sealed?.splits ?? 0;
  const quiet = Array.from({ length: total }, (_, index) => index).filter(
    (index) => !batch.doneSplits.has(index),
  );
  if (quiet.length === 0) {
    if (batch.decidedAt === undefined) {
      await ports.settle.send([{ kind: "check", schema: 1, batch: batch.batch, run: batch.run }]);
    }
    return;
  }
  for (const index of quiet) {
    const resends = await ports.ledger.resends(batch.batch, batch.run, index);
    const due = resendDue({
      ...resends,
      since: batch.sealed?.at ?? batch.openedAt,
      now,
      quietAfter: ports.timing.sweep.quietAfter,
    });
    if (due === "wait") continue;
    const sent = await resendSplit(batch, index, due, ports);
    await ports.ledger.noteResend(batch.batch, batch.run, index, resends.count + 1, now);
    report.resentSamples += sent.resent;
    report.lostSamples += sent.lost;
  }
};

/** SQS forgets a message after 14 days; the task itself does not, so its hint is said again before that. */
const repeatHints = async (ports: SweepPorts): Promise<number> => {
  const before = ports.clock() - ports.timing.sweep.reviewHintAfter * 1000;
  let hints: ReviewHint[] = [];
  let sent = 0;
  for await (const task of ports.reviews.undecided()) {
    if (task.createdAt > before) break;
    hints.push(hintOf(task));
    if (hints.length < hintPage) continue;
    await ports.hints.send(hints);
    sent += hints.length;
    hints = [];
  }
  if (hints.length > 0) await ports.hints.send(hints);
  return sent + hints.length;
};
