/** Errors of the pipeline: a closed set of codes, told apart by `kind`, never by class. */

/** `permanent`: acknowledge and record the outcome. `transient`: come back later. */
export const errorKinds = ["permanent", "transient"] as const;
export type ErrorKind = (typeof errorKinds)[number];

export const errorCodes = [
  "bad-message",
  "bad-file",
  "bad-template",
  "no-template",
  "object-missing",
  "object-too-large",
  "refused",
  "payload-too-large",
  /** More tokens than the model can read; less of the same may go through. */
  "context-too-long",
  "bad-answer",
  "throttled",
  "timed-out",
  /** This call failed; whether by the fault of the other side or of what was asked is not known. */
  "unavailable",
  /** No call can get through, whatever is asked: nothing runs there, or it does not let us in. */
  "unusable",
  /** Not called at all, or called in vain: the endpoint is being left alone, for all workers. */
  "held",
  "conflict",
  "send-incomplete",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export interface ErrorOptions {
  readonly cause?: unknown;
  /** How long the other side asked to be left alone. */
  readonly retryAfterSeconds?: number;
  /** Tokens that prompt and answer may have together, where the model said so. */
  readonly limitTokens?: number | undefined;
}

/** The one error class; its `kind` survives a second bundled copy of this file, `instanceof` would not. */
export class PipelineError extends Error {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly limitTokens: number | undefined;

  constructor(kind: ErrorKind, code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "PipelineError";
    this.kind = kind;
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.limitTokens = options.limitTokens;
  }
}

/** A fault of the input or the set-up: trying again cannot help. */
export const permanent = (code: ErrorCode, message: string, options?: ErrorOptions): PipelineError =>
  new PipelineError("permanent", code, message, options);

/** A fault of the moment: the same call may go through later. */
export const transient = (code: ErrorCode, message: string, options?: ErrorOptions): PipelineError =>
  new PipelineError("transient", code, message, options);

/** The kind of anything thrown; what is unknown is transient, since a retry loses nothing. */
export const errorKind = (error: unknown): ErrorKind =>
  typeof error === "object" && error !== null && "kind" in error && error.kind === "permanent"
    ? "permanent"
    : "transient";

/** The code of anything thrown, or null where it is not ours. */
export const errorCode = (error: unknown): ErrorCode | null => {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return errorCodes.find((code) => code === error.code) ?? null;
};

/** Seconds the other side asked to be left alone, or null. */
export const retryAfterSeconds = (error: unknown): number | null =>
  typeof error === "object" &&
  error !== null &&
  "retryAfterSeconds" in error &&
  typeof error.retryAfterSeconds === "number"
    ? error.retryAfterSeconds
    : null;

/** The most tokens that the model takes, or null where it did not say. */
export const limitTokens = (error: unknown): number | null =>
  typeof error === "object" &&
  error !== null &&
  "limitTokens" in error &&
  typeof error.limitTokens === "number"
    ? error.limitTokens
    : null;
