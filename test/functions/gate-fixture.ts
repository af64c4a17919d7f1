/** Function instances at one endpoint over a memory breaker, with a clock that tests move. */
import { permanent, transient } from "@touchstone/core/errors";
import type { EndpointName } from "@touchstone/core/schema/pressure";
import { breakerWitnesses, timing } from "@touchstone/core/timing";
import { type EndpointGate, endpointGate } from "../../functions/_pressure/endpoint-gate.ts";
import { memoryBreakerStore } from "../memory/memory-breaker-store.ts";

export const errors = {
  throttled: (seconds?: number) =>
    transient("throttled", "slow down", seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  unavailable: () => transient("unavailable", "500"),
  unusable: () => transient("unusable", "401"),
  refused: () => permanent("refused", "400"),
} as const;

export const gateWorld = (most = 25) => {
  const state = { now: 1_700_000_000_000, tokens: 0 };
  const store = memoryBreakerStore();
  const complaints: unknown[] = [];
  const instance = (endpoint: EndpointName = "judge"): EndpointGate =>
    endpointGate(
      {
        endpoint,
        policy: { ...timing().breaker, witnesses: breakerWitnesses },
        most,
        complain: (error) => void complaints.push(error),
      },
      {
        store,
        clock: () => state.now,
        token: () => {
          state.tokens += 1;
          return `token-${state.tokens}`;
        },
      },
    );
  const later = Number.POSITIVE_INFINITY;

  /** One call; answers `held` where the gate let nobody in, else what became of the call. */
  const call = async (
    gate: EndpointGate,
    who: string,
    make: () => Promise<unknown> = async () => "answer",
  ): Promise<string> => {
    const admission = await gate.admit(who, later);
    if (admission.kind === "held") return "held";
    try {
      return String(await admission.pass.call(make));
    } catch (error) {
      return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "thrown";
    } finally {
      await admission.pass.leave();
    }
  };
  const failing = (error: () => Error) => async (): Promise<never> => {
    throw error();
  };
  return {
    state,
    store,
    complaints,
    instance,
    call,
    failing,
    /** As many samples as it takes fail, far enough apart. */
    async open(gate: EndpointGate, error: () => Error = errors.throttled): Promise<void> {
      for (let witness = 0; witness <= breakerWitnesses; witness += 1) {
        await call(gate, `witness-${witness}`, failing(error));
        state.now += 1_000;
      }
    },
  };
};
