/** What one function instance knows of an endpoint's breaker: read rarely, written only when something changes. */
import {
  type BreakerPhase,
  type BreakerPolicy,
  breakerPhase,
  withAnswer,
  withFailure,
  withProbe,
  withProbeAnswered,
  withProbeDropped,
  withProbeFailed,
} from "@touchstone/core/domain/pressure/breaker";
import type { BreakerStore, Clock, TokenSource } from "@touchstone/core/ports";
import type { Breaker, EndpointName } from "@touchstone/core/schema/pressure";

export interface WatchPorts {
  readonly store: BreakerStore;
  readonly clock: Clock;
  readonly token: TokenSource;
}

export interface BreakerWatch {
  phase(): Promise<BreakerPhase>;
  /** A token if the probe is ours, else null. */
  takeProbe(): Promise<string | null>;
  answered(): Promise<void>;
  /** Resolves to whether the breaker is open now. */
  failed(who: string, reason: string): Promise<boolean>;
  probeEnded(token: string, outcome: ProbeOutcome): Promise<void>;
}

/** `asked`: seconds that the endpoint asked to be left alone. */
export type ProbeOutcome =
  | "answered"
  | "dropped"
  | { readonly reason: string; readonly asked: number | null };

/** An instance may go on calling for this long after another has opened the breaker. */
const freshMs = 2_000;
/** After an answer of its own, an instance does not believe for this long that the endpoint is down. */
const trustMs = 2_000;
/** Writers of one record at one moment are few: whoever loses so often has been overtaken by the facts. */
const tries = 4;

export const breakerWatch = (
  endpoint: EndpointName,
  policy: BreakerPolicy,
  { store, clock, token }: WatchPorts,
): BreakerWatch => {
  let known: { readonly breaker: Breaker; readonly at: number } | null = null;
  let reading: Promise<Breaker> | null = null;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<unknown> = Promise.resolve();

  const remember = (breaker: Breaker): Breaker => {
    known = { breaker, at: clock() };
    return breaker;
  };
  const current = (): Promise<Breaker> => {
    if (known && clock() - known.at < freshMs) return Promise.resolve(known.breaker);
    reading ??= store
      .read(endpoint)
      .then(remember)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const change = async (next: (breaker: Breaker) => Breaker): Promise<Breaker> => {
    for (let turn = 1; ; turn += 1) {
      const before = await current();
      const after = next(before);
      if (after === before || turn > tries) return before;
      if (await store.write(after)) return remember(after);
      known = null;
    }
  };
  /** One change after the other, so that what many calls report at once is written once. */
  const inTurn = (next: (breaker: Breaker) => Breaker): Promise<Breaker> => {
    const mine = writing.then(() => change(next));
    writing = mine.catch(() => undefined);
    return mine;
  };

  return {
    phase: async () => breakerPhase(await current(), clock()),
    async takeProbe() {
      const ours = token();
      const breaker = await inTurn((before) => withProbe(before, ours, clock(), policy));
      return breaker.probe?.token === ours ? ours : null;
    },
    async answered() {
      answeredAt = clock();
      if (known && withAnswer(known.breaker) !== known.breaker) await inTurn(withAnswer);
    },
    async failed(who, reason) {
      const at = clock();
      if (at - answeredAt < trustMs) return false;
      const { state } = await inTurn((before) => withFailure(before, { who, reason, at }, policy));
      return state === "open";
    },
    async probeEnded(ours, outcome) {
      const now = clock();
      await inTurn((before) => {
        switch (outcome) {
          case "answered":
            return withProbeAnswered(before, ours, now);
          case "dropped":
            return withProbeDropped(before, ours);
          default:
            return withProbeFailed(before, ours, { ...outcome, at: now }, policy);
        }
      });
    },
  };
};
