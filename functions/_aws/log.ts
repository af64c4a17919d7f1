/** One structured logger per function; what a sample says never goes through it. */
import { Logger } from "@aws-lambda-powertools/logger";
import { errorCode, errorKind } from "@touchstone/core/errors";

export const createLogger = (): Logger => new Logger();

/** The loggable part of anything thrown: kind, code, what it says, and the cause's name. */
export const loggable = (error: unknown): Record<string, unknown> => ({
  kind: errorKind(error),
  code: errorCode(error),
  // "message" is what the logger calls the line itself; it would drop ours.
  problem: error instanceof Error ? error.message : "something that is not an Error was thrown",
  ...(error instanceof Error && error.cause instanceof Error ? { cause: error.cause.name } : {}),
});
