/** The way to a model's endpoint: past the breaker that all workers share, into one of this instance's places. */
import {
  type AdaptiveLimit,
  afterAnswer,
  afterThrottle,
  freshLimit,
  hasRoom,
  restartedLimit,
} from "@touchstone/core/domain/pressure/adaptive-limit";
import type { BreakerPolicy } from "@touchstone/core/domain/pressure/breaker";
import { callOutcomeOf } from "@touchstone/core/domain/pressure/call-outcome";
import { errorCode, retryAfterSeconds, transient } from "@touchstone/core/errors";
import type { EndpointName } from "@touchstone/core/schema/pressure";
import { breakerWatch, type ProbeOutcome, type WatchPorts } from "./breaker-watch.ts";

export interface GateOptions {
  readonly endpoint: EndpointName;
  readonly policy: BreakerPolicy;
  /** Calls in flight at most, before any pressure. */
  readonly most: number;
  /** Told where the breaker could not be written; the call itself goes on. */
  readonly complain: (error: unknown) => void;
}

/** Held back: `seconds` until coming again makes sense, null where nobody knows. */
export interface Held {
  readonly kind: "held";
  readonly seconds: number | null;
  readonly message: string;
}

export interface Pass {
  /** Makes one call, and tells everybody how it ended. An error that is the endpoint's is thrown as `held`. */
  call<Answer>(make: () => Promise<Answer>): Promise<Answer>;
  /** Gives the place free; must happen however the work ends, and never fails. */
  leave(): Promise<void>;
}

export type Admission = Held | { readonly kind: "admitted"; readonly pass: Pass };

export interface EndpointGate {
  readonly endpoint: EndpointName;
  /** Waits for a place until `latest` (epoch milliseconds); `who` is the sample or picture that the calls are for. */
  admit(who: string, latest: number): Promise<Admission>;
  /** Whether calls are pointless now; takes no place. */
  look(): Promise<Held | null>;
}

/** One per endpoint and function instance: it outlives the invocation. */
export const endpointGate = (options: GateOptions, ports: WatchPorts): EndpointGate => {
  const { endpoint, policy, most, complain } = options;
  const { clock } = ports;
  const watch = breakerWatch(endpoint, policy, ports);
  let limit: AdaptiveLimit = freshLimit(most);
  let wasOpen = false;
  let inFlight = 0;
  let waiting: (() => void)[] = [];

  const held = (until: number | null, message: string): Held => ({
    kind: "held",
    seconds: until === null ? null : Math.max(0, Math.ceil((until - clock()) / 1000)),
    message: `${endpoint}: ${message}`,
  });
  const nextLeaving = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const told = async (report: Promise<unknown>): Promise<void> => {
    await report.catch(complain);
  };

  const enter = (who: string, token: string | null): Admission => {
    inFlight += 1;
    let probe = token;
    const endProbe = async (outcome: ProbeOutcome): Promise<void> => {
      const ours = probe;
      probe = null;
      if (ours !== null) await told(watch.probeEnded(ours, outcome));
    };
    const answered = async (): Promise<void> => {
      limit = afterAnswer(limit, most);
      await (probe === null ? told(watch.answered()) : endProbe("answered"));
    };
    /** Whether the endpoint is to blame. */
    const failed = async (error: unknown): Promise<boolean> => {
      const reason = errorCode(error) ?? "";
      if (probe !== null) {
        await endProbe({ reason, asked: retryAfterSeconds(error) });
        return true;
      }
      return watch.failed(who, reason).catch((fault: unknown) => {
        complain(fault);
        return false;
      });
    };
    const learn = async (error: unknown): Promise<unknown> => {
      const outcome = callOutcomeOf(error);
      switch (outcome) {
        case "answered":
          await answered();
          return error;
        case "busy":
          limit = afterThrottle(limit, inFlight, clock(), retryAfterSeconds(error));
          await failed(error);
          return error;
        case "unusable":
          await failed(error);
          return error;
        case "failed": {
          const message = `${endpoint} is out of order for everybody`;
          return (await failed(error)) ? transient("held", message, { cause: error }) : error;
        }
        case "unsaid":
          return error;
        default:
          return outcome satisfies never;
      }
    };
    return {
      kind: "admitted",
      pass: {
        async call(make) {
          try {
            const answer = await make();
            await answered();
            return answer;
          } catch (error) {
            throw await learn(error);
          }
        },
        async leave() {
          await endProbe("dropped");
          inFlight -= 1;
          const woken = waiting;
          waiting = [];
          for (const wake of woken) wake();
        },
      },
    };
  };

  const look = async (): Promise<Held | "probe" | null> => {
    const phase = await watch.phase();
    switch (phase.kind) {
      case "open":
      case "probing":
        wasOpen = true;
        return held(phase.until, "left alone until it has been tried again");
      case "half-open":
        wasOpen = true;
        return "probe";
      case "closed":
        if (wasOpen) limit = restartedLimit(limit);
        wasOpen = false;
        return limit.quietUntil > clock() ? held(limit.quietUntil, "asked to be left alone") : null;
      default:
        return phase satisfies never;
    }
  };

  return {
    endpoint,
    async look() {
      const found = await look();
      return found === "probe" ? null : found;
    },
    async admit(who, latest) {
      for (;;) {
        const found = await look();
        if (clock() > latest) return held(null, "no time left to wait for an answer");
        if (found === "probe") {
          const token = await watch.takeProbe();
          return token === null ? held(null, "somebody else is trying it") : enter(who, token);
        }
        if (found !== null) return found;
        if (hasRoom(limit, inFlight)) return enter(who, null);
        await nextLeaving();
      }
    },
  };
};

/** Makes one call through a gate; throws `held` where there is no way. */
export const throughGate = async <Answer>(
  gate: EndpointGate,
  who: string,
  latest: number,
  make: () => Promise<Answer>,
): Promise<Answer> => {
  const admission = await gate.admit(who, latest);
  if (admission.kind === "held") throw heldError(admission);
  try {
    return await admission.pass.call(make);
  } finally {
    await admission.pass.leave();
  }
};

const heldError = ({ message, seconds }: Held) =>
  transient("held", message, seconds === null ? {} : { retryAfterSeconds: seconds });
