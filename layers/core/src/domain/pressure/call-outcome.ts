/** What the end of a model call says: about the endpoint, and about the sample it was made for. */
import { errorCode } from "../../errors.ts";

/**
 * `answered`: the endpoint works, also where it refused what was asked. `busy`: it asks for less. `unusable`: it lets
 * nobody in. `failed`: it or the sample is at fault. `unsaid`: nothing was learnt, since the error came from elsewhere.
 */
export const callOutcomes = ["answered", "busy", "unusable", "failed", "unsaid"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** The outcome of a call that ended with this error; errors without a code of ours say nothing about the endpoint. */
export const callOutcomeOf = (error: unknown): CallOutcome => {
  const code = errorCode(error);
  switch (code) {
    case "refused":
    case "context-too-long":
      return "answered";
    case "throttled":
      return "busy";
    case "unusable":
      return "unusable";
    case "timed-out":
    case "unavailable":
    case "bad-answer":
      return "failed";
    case "bad-message":
    case "bad-file":
    case "bad-template":
    case "no-template":
    case "object-missing":
    case "object-too-large":
    case "payload-too-large":
    case "conflict":
    case "send-incomplete":
    case "held":
    case null:
      return "unsaid";
    default:
      return code satisfies never;
  }
};

/** Whether the error is one to wait out: it is not the sample's fault, so it costs the sample no attempt. */
export const isWaiting = (error: unknown): boolean => {
  const code = errorCode(error);
  return code === "throttled" || code === "unusable" || code === "held";
};
