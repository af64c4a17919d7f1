/** SWEEP: finds what went quiet and sends it again; declares a sample lost only after that has failed five times. */
import { checkMessageOf } from "@touchstone/core/domain/ledger/batch";
import { type QueueSigns, resentThings, standsStill } from "@touchstone/core/domain/ledger/resend";
import type { MessageSender, QueueDepth, ReviewStore } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { ReviewHint } from "@touchstone/core/schema/review";
import { type AnnouncePorts, announceFiles } from "./announce-files.ts";
import { dueOf } from "./due.ts";
import { type DueSplit, dueSplits } from "./due-splits.ts";
import { type PressurePorts, putOffUntil } from "./pressure.ts";
import { repeatHints } from "./repeat-hints.ts";
import { resendFile, sealUnread } from "./resend-file.ts";
import { type ResendPorts, resendSplits } from "./resend-splits.ts";
import { resendVerdicts } from "./resend-verdicts.ts";

export interface SweepPorts extends ResendPorts, AnnouncePorts, PressurePorts {
  readonly reviews: ReviewStore;
  readonly hints: MessageSender<ReviewHint>;
  /** Of the uploads queue, and of those that samples pass. */
  readonly uploadsDepth: QueueDepth;
  readonly samplesDepth: QueueDepth;
  /** `what` could not be swept: the id of a batch, the inbox, or the verdicts. */
  readonly complain: (what: string, error: unknown) => void;
}

export interface SweepReport {
  readonly batches: number;
  readonly resentFiles: number;
  readonly resentSamples: number;
  readonly lostSamples: number;
  readonly resentVerdicts: number;
  readonly hints: number;
  /** Files of the inbox that no event had announced. */
  readonly announcedFiles: number;
}

type Counts = { -readonly [Name in keyof SweepReport]: SweepReport[Name] };

/** What this sweep knows of the queues that files and samples pass. */
interface Signs {
  readonly uploads: { readonly waiting: number; movedAt: number };
  readonly samples: { readonly waiting: number; movedAt: number };
  /** Until when messages may be on their way that an endpoint has put off. */
  readonly putOff: number;
}

export const sweep = async (ports: SweepPorts): Promise<SweepReport> => {
  const report: Counts = {
    batches: 0,
    resentFiles: 0,
    resentSamples: 0,
    lostSamples: 0,
    resentVerdicts: 0,
    hints: 0,
    announcedFiles: 0,
  };
  // Before anything is sent from here, which would count too.
  const [files, samples, putOff] = await Promise.all([
    ports.uploadsDepth(),
    ports.samplesDepth(),
    putOffUntil(ports),
  ]);
  const signs: Signs = {
    uploads: { waiting: files, movedAt: 0 },
    samples: { waiting: samples, movedAt: 0 },
    putOff,
  };
  const later: { readonly batch: BatchRecord; readonly act: () => Promise<void> }[] = [];
  const tried = async (what: string, act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      // One batch that cannot be swept must not hide the others.
      ports.complain(what, error);
    }
  };
  for await (const batch of ports.ledger.openBatches()) {
    report.batches += 1;
    await tried(batch.batch, async () => {
      const act = await lookAt(batch, signs, report, ports);
      if (act) later.push({ batch, act });
    });
  }
  // Only now is it known whether anything moves at all.
  for (const { batch, act } of later) await tried(batch.batch, act);
  await tried("inbox", async () => {
    report.announcedFiles = await announceFiles(ports);
  });
  await tried("verdicts", async () => {
    report.resentVerdicts = await resendVerdicts(ports);
  });
  report.hints = await repeatHints(ports);
  return report;
};

/** Does at once what does no harm; returns what has to wait until all batches have been looked at. */
const lookAt = async (
  batch: BatchRecord,
  { uploads, samples, putOff }: Signs,
  report: Counts,
  ports: SweepPorts,
): Promise<(() => Promise<void>) | null> => {
  uploads.movedAt = Math.max(uploads.movedAt, batch.openedAt);
  if (batch.finalAt !== undefined) {
    await sweepLate(batch, ports);
    return null;
  }
  if (batch.sealed === undefined) return () => sweepFile(batch, uploads, report, ports);
  const { splits, at } = batch.sealed;
  const undone = Array.from({ length: splits }, (_, index) => index).filter(
    (index) => !batch.doneSplits.has(index),
  );
  if (undone.length > 0) {
    const { due, settledAt } = await dueSplits(batch, at, undone, samples.movedAt, putOff, ports);
    samples.movedAt = Math.max(samples.movedAt, settledAt);
    return due.length === 0 ? null : () => sweepSplits(batch, due, samples, report, ports);
  }
  if (batch.decidedAt === undefined) {
    await ports.settle.send([checkMessageOf(batch)]);
  } else {
    samples.movedAt = Math.max(samples.movedAt, batch.decidedAt);
    await checkAgain(batch, batch.decidedAt, ports);
  }
  return null;
};

/** Late verdicts are gathered for a while: each revision copies the files of the whole batch. */
const sweepLate = async (batch: BatchRecord, ports: SweepPorts): Promise<void> => {
  const due = (batch.lateSince ?? 0) + ports.timing.sweep.reviseAfter * 1000;
  if (ports.clock() >= due) await ports.settle.send([checkMessageOf(batch)]);
};

const sweepFile = async (
  batch: BatchRecord,
  signs: QueueSigns,
  report: Counts,
  ports: SweepPorts,
): Promise<void> => {
  const now = ports.clock();
  const { due, lastAt, note } = await dueOf(batch, resentThings.wholeFile, batch.openedAt, now, ports);
  if (due === "wait") return;
  if (standsStill(signs, Math.max(lastAt, batch.openedAt))) return;
  if (due === "lost") return sealUnread(batch, now, ports);
  await resendFile(batch, ports);
  await note();
  report.resentFiles += 1;
};

const sweepSplits = async (
  batch: BatchRecord,
  due: readonly DueSplit[],
  signs: QueueSigns,
  report: Counts,
  ports: SweepPorts,
): Promise<void> => {
  const quiet = due.filter(({ sentAt, anew }) => anew || !standsStill(signs, sentAt));
  if (quiet.length === 0) return;
  const notes = new Map(quiet.map(({ index, note }) => [index, note]));
  for await (const { index, resent, lost } of resendSplits(batch, quiet, ports)) {
    await notes.get(index)?.();
    report.resentSamples += resent;
    report.lostSamples += lost;
  }
};

/** For a batch whose last verdict is in but which was never closed. */
const checkAgain = async (batch: BatchRecord, decidedAt: number, ports: SweepPorts): Promise<void> => {
  const { due, note } = await dueOf(batch, resentThings.check, decidedAt, ports.clock(), ports);
  if (due === "wait") return;
  await ports.settle.send([checkMessageOf(batch)]);
  await note();
};
