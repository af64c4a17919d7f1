/** When a model call is given up: after its own time-out, and in any case before the function is stopped. */
import type { Clock } from "@touchstone/core/ports";

/** Aborts the call, and with it the connection, so that the endpoint works for nobody who has stopped listening. */
export const callSignal = (timeoutMs: number, deadline: number, clock: Clock): AbortSignal =>
  AbortSignal.timeout(Math.max(0, Math.min(timeoutMs, deadline - clock())));
