/** Finds verdicts that REVIEW stored and SETTLE never heard of: REVIEW may die between the two, and nobody asks again. */
import { isReviewed, isSplitFinal, outcomeAt } from "@touchstone/core/domain/ledger/split";
import { reviewIdOf, verdictMessageOf } from "@touchstone/core/domain/review/answer-review";
import type { Ledger, MessageSender, ReviewStore } from "@touchstone/core/ports";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import type { SettleEntry, VerdictMessage } from "@touchstone/core/schema/messages";

export interface VerdictPorts {
  readonly ledger: Ledger;
  readonly reviews: ReviewStore;
  readonly settle: MessageSender<SettleEntry>;
}

/** Sends the verdicts again, then a check: for a batch whose last verdict is in but which was never closed. */
export const resendVerdicts = async (batch: BatchRecord, ports: VerdictPorts): Promise<number> => {
  let sent = 0;
  for (let index = 0; index < (batch.sealed?.splits ?? 0); index += 1) {
    if (batch.finalSplits.has(index)) continue;
    const split = await ports.ledger.split(batch.batch, batch.run, index);
    if (!split || isSplitFinal(split)) continue;
    const verdicts = await unheardVerdicts(split, ports);
    if (verdicts.length > 0) await ports.settle.send(verdicts);
    sent += verdicts.length;
  }
  await ports.settle.send([{ kind: "check", schema: 1, batch: batch.batch, run: batch.run }]);
  return sent;
};

/** One look-up for each review that the ledger still waits for. */
const unheardVerdicts = async (split: SplitRecord, ports: VerdictPorts): Promise<VerdictMessage[]> => {
  const verdicts: VerdictMessage[] = [];
  for (let ordinal = 0; ordinal < split.samples; ordinal += 1) {
    if (outcomeAt(split, ordinal) !== "review" || isReviewed(split, ordinal)) continue;
    const key = { batch: split.batch, run: split.run, split: split.split, ordinal };
    const task = await ports.reviews.get(reviewIdOf(key, "review"));
    if (task?.verdict) verdicts.push(verdictMessageOf(task, task.verdict));
  }
  return verdicts;
};
