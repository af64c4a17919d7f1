/** When a model call is given up: after its own time-out, and in any case before the function is stopped. */
import type { Clock } from "@touchstone/core/ports";

/** Aborts the call, and with it the connection, so that the endpoint works for nobody who has stopped listening. */
export const callSignal = (timeoutMs: number, deadline: number, clock: Clock): AbortSignal =>
  // A timer takes whole milliseconds only, and a deadline is a share of some time-out.
  AbortSignal.timeout(Math.floor(Math.max(0, Math.min(timeoutMs, deadline - clock()))));
