/** What SWEEP must know of pressure: a sample that waits for an endpoint or for its batch's budget did not go quiet. */
import { heldUntil } from "@touchstone/core/domain/pressure/breaker";
import type { BreakerStore, BudgetStore } from "@touchstone/core/ports";
import { endpointNames } from "@touchstone/core/schema/pressure";
import type { Timing } from "@touchstone/core/timing";

export interface PressurePorts {
  readonly breakers: BreakerStore;
  readonly budgets: BudgetStore;
  readonly timing: Timing;
}

/** Epoch milliseconds until which messages may be on their way that an endpoint has put off; 0 if there are none. */
export const putOffUntil = async ({ breakers, timing }: PressurePorts): Promise<number> => {
  const all = await Promise.all(endpointNames.map((endpoint) => breakers.read(endpoint)));
  return Math.max(...all.map((breaker) => heldUntil(breaker, timing.retryDelay.most)));
};
