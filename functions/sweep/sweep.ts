/** SWEEP: finds what went quiet and sends it again; declares a sample lost only after that has failed five times. */
import { resendDue, resentThings } from "@touchstone/core/domain/ledger/resend";
import { dueUnderBudget } from "@touchstone/core/domain/pressure/budget";
import type { MessageSender, ReviewStore } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { ReviewHint } from "@touchstone/core/schema/review";
import { type AnnouncePorts, announceFiles } from "./announce-files.ts";
import { type PressurePorts, putOffUntil } from "./pressure.ts";
import { repeatHints } from "./repeat-hints.ts";
import { resendFile, sealUnread } from "./resend-file.ts";
import { type QuietSplit, type ResendPorts, resendSplits } from "./resend-splits.ts";
import { resendVerdicts } from "./resend-verdicts.ts";

export interface SweepPorts extends ResendPorts, AnnouncePorts, PressurePorts {
  readonly reviews: ReviewStore;
  readonly hints: MessageSender<ReviewHint>;
  /** `what` could not be swept: the id of a batch, or the inbox. */
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
  for await (const batch of ports.ledger.openBatches()) {
    report.batches += 1;
    try {
      await sweepBatch(batch, report, ports);
    } catch (error) {
      // One batch that cannot be swept must not hide the others.
      ports.complain(batch.batch, error);
    }
  }
  try {
    report.announcedFiles = await announceFiles(ports);
  } catch (error) {
    ports.complain("inbox", error);
  }
  report.hints = await repeatHints(ports);
  return report;
};

const sweepBatch = (batch: BatchRecord, report: Counts, ports: SweepPorts): Promise<void> => {
  if (batch.sealed === undefined) return sweepFile(batch, report, ports);
  const quiet = Array.from({ length: batch.sealed.splits }, (_, index) => index).filter(
    (index) => !batch.doneSplits.has(index),
  );
  if (quiet.length > 0) return sweepSplits(batch, batch.sealed.at, quiet, report, ports);
  return batch.decidedAt === undefined
    ? ports.settle.send([{ kind: "check", schema: 1, batch: batch.batch, run: batch.run }])
    : sweepVerdicts(batch, batch.decidedAt, report, ports);
};

const sweepFile = async (batch: BatchRecord, report: Counts, ports: SweepPorts): Promise<void> => {
  const now = ports.clock();
  const { due, note } = await dueOf(batch, resentThings.wholeFile, batch.openedAt, now, ports);
  if (due === "wait") return;
  if (due === "lost") return sealUnread(batch, now, ports);
  await resendFile(batch, ports);
  await note();
  report.resentFiles += 1;
};

const sweepSplits = async (
  batch: BatchRecord,
  sealedAt: number,
  indices: readonly number[],
  report: Counts,
  ports: SweepPorts,
): Promise<void> => {
  const now = ports.clock();
  const since = Math.max(sealedAt, await putOffUntil(ports));
  const budgets = await ports.budgets.read(batch.batch, batch.run);
  const quiet: QuietSplit[] = [];
  const notes = new Map<number, () => Promise<void>>();
  for (const index of indices) {
    const own = await dueOf(batch, index, since, now, ports);
    const { due, anew } = dueUnderBudget(own.due, own.lastAt, budgets);
    if (due === "wait" || (now < since && !anew)) continue;
    quiet.push({ index, how: due });
    notes.set(index, () => own.note(anew));
  }
  if (quiet.length === 0) return;
  for await (const { index, resent, lost } of resendSplits(batch, quiet, ports)) {
    await notes.get(index)?.();
    report.resentSamples += resent;
    report.lostSamples += lost;
  }
};

/** Never given up: a verdict that is stored stays stored, and people may take weeks. */
const sweepVerdicts = async (
  batch: BatchRecord,
  decidedAt: number,
  report: Counts,
  ports: SweepPorts,
): Promise<void> => {
  const { due, note } = await dueOf(batch, resentThings.verdicts, decidedAt, ports.clock(), ports);
  if (due === "wait") return;
  report.resentVerdicts += await resendVerdicts(batch, ports);
  await note();
};

interface DueThing {
  readonly due: ReturnType<typeof resendDue>;
  readonly lastAt: number;
  /** `anew`: as the first of its re-sends. */
  readonly note: (anew?: boolean) => Promise<void>;
}

/** Whether a thing is to be sent again, and how to note that it was. */
const dueOf = async (
  batch: BatchRecord,
  thing: number,
  since: number,
  now: number,
  { ledger, timing }: SweepPorts,
): Promise<DueThing> => {
  const resends = await ledger.resends(batch.batch, batch.run, thing);
  return {
    lastAt: resends.lastAt,
    due: resendDue({ ...resends, since, now, quietAfter: timing.sweep.quietAfter }),
    note: (anew = false) =>
      ledger.noteResend(batch.batch, batch.run, thing, anew ? 1 : resends.count + 1, now),
  };
};
