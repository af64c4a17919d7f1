/** Counts every service call and every invocation, per caller: the raw numbers of a cost report and of many tests. */
import type { Invocation } from "./lambda/function-pool.ts";
import type { ServiceCall, ServiceName, ServiceReply, Tap } from "./tap.ts";

export interface CallCount {
  readonly caller: string;
  readonly service: ServiceName;
  readonly operation: string;
  readonly calls: number;
  /** Calls that were answered with an error status. */
  readonly errors: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export interface InvocationCount {
  readonly functionId: string;
  readonly invocations: number;
  readonly failures: number;
  readonly coldStarts: number;
  /** Duration and cold starts, each invocation rounded up to whole milliseconds, as Lambda bills. */
  readonly billedMs: number;
}

export interface Recorder {
  calls(): CallCount[];
  invocations(): InvocationCount[];
  reset(): void;
}

export type RecordingTap = Recorder & Tap & { recordInvocation(invocation: Invocation): void };

export function createRecorder(): RecordingTap {
  const calls = new Map<string, CallCount>();
  const invocations = new Map<string, InvocationCount>();
  return {
    after(call: ServiceCall, reply: ServiceReply) {
      const { caller, service, operation } = call;
      const key = `${caller} ${service} ${operation}`;
      const seen = calls.get(key);
      calls.set(key, {
        caller,
        service,
        operation,
        calls: (seen?.calls ?? 0) + 1,
        errors: (seen?.errors ?? 0) + (reply.status >= 400 ? 1 : 0),
        requestBytes: (seen?.requestBytes ?? 0) + call.requestBytes,
        responseBytes: (seen?.responseBytes ?? 0) + reply.responseBytes,
      });
    },
    recordInvocation({ functionId, durationMs, initMs, outcome }) {
      const seen = invocations.get(functionId);
      invocations.set(functionId, {
        functionId,
        invocations: (seen?.invocations ?? 0) + 1,
        failures: (seen?.failures ?? 0) + (outcome === "failure" ? 1 : 0),
        coldStarts: (seen?.coldStarts ?? 0) + (initMs > 0 ? 1 : 0),
        billedMs: (seen?.billedMs ?? 0) + Math.ceil(durationMs + initMs),
      });
    },
    calls: () => [...calls.values()],
    invocations: () => [...invocations.values()],
    reset() {
      calls.clear();
      invocations.clear();
    },
  };
}
