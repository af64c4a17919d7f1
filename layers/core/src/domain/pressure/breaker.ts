/**
 * The circuit breaker that all workers of an endpoint share: closed, open, and half-open once it is time for a probe.
 * Every change is a new version of the record; the same object back means that there is nothing to write.
 */
import type { Breaker, EndpointName } from "../../schema/pressure.ts";

export interface BreakerPolicy {
  /** Samples whose calls must have failed, without an answer to anybody between them, for the breaker to open. */
  readonly witnesses: number;
  /** Seconds that the failures must span: refusals of one burst are one event. */
  readonly span: number;
  /** Seconds before the first probe, and the limit to which they double. */
  readonly first: number;
  readonly most: number;
  /** Seconds after which a probe counts as given up. */
  readonly probe: number;
}

export type BreakerPhase =
  | { readonly kind: "closed" }
  /** Calls are pointless until then (epoch milliseconds). */
  | { readonly kind: "open"; readonly until: number }
  /** Somebody's probe is under way. */
  | { readonly kind: "probing"; readonly until: number }
  /** One call may be tried, by whoever writes it down first. */
  | { readonly kind: "half-open" };

/** The breaker of an endpoint that nobody has complained about. */
export const newBreaker = (endpoint: EndpointName): Breaker => ({
  endpoint,
  version: 0,
  state: "closed",
  failing: [],
  failingSince: null,
  reason: null,
  openedAt: null,
  probeAt: null,
  delaySeconds: 0,
  probe: null,
  closedAt: null,
});

/** What the breaker allows at a moment. */
export const breakerPhase = (breaker: Breaker, now: number): BreakerPhase => {
  if (breaker.state === "closed") return { kind: "closed" };
  if (breaker.probe && breaker.probe.until > now) return { kind: "probing", until: breaker.probe.until };
  const until = breaker.probeAt ?? 0;
  return until > now ? { kind: "open", until } : { kind: "half-open" };
};

const changed = (breaker: Breaker, part: Partial<Breaker>): Breaker => ({
  ...breaker,
  ...part,
  version: breaker.version + 1,
});

/** A call has failed. Only a closed breaker listens: the others wait for their probe. */
export const withFailure = (
  breaker: Breaker,
  failure: { readonly who: string; readonly reason: string; readonly at: number },
  policy: BreakerPolicy,
): Breaker => {
  if (breaker.state !== "closed") return breaker;
  const { who, reason, at } = failure;
  const since = breaker.failingSince ?? at;
  const isNew = breaker.failing.length < policy.witnesses && !breaker.failing.includes(who);
  const failing = isNew ? [...breaker.failing, who] : breaker.failing;
  if (failing.length >= policy.witnesses && at - since >= policy.span * 1000) {
    return changed(breaker, {
      state: "open",
      failing: [],
      failingSince: since,
      reason,
      openedAt: at,
      probeAt: at + policy.first * 1000,
      delaySeconds: policy.first,
      probe: null,
    });
  }
  return isNew ? changed(breaker, { failing, failingSince: since, reason }) : breaker;
};

/** A call was answered: whatever had failed before, it was not the endpoint. */
export const withAnswer = (breaker: Breaker): Breaker =>
  breaker.state === "closed" && breaker.failing.length > 0
    ? changed(breaker, { failing: [], failingSince: null, reason: null })
    : breaker;

/** The probe is ours, if this can be written. */
export const withProbe = (breaker: Breaker, token: string, now: number, policy: BreakerPolicy): Breaker =>
  breakerPhase(breaker, now).kind === "half-open"
    ? changed(breaker, { probe: { token, until: now + policy.probe * 1000 } })
    : breaker;

const isProbeOf = (breaker: Breaker, token: string): boolean =>
  breaker.state === "open" && breaker.probe?.token === token;

/** The probe was answered: closed again. A probe that somebody else has taken over by now changes nothing. */
export const withProbeAnswered = (breaker: Breaker, token: string, now: number): Breaker =>
  isProbeOf(breaker, token)
    ? changed(breaker, {
        state: "closed",
        failing: [],
        failingSince: null,
        reason: null,
        openedAt: null,
        probeAt: null,
        delaySeconds: 0,
        probe: null,
        closedAt: now,
      })
    : breaker;

/** The probe failed: the next one comes after twice the time, or after what the endpoint asked for, within the limit. */
export const withProbeFailed = (
  breaker: Breaker,
  token: string,
  failure: { readonly reason: string; readonly asked: number | null; readonly at: number },
  policy: BreakerPolicy,
): Breaker => {
  if (!isProbeOf(breaker, token)) return breaker;
  const delaySeconds = Math.min(policy.most, Math.max(breaker.delaySeconds * 2, failure.asked ?? 0));
  return changed(breaker, {
    reason: failure.reason,
    delaySeconds,
    probeAt: failure.at + delaySeconds * 1000,
    probe: null,
  });
};

/** The probe was never made: the next worker may take it at once. */
export const withProbeDropped = (breaker: Breaker, token: string): Breaker =>
  isProbeOf(breaker, token) ? changed(breaker, { probe: null }) : breaker;

/**
 * Until when messages may be on their way that were put off because of this breaker; 0 if it never opened. A message
 * stays away for `longestDelay` seconds at most, so an open breaker that nobody has probed for that long holds nobody.
 */
export const heldUntil = (breaker: Breaker, longestDelay: number): number => {
  const last = Math.max(breaker.probeAt ?? 0, breaker.probe?.until ?? 0, breaker.closedAt ?? 0);
  return last === 0 ? 0 : last + longestDelay * 1000;
};
