/** What an InvokeEndpoint failure means; used by the adapters over SageMaker. */
import { type PipelineError, permanent, transient } from "@touchstone/core/errors";

/** SageMaker's limit for the body of a real-time call. */
export const maxInvokeBytes = 6 * 1024 * 1024;
/** Smallest body that was seen to be cut off by a reset instead of a proper refusal. */
const suspiciousBytes = 5 * 1024 * 1024;

const throttled: readonly string[] = [
  "ThrottlingException",
  "TooManyRequestsException",
  "ServiceUnavailable",
];
const timedOut: readonly string[] = ["TimeoutError", "AbortError", "RequestTimeout"];
const validation: readonly string[] = ["ValidationException", "ValidationError"];
const reset: readonly string[] = ["ECONNRESET", "EPIPE"];
const oversize = /oversize|too large|exceed|maximum.*size/i;
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
  if (reset.includes(code)) {
    return bodyBytes >= suspiciousBytes
      ? tooLarge(where, bodyBytes, error)
      : transient("unavailable", `${where} cut the connection (${code})`, options);
  }
  if (throttled.includes(name)) return transient("throttled", `${where} is throttled`, options);
  if (timedOut.includes(name)) return transient("timed-out", `${where} took too long`, options);
  if (name === "ModelError") return containerError(error, where, bodyBytes);
  const message = String(property(error, "message") ?? "");
  const httpStatus = property(property(error, "$metadata"), "httpStatusCode");
  if (httpStatus === 413 || (validation.includes(name) && oversize.test(message))) {
    return tooLarge(where, bodyBytes, error);
  }
  if (validation.includes(name)) {
    return transient("unavailable", `${where} is not ready or does not exist; check the endpoint`, options);
  }
  return transient("unavailable", `${where} cannot be called (${name || code || "no name"})`, options);
};

/** The container's answer in a wrapper: 4xx is its refusal; 0 (killed after 60 s, or dead) and 5xx may pass. */
const containerError = (error: unknown, where: string, bodyBytes: number): PipelineError => {
  const status = Number(property(error, "OriginalStatusCode") ?? 0);
  const options = { cause: error };
  if (status === 413) return tooLarge(where, bodyBytes, error);
  if (status === 429) return transient("throttled", `${where} is throttled`, options);
  if (status >= 400 && status < 500) {
    return permanent("refused", `${where} refused the request with ${status}`, options);
  }
  return slow.test(String(property(error, "message")))
    ? transient("timed-out", `${where} took too long (its container was cut off)`, options)
    : transient("unavailable", `${where} failed with ${status}`, options);
};

export const tooLarge = (where: string, bodyBytes: number, cause?: unknown): PipelineError =>
  permanent("payload-too-large", `${where} does not take ${bodyBytes} bytes; send less`, { cause });
