/** Says verdicts again that REVIEW stored and the ledger never got: REVIEW may die between the two, and nobody asks again. */
import { verdictMessageOf } from "@touchstone/core/domain/review/answer-review";
import { verdictDue } from "@touchstone/core/domain/review/say-again";
import type { Clock, MessageSender, ReviewStore } from "@touchstone/core/ports";
import type { SettleEntry } from "@touchstone/core/schema/messages";
import type { Timing } from "@touchstone/core/timing";
import { inParallel } from "../_batch/in-parallel.ts";

export interface VerdictPorts {
  readonly reviews: ReviewStore;
  readonly settle: MessageSender<SettleEntry>;
  readonly clock: Clock;
  readonly timing: Timing;
}

const verdictPage = 100;
const readsAtOnce = 16;

/** Of every kind of task, also of audits of batches that were final long ago. Never given up: a stored verdict stays stored. */
export const resendVerdicts = async (ports: VerdictPorts): Promise<number> => {
  const now = ports.clock();
  const { quietAfter, period } = ports.timing.sweep;
  const due: string[] = [];
  for await (const { id, givenAt } of ports.reviews.unheard())
    if (verdictDue(now - givenAt, quietAfter, period)) due.push(id);
  let sent = 0;
  for (let start = 0; start < due.length; start += verdictPage) {
    const page = due.slice(start, start + verdictPage);
    const tasks = await inParallel(page, readsAtOnce, (id) => ports.reviews.get(id));
    const verdicts = tasks.flatMap((task) => (task?.verdict ? [verdictMessageOf(task, task.verdict)] : []));
    await ports.settle.send(verdicts);
    sent += verdicts.length;
  }
  return sent;
};
