/** Whether a thing that SWEEP watches is due, by the clock of its own re-sends. */
import { resendDue } from "@touchstone/core/domain/ledger/resend";
import type { Ledger } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Timing } from "@touchstone/core/timing";

export interface DueThing {
  readonly due: ReturnType<typeof resendDue>;
  readonly lastAt: number;
  /** `anew`: as the first of its re-sends. */
  readonly note: (anew?: boolean) => Promise<void>;
}

/** Whether a thing is to be sent again, and how to note that it was. */
export const dueOf = async (
  batch: BatchRecord,
  thing: number,
  since: number,
  now: number,
  { ledger, timing }: { readonly ledger: Ledger; readonly timing: Timing },
): Promise<DueThing> => {
  const resends = await ledger.resends(batch.batch, batch.run, thing);
  return {
    lastAt: resends.lastAt,
    due: resendDue({ ...resends, since, now, quietAfter: timing.sweep.quietAfter }),
    note: (anew = false) =>
      ledger.noteResend(batch.batch, batch.run, thing, anew ? 1 : resends.count + 1, now),
  };
};
