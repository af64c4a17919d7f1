/** Says verdicts again that REVIEW stored and the ledger never got: REVIEW may die between the two, and nobody asks again. */
import { verdictMessageOf } from "@touchstone/core/domain/review/answer-review";
import { verdictDue } from "@touchstone/core/domain/review/say-again";
import type { Clock, MessageSender, ReviewStore } from "@touchstone/core/ports";
import type { SettleEntry, VerdictMessage } from "@touchstone/core/schema/messages";
import type { Timing } from "@touchstone/core/timing";

export interface VerdictPorts {
  readonly reviews: ReviewStore;
  readonly settle: MessageSender<SettleEntry>;
  readonly clock: Clock;
  readonly timing: Timing;
}

const verdictPage = 100;

/** Of every kind of task, also of audits of batches that were final long ago. Never given up: a stored verdict stays stored. */
export const resendVerdicts = async (ports: VerdictPorts): Promise<number> => {
  const now = ports.clock();
  const { quietAfter, period } = ports.timing.sweep;
  let verdicts: VerdictMessage[] = [];
  let sent = 0;
  const send = async (): Promise<void> => {
    if (verdicts.length > 0) await ports.settle.send(verdicts);
    sent += verdicts.length;
    verdicts = [];
  };
  for await (const task of ports.reviews.unheard()) {
    if (!task.verdict || !verdictDue(now - task.verdict.at, quietAfter, period)) continue;
    verdicts.push(verdictMessageOf(task, task.verdict));
    if (verdicts.length >= verdictPage) await send();
  }
  await send();
  return sent;
};
