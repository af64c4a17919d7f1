/** Ends what an alarm ends: a certificate, or a task's part in it; and tells telemetry once. */
import { withAlarm } from "@touchstone/core/domain/trust/family-trust";
import type { TrustStore } from "@touchstone/core/ports";
import type { VoidReason } from "@touchstone/core/schema/certificate";
import type { Watch } from "@touchstone/core/schema/watch";

export interface VoidPorts {
  readonly trust: TrustStore;
  /** Telemetry, told after the record has it. */
  readonly countVoid: (family: string, certificate: string, reason: VoidReason) => void;
}

/** After the watch is written, and again at every later event: a crash in between leaves no alarm without effect. */
export const voidIfAlarmed = async (
  watch: Watch | null,
  family: string,
  { trust, countVoid }: VoidPorts,
): Promise<void> => {
  if (!watch?.alarm) return;
  let isMade = false;
  await trust.changeFamily(family, (standing) => {
    const next = withAlarm(standing, watch);
    isMade = next !== standing;
    return next;
  });
  if (isMade) countVoid(family, watch.certificate, watch.alarm.kind);
};
