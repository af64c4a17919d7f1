/** Counts every service call and every invocation, per caller: the raw numbers of a cost report and of many tests. */
import type { Invocation } from "./lambda/function-pool.ts";
import type { ServiceCall, ServiceName, ServiceReply, Tap } from "./tap.ts";

export interface CallCount {
  readonly caller: string;
  readonly service: ServiceName;
  readonly operation: string;
  /** Table, queue, bucket or endpoint. */
  readonly resource: string;
  readonly calls: number;
  /** Calls that were answered with an error status. */
  readonly errors: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Pieces of 64 KB, begun ones included, of whichever is larger, request or response: SQS bills each as a request. */
  readonly chunks: number;
  /** DynamoDB only: units read or written in the table itself. */
  readonly capacityUnits: number;
}

export interface InvocationCount {
  readonly functionId: string;
  readonly invocations: number;
  readonly failures: number;
  readonly coldStarts: number;
  /** Duration and cold starts, each invocation rounded up to whole milliseconds, as Lambda bills. */
  readonly billedMs: number;
}

/** What a function printed, metric lines included; CloudWatch Logs bills the bytes. */
export interface OutputCount {
  readonly functionId: string;
  readonly lines: number;
  readonly bytes: number;
}

export interface Recorder {
  calls(): CallCount[];
  invocations(): InvocationCount[];
  output(): OutputCount[];
  reset(): void;
}

export type RecordingTap = Recorder &
  Tap & {
    recordInvocation(invocation: Invocation): void;
    recordOutput(functionId: string, line: string): void;
  };

const chunkBytes = 64 * 1024;

export function createRecorder(): RecordingTap {
  const calls = new Map<string, CallCount>();
  const invocations = new Map<string, InvocationCount>();
  const output = new Map<string, OutputCount>();
  return {
    after(call: ServiceCall, reply: ServiceReply) {
      const { caller, service, operation } = call;
      // Of an object only the bucket, or every key would be a row of its own.
      const resource = service === "s3" ? (call.resource.split("/", 1)[0] ?? "") : call.resource;
      const key = `${caller} ${service} ${operation} ${resource}`;
      const seen = calls.get(key);
      calls.set(key, {
        caller,
        service,
        operation,
        resource,
        calls: (seen?.calls ?? 0) + 1,
        errors: (seen?.errors ?? 0) + (reply.status >= 400 ? 1 : 0),
        requestBytes: (seen?.requestBytes ?? 0) + call.requestBytes,
        responseBytes: (seen?.responseBytes ?? 0) + reply.responseBytes,
        chunks: (seen?.chunks ?? 0) + chunksOf(Math.max(call.requestBytes, reply.responseBytes)),
        capacityUnits: (seen?.capacityUnits ?? 0) + (reply.capacityUnits ?? 0),
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
    recordOutput(functionId, line) {
      const seen = output.get(functionId);
      output.set(functionId, {
        functionId,
        lines: (seen?.lines ?? 0) + 1,
        bytes: (seen?.bytes ?? 0) + Buffer.byteLength(line),
      });
    },
    calls: () => [...calls.values()],
    invocations: () => [...invocations.values()],
    output: () => [...output.values()],
    reset() {
      calls.clear();
      invocations.clear();
      output.clear();
    },
  };
}

const chunksOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / chunkBytes));
