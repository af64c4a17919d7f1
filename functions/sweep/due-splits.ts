/** Which splits of a sealed batch have gone quiet: neither they nor what lies before them in the queue moves. */
import { dueUnderBudget } from "@touchstone/core/domain/pressure/budget";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { dueOf } from "./due.ts";
import type { PressurePorts } from "./pressure.ts";
import type { QuietSplit, ResendPorts } from "./resend-splits.ts";

export interface DueSplit extends QuietSplit {
  /** When its messages were last sent, epoch milliseconds. */
  readonly sentAt: number;
  /** Its budget was raised: whatever the queues look like, its messages are not in them. */
  readonly anew: boolean;
  readonly note: () => Promise<void>;
}

/**
 * A queue hands out roughly in order. So a split waits its turn while an earlier one of its batch moves, and while a batch
 * before it does (`aheadAt`) as long as nothing of its own has begun, and while an endpoint puts messages off (`putOff`);
 * only then does its silence count. Times are epoch milliseconds.
 */
export const dueSplits = async (
  batch: BatchRecord,
  sealedAt: number,
  undone: readonly number[],
  aheadAt: number,
  putOff: number,
  ports: ResendPorts & PressurePorts,
): Promise<{ readonly due: readonly DueSplit[]; readonly settledAt: number }> => {
  const now = ports.clock();
  const budgets = await ports.budgets.read(batch.batch, batch.run);
  const due: DueSplit[] = [];
  let begun = batch.doneSplits.size > 0;
  let movedAt = begun ? 0 : aheadAt;
  let settledAt = 0;
  for (const index of undone) {
    const own = (await ports.ledger.split(batch.batch, batch.run, index))?.movedAt;
    if (own !== undefined && !begun) {
      begun = true;
      movedAt = 0;
    }
    settledAt = Math.max(settledAt, own ?? 0);
    movedAt = Math.max(movedAt, own ?? 0);
    // All that follows waits behind it. A budget is looked at split by split: it may have been raised.
    if (budgets.length === 0 && now - movedAt < ports.timing.sweep.quietAfter * 1000) break;
    const since = Math.max(sealedAt, putOff, movedAt);
    const thing = await dueOf(batch, index, since, now, ports);
    const { due: how, anew } = dueUnderBudget(thing.due, thing.lastAt, budgets);
    if (how === "wait" || (now < since && !anew)) continue;
    due.push({
      index,
      how,
      anew,
      sentAt: Math.max(thing.lastAt, sealedAt),
      note: () => thing.note(anew),
    });
  }
  return { due, settledAt };
};
