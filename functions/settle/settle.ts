/** SETTLE: the ledger's only writer. Marks who is accounted for, opens review tasks, closes batches. */
import { applyEntries, type LedgerEntry, outcomeAt } from "@touchstone/core/domain/ledger/split";
import { lostTo } from "@touchstone/core/domain/results/coverage";
import { hintOf, reviewIdOf } from "@touchstone/core/domain/review/answer-review";
import { permanent, transient } from "@touchstone/core/errors";
import type {
  BlobStore,
  Clock,
  Ledger,
  MessageSender,
  ReviewStore,
  SampleStore,
} from "@touchstone/core/ports";
import type { LearnMessage } from "@touchstone/core/schema/learn";
import type { LedgerEvent, SplitRecord } from "@touchstone/core/schema/ledger";
import type { CheckMessage, OutcomeMessage, VerdictMessage } from "@touchstone/core/schema/messages";
import type { ReviewHint, ReviewTask } from "@touchstone/core/schema/review";
import { inParallel } from "../_batch/in-parallel.ts";
import { finishBatch, finishSplit, reviseBatch } from "./finish.ts";

export interface SettlePorts {
  readonly ledger: Ledger;
  readonly samples: SampleStore;
  readonly reviews: ReviewStore;
  readonly hints: MessageSender<ReviewHint>;
  readonly learn: MessageSender<LearnMessage>;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly resultsBucket: string;
  /** Telemetry, told after the ledger has it: a crash may lose a point, never repeat one. */
  readonly count: (event: LedgerEvent, task: string, coverage?: OutcomeMessage["coverage"]) => void;
}

export type SampleMessage = OutcomeMessage | VerdictMessage;
const rounds = 8;
const writesAtOnce = 64;

/** Settles messages of one split; all of them succeed or all come again. */
export const settleSplit = async (messages: readonly SampleMessage[], ports: SettlePorts): Promise<void> => {
  const key = messages[0]?.key;
  if (!key) return;
  const seen = new Set<SampleMessage>();
  const standing = new Set<SampleMessage>();
  for (let round = 0; round < rounds; round += 1) {
    const split = await ports.ledger.split(key.batch, key.run, key.split);
    if (!split)
      throw permanent("bad-message", `there is no split ${key.split} of ${key.batch}, run ${key.run}`);
    const fresh = messages.filter((message) => !seen.has(message) && isNew(message, split));
    for (const message of fresh) seen.add(message);
    for (const message of await prepare(fresh, ports)) standing.add(message);
    const { split: next, applied } = applyEntries(split, [...standing].flatMap(entryOf));
    if (applied.length > 0 && !(await ports.ledger.writeSplit(next))) continue;
    const unrouted = new Set(messages.filter(isUnrouted).map((message) => message.key.ordinal));
    const coverage = new Map(
      [...standing].flatMap((message) =>
        message.kind === "outcome" ? [[message.key.ordinal, coverageOf(message)] as const] : [],
      ),
    );
    for (const { ordinal, task, event } of applied)
      ports.count(
        event,
        unrouted.has(ordinal) ? "" : task,
        isOutcome(event) ? coverage.get(ordinal) : undefined,
      );
    // Also of what the ledger knew already: whoever wrote it may have died before LEARN heard of it.
    const verdicts = [...standing].filter((message) => message.kind === "verdict");
    if (verdicts.length > 0) await ports.learn.send(verdicts);
    await finishSplit(next, verdicts.length > 0, ports);
    // Last, so that SWEEP says a verdict again whatever was left undone here.
    await inParallel(verdicts, writesAtOnce, ({ key: of, review }) =>
      ports.reviews.markHeard(reviewIdOf(of, review)),
    );
    return;
  }
  throw transient("conflict", "the split was written by others at every try");
};

/** A check, or whatever else may have been the last thing a batch waited for. */
export const settleCheck = async (message: CheckMessage, ports: SettlePorts): Promise<void> => {
  const batch = await ports.ledger.batch(message.batch, message.run);
  if (!batch) throw permanent("bad-message", `there is no batch ${message.batch}, run ${message.run}`);
  for (let index = 0; index < (batch.sealed?.splits ?? 0); index += 1) {
    if (batch.finalSplits.has(index)) continue;
    const split = await ports.ledger.split(message.batch, message.run, index);
    if (split) await finishSplit(split, false, ports);
  }
  await finishBatch(message.batch, message.run, ports);
  await reviseBatch(batch, ports);
};

const isNew = (message: SampleMessage, split: SplitRecord): boolean =>
  message.kind === "verdict" || outcomeAt(split, message.key.ordinal) === null;

/**
 * What must stand before the ledger says that a sample is accounted for; each step may be repeated. A message whose
 * record lost to another result is left out, or the ledger would contradict the result: the hop that stored the other
 * one sends its own.
 */
const prepare = async (
  messages: readonly SampleMessage[],
  ports: SettlePorts,
): Promise<readonly SampleMessage[]> => {
  const opened: ReviewTask[] = [];
  const standing = await inParallel(messages, writesAtOnce, async (message): Promise<SampleMessage[]> => {
    if (message.kind === "verdict") {
      await ports.samples.setVerdict(message.key, message.verdict);
      return [message];
    }
    if (message.record) {
      const stored = await ports.samples.record(message.key, message.record);
      if (stored.decision !== message.outcome) return [];
    }
    const task = reviewTaskOf(message);
    if (task) {
      await ports.reviews.open(task);
      opened.push(task);
    }
    return [message];
  });
  if (opened.length > 0) await ports.hints.send(opened.map(hintOf));
  return standing.flat();
};

const reviewTaskOf = (message: OutcomeMessage): ReviewTask | null => {
  const { review, key, sampleId, task, decidedAt } = message;
  if (!review) return null;
  return {
    schema: 1,
    id: reviewIdOf(key, review.kind),
    key,
    sampleId,
    task,
    ...review,
    state: "open",
    createdAt: decidedAt,
    dueAt: decidedAt + Math.round(review.slaHours * 3_600_000),
  };
};

const coverageOf = ({ record, coverage }: OutcomeMessage): OutcomeMessage["coverage"] =>
  record ? { certified: record.certified, lost: lostTo(record) } : coverage;

const isOutcome = (event: LedgerEvent): boolean => event !== "reviewed" && event !== "audited";

/** The task that such a sample asked for may not exist, and each name that telemetry hears is paid for every month. */
const isUnrouted = (message: SampleMessage): boolean =>
  message.kind === "outcome" && message.review?.template === null;

/** An adjudication is a second look at an audit, which the ledger has counted. */
const entryOf = (message: SampleMessage): readonly LedgerEntry[] => {
  const { task, key } = message;
  const { ordinal } = key;
  if (message.kind === "outcome") {
    // Whoever judged a sample has stored its result; the others send theirs along.
    const moved = message.record === null;
    return [{ ordinal, task, event: message.outcome, at: message.decidedAt, moved }];
  }
  const { review, verdict } = message;
  switch (review) {
    case "review":
      return [{ ordinal, task, event: "reviewed", at: verdict.at }];
    case "audit":
      return [{ ordinal, task, event: "audited", at: verdict.at }];
    case "adjudicate":
      return [];
    default:
      return review satisfies never;
  }
};
