/** Says the hints of open review tasks again: SQS forgets a message after 14 days, the task itself does not. */
import { hintOf } from "@touchstone/core/domain/review/answer-review";
import { hintDue } from "@touchstone/core/domain/review/say-again";
import type { Clock, MessageSender, ReviewStore } from "@touchstone/core/ports";
import type { ReviewHint } from "@touchstone/core/schema/review";
import type { Timing } from "@touchstone/core/timing";

export interface HintPorts {
  readonly reviews: ReviewStore;
  readonly hints: MessageSender<ReviewHint>;
  readonly clock: Clock;
  readonly timing: Timing;
}

const hintPage = 100;

export const repeatHints = async (ports: HintPorts): Promise<number> => {
  const now = ports.clock();
  const { reviewHintAfter, period } = ports.timing.sweep;
  let hints: ReviewHint[] = [];
  let sent = 0;
  for await (const task of ports.reviews.undecided()) {
    if (now - task.createdAt < reviewHintAfter * 1000) break;
    if (!hintDue(now - task.createdAt, reviewHintAfter, period)) continue;
    hints.push(hintOf(task));
    if (hints.length < hintPage) continue;
    await ports.hints.send(hints);
    sent += hints.length;
    hints = [];
  }
  if (hints.length > 0) await ports.hints.send(hints);
  return sent + hints.length;
};
