/** The OpenAI chat protocol, whatever carries it: the body sent, the answer read, errors told apart. */
import { type ErrorCode, type PipelineError, permanent, transient } from "@touchstone/core/errors";
import { type ChatCompletion, type ChatRequest, chatCompletionSchema } from "@touchstone/core/schema/chat";
import { contextLength } from "./context-length.ts";
import { redactEcho } from "./redact-echo.ts";
import { isObject, parseJson } from "./untrusted-json.ts";

/** All texts of a request and the start of its pictures; what of them comes back in an error message is taken out. */
const sentTexts = (request: Pick<ChatRequest, "messages">): readonly string[] =>
  request.messages.flatMap(({ content }) =>
    typeof content === "string"
      ? [content]
      : content.map((part) => (part.type === "text" ? part.text : part.image_url.url.slice(0, 2_000))),
  );

/**
 * A 200 answer. One that carries an `error` object is returned too, for the reader to judge. What is no
 * completion (a web page, a list, cut JSON) is transient: it comes from something in between, not the model.
 */
export const readCompletion = (text: string, where: string): ChatCompletion => {
  const body = parseJson(text);
  if (!isObject(body)) {
    const shape = body === undefined ? "no JSON" : Array.isArray(body) ? "a JSON list" : typeof body;
    throw transient("unavailable", `${where} answered ${shape} instead of a chat completion; check its URL`);
  }
  const parsed = chatCompletionSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.map(String).join(".") ?? "";
  throw transient(
    "unavailable",
    `${where} answered with a bad "${field}": ${issue?.message ?? "unknown shape"}`,
  );
};

/** The server's own words in an error body: `{error: {message}}`, `{error: text}`, `{message}` or `{detail}`. */
const errorWords = (text: string): { readonly message: string; readonly code: string } => {
  const body = parseJson(text);
  if (!isObject(body)) return { message: "", code: "" };
  const inner = isObject(body.error) ? body.error : body;
  const words = [inner.message, body.error, body.detail, inner.error_msg].find(
    (word) => typeof word === "string",
  );
  return { message: typeof words === "string" ? words : "", code: String(inner.code ?? inner.type ?? "") };
};

const tooLarge = /too (long|large)/i;

/** 529 is what some servers say for "overloaded". */
const busy: readonly number[] = [429, 503, 529];
/** Set up wrongly: a key that is not taken, an account without money, a path or a model that is not there. */
const unusable: readonly number[] = [401, 402, 403, 404, 405, 407];

interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** The error behind any status but 2xx. Its message holds the status and the server's words, never the sample's. */
export const statusError = (
  where: string,
  { status, body, retryAfterSeconds }: Refusal,
  request: Pick<ChatRequest, "messages">,
): PipelineError => {
  const words = errorWords(body);
  const said = words.message === "" ? "" : `: ${redactEcho(words.message, sentTexts(request))}`;
  const message = `${where} answered ${status}${said}`;
  if (busy.includes(status)) {
    return transient("throttled", message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  }
  if (status === 408 || status === 504) return transient("timed-out", message);
  if (status >= 500) return transient("unavailable", message);
  if (status < 400 || unusable.includes(status)) {
    return transient("unusable", `${message}; check its URL, its key and the name of the model`);
  }
  const tokens = contextLength(words);
  if (tokens) return permanent("context-too-long", message, { limitTokens: tokens.limitTokens ?? undefined });
  const code: ErrorCode = status === 413 || tooLarge.test(words.message) ? "payload-too-large" : "refused";
  return permanent(code, message);
};
