/** Joins several taps into one, and reads from a signed request who is calling. Used by every embedded service. */
import type { ServiceCall, ServiceReply, Tap } from "./tap.ts";

export type JoinedTap = Required<Tap>;

/** All taps in order; a refusal by one keeps the later ones from seeing the call. */
export function joinTaps(taps: readonly Tap[]): JoinedTap {
  return {
    before: async (call: ServiceCall) => {
      for (const tap of taps) {
        // Awaiting a hook that returned nothing would cost every call a turn of the event loop.
        const pending = tap.before?.(call);
        if (pending !== undefined) await pending;
      }
    },
    after: async (call: ServiceCall, reply: ServiceReply) => {
      for (const tap of taps) {
        const pending = tap.after?.(call, reply);
        if (pending !== undefined) await pending;
      }
    },
  };
}

/** Access key id in a SigV4 `Authorization` header; `anonymous` when there is none. */
export function callerOf(authorization: string | undefined): string {
  return authorization?.match(/Credential=([^/,\s]+)\//)?.[1] ?? "anonymous";
}

/** The message of whatever a hook threw. */
export function refusalMessage(refusal: unknown): string {
  return refusal instanceof Error ? refusal.message : String(refusal);
}
