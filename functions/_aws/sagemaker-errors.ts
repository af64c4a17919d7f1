/** What an InvokeEndpoint failure means; used by the adapters over SageMaker. */
import { type PipelineError, permanent, transient } from "@touchstone/core/errors";
import { connectionFault } from "./connection-faults.ts";
import { contextLength } from "./context-length.ts";

/** SageMaker's limit for the body of a real-time call. */
export const maxInvokeBytes = 6 * 1024 * 1024;
/** Smallest body that was seen to be cut off by a reset instead of a proper refusal. */
const suspiciousBytes = 5 * 1024 * 1024;

const throttled: readonly string[] = [
  "ThrottlingException",
  "Throttling",
  "ThrottledException",
  "RequestThrottled",
  "RequestThrottledException",
  "TooManyRequestsException",
  "ServiceUnavailable",
  "ServiceUnavailableException",
  // Its container still comes up, or still loads the model.
  "ModelNotReadyException",
];
const timedOut: readonly string[] = ["TimeoutError", "AbortError", "RequestTimeout"];
const validation: readonly string[] = ["ValidationException", "ValidationError"];
/** Whoever calls may not, or is nobody. */
const forbidden: readonly string[] = [
  "AccessDenied",
  "AccessDeniedException",
  "CredentialsProviderError",
  "ExpiredToken",
  "ExpiredTokenException",
  "IncompleteSignature",
  "InvalidClientTokenId",
  "InvalidSignatureException",
  "MissingAuthenticationToken",
  "NotAuthorized",
  "OptInRequired",
  "UnrecognizedClientException",
];
const oversize = /oversize|too large|exceed|maximum.*size|length less than or equal/i;
const slow = /timed? ?out/i;

const property = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;

/**
 * By name and never by HTTP status: throttling may come as 400 with a null message. Messages of containers
 * are not kept, since they may quote the input.
 */
export const invokeError = (error: unknown, where: string, bodyBytes: number): PipelineError => {
  const name = String(property(error, "name") ?? "");
  const code = String(property(error, "code") ?? "");
  const options = { cause: error };
  // Before the names: the SDK calls a cut connection a TimeoutError.
  const fault = connectionFault(code);
  if (fault === "cut") {
    return bodyBytes >= suspiciousBytes
      ? tooLarge(where, bodyBytes, error)
      : transient("unavailable", `${where} cut the connection (${code})`, options);
  }
  if (fault === "unusable") return transient("unusable", `${where} cannot be reached (${code})`, options);
  if (throttled.includes(name)) return transient("throttled", `${where} is throttled`, options);
  if (timedOut.includes(name)) return transient("timed-out", `${where} took too long`, options);
  if (name === "ModelError") return containerError(error, where, bodyBytes);
  const message = String(property(error, "message") ?? "");
  const httpStatus = property(property(error, "$metadata"), "httpStatusCode");
  if (httpStatus === 413 || (validation.includes(name) && oversize.test(message))) {
    return tooLarge(where, bodyBytes, error);
  }
  if (validation.includes(name)) {
    return transient("unusable", `${where} is not ready or does not exist; check the endpoint`, options);
  }
  if (forbidden.includes(name)) {
    return transient(
      "unusable",
      `${where} may not be called (${name}); check the role's permissions`,
      options,
    );
  }
  return transient("unavailable", `${where} cannot be called (${name || code || "no name"})`, options);
};

/** The container's answer in a wrapper: 4xx is its refusal; 0 (killed after 60 s, or dead) and 5xx may pass. */
const containerError = (error: unknown, where: string, bodyBytes: number): PipelineError => {
  const status = Number(property(error, "OriginalStatusCode") ?? 0);
  const options = { cause: error };
  if (status === 413) return tooLarge(where, bodyBytes, error);
  if (status === 429 || status === 503) return transient("throttled", `${where} is throttled`, options);
  if (status === 401 || status === 403 || status === 404) {
    return transient(
      "unusable",
      `${where} has a container that answers ${status}; check what it serves`,
      options,
    );
  }
  if (status >= 400 && status < 500) {
    const tokens = contextLength({ message: containerWords(error), code: "" });
    if (tokens) {
      const limit = tokens.limitTokens ?? undefined;
      return permanent("context-too-long", `${where} takes fewer tokens`, { ...options, limitTokens: limit });
    }
    return permanent("refused", `${where} refused the request with ${status}`, options);
  }
  return slow.test(String(property(error, "message")))
    ? transient("timed-out", `${where} took too long (its container was cut off)`, options)
    : transient("unavailable", `${where} failed with ${status}`, options);
};

/** Looked at and not kept. */
const containerWords = (error: unknown): string =>
  String(property(error, "OriginalMessage") ?? property(error, "message") ?? "");

export const tooLarge = (where: string, bodyBytes: number, cause?: unknown): PipelineError =>
  permanent("payload-too-large", `${where} does not take ${bodyBytes} bytes; send less`, { cause });
