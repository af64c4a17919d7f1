/** The chat model port over HTTP: any OpenAI-compatible server, as judge or captioner. */
import { type PipelineError, permanent, transient } from "@touchstone/core/errors";
import type { ChatModel, Clock } from "@touchstone/core/ports";
import { readCompletion, statusError } from "./chat-protocol.ts";
import { parseRetryAfter } from "./retry-after.ts";

export interface OpenAiChatOptions {
  /** With or without the trailing `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Longest time a call may take, connecting included. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Enough for 4,000 tokens with 20 alternatives each; more is not an answer. */
const maxAnswerBytes = 16_000_000;

const completionsUrl = (base: string): string =>
  `${base.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/chat/completions`;

/** One try a call: the pipeline itself decides when to come back, and a second try lengthens the model's queue. */
export const openAiChatModel = (options: OpenAiChatOptions): ChatModel => {
  const url = completionsUrl(options.url);
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
  };
  const where = `model ${options.model} at ${new URL(url).host}`;
  return {
    model: options.model,
    async complete(request, signal) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
      const body = JSON.stringify({ ...request, model: options.model });
      try {
        // A redirect would carry samples to a host that nobody configured.
        const response = await fetch(url, {
          method: "POST",
          headers,
          body,
          signal: limit,
          redirect: "manual",
        });
        const text = await readText(response, where);
        if (response.ok) return readCompletion(text, where);
        const retryAfterSeconds = parseRetryAfter(response.headers.get("retry-after"), options.clock);
        throw statusError(where, { status: response.status, body: text, retryAfterSeconds }, request);
      } catch (error) {
        throw connectionError(error, where, limit);
      }
    },
  };
};

async function readText(response: Response, where: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes)
      throw permanent("bad-answer", `${where} answered over ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const timeOutCodes: readonly string[] = ["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "ETIMEDOUT"];

/** Our own errors as they are; those of fetch by what stands behind its uniform "fetch failed". */
function connectionError(error: unknown, where: string, limit: AbortSignal): unknown {
  if (typeof error === "object" && error !== null && "kind" in error) return error;
  if (limit.aborted) return transient("timed-out", `${where} took too long`, { cause: error });
  const code = causeCode(error);
  const failure: PipelineError = timeOutCodes.includes(code)
    ? transient("timed-out", `${where} took too long to connect (${code})`, { cause: error })
    : transient("unavailable", `${where} cannot be reached (${code}); is the server running?`, {
        cause: error,
      });
  return failure;
}

const causeCode = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : String(cause);
};
