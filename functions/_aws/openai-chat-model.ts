/** The chat model port over HTTP: any OpenAI-compatible server, as judge or captioner. */
import { permanent, transient } from "@touchstone/core/errors";
import type { ChatModel, Clock } from "@touchstone/core/ports";
import { readCompletion, statusError } from "./chat-protocol.ts";
import { chatBody, readStreamed } from "./chat-stream.ts";
import { connectionFault } from "./connection-faults.ts";
import { exchange, isReplyTooLarge, keptConnections } from "./http-exchange.ts";
import { parseRetryAfter } from "./retry-after.ts";

export interface OpenAiChatOptions {
  /** With or without the trailing `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly isStreamed?: boolean;
  /** Longest time a call may take, connecting included. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Enough for 4,000 tokens with 20 alternatives each; more is not an answer. */
const maxAnswerBytes = 16_000_000;

/** Servers close what is idle for five seconds or more; whoever closes first meets no reset. */
const connections = keptConnections(4_000);

const completionsUrl = (base: string): string =>
  `${base.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/chat/completions`;

/** One try a call: the pipeline itself decides when to come back, and a second try lengthens the model's queue. */
export const openAiChatModel = (options: OpenAiChatOptions): ChatModel => {
  const url = new URL(completionsUrl(options.url));
  const headers = {
    "content-type": "application/json",
    accept: options.isStreamed ? "text/event-stream" : "application/json",
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
  };
  const to = {
    secure: url.protocol === "https:",
    host: url.hostname,
    port: url.port,
    method: "POST",
    path: url.pathname + url.search,
    connections,
    maxBytes: maxAnswerBytes,
    totalMs: options.timeoutMs,
  };
  const where = `model ${options.model} at ${url.host}`;
  return {
    model: options.model,
    async complete(request, signal) {
      const body = chatBody(request, options.model, options.isStreamed ?? false);
      try {
        // A redirect would carry samples to a host that nobody configured; it is an answer like any other here.
        const reply = await exchange({
          ...to,
          headers: { ...headers, "content-length": Buffer.byteLength(body) },
          body,
          signal,
        });
        const { status } = reply;
        const text = reply.body.toString("utf8");
        // A server that does not stream answers a streamed request like any other.
        const isStream = reply.headers["content-type"]?.includes("event-stream") ?? false;
        if (status >= 200 && status < 300) return (isStream ? readStreamed : readCompletion)(text, where);
        const retryAfterSeconds = parseRetryAfter(reply.headers["retry-after"] ?? null, options.clock);
        throw statusError(where, { status, body: text, retryAfterSeconds }, request);
      } catch (error) {
        throw connectionError(error, where, signal);
      }
    },
  };
};

/** Our own errors as they are; those of the connection by their code. */
function connectionError(error: unknown, where: string, signal: AbortSignal): unknown {
  if (typeof error === "object" && error !== null && "kind" in error) return error;
  if (signal.aborted) return transient("timed-out", `${where} took too long`, { cause: error });
  if (isReplyTooLarge(error))
    return permanent("bad-answer", `${where} answered over ${maxAnswerBytes} bytes`);
  const code = codeOf(error);
  const options = { cause: error };
  const fault = connectionFault(code);
  switch (fault) {
    case "unusable":
      return transient("unusable", `${where} cannot be reached (${code}); is the server running?`, options);
    case "slow":
      return transient("timed-out", `${where} took too long (${code})`, options);
    case "cut":
    case null:
      return transient("unavailable", `${where} cut the connection (${code})`, options);
    default:
      return fault satisfies never;
  }
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : String(error);
