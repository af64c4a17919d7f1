/** A chat completion that came in pieces, put together again; for servers whose answers take longer than a call may. */
import { transient } from "@touchstone/core/errors";
import { type ChatCompletion, type ChatRequest, chatCompletionSchema } from "@touchstone/core/schema/chat";
import { isObject, parseJson } from "./untrusted-json.ts";

/** Before an address: its answers are streamed. */
export const streamScheme = "stream+";

/** The body of a request; that of a streamed one asks for the usage at the end. */
export const chatBody = (request: Omit<ChatRequest, "model">, model: string, isStreamed: boolean): string =>
  JSON.stringify({
    ...request,
    model,
    ...(isStreamed ? { stream: true, stream_options: { include_usage: true } } : {}),
  });

type Part = Readonly<Record<string, unknown>>;

/**
 * The whole answer out of server-sent events, or of one JSON object a line as SageMaker's LMI writes them. A stream that
 * stops early has no finish reason, and whoever reads the answer takes it as cut. Logprobs may be lost on the way: then
 * they are missing.
 */
export const readStreamed = (text: string, where: string): ChatCompletion => {
  const pieces = text.split("\n").flatMap((line): Part[] => {
    const data = line.replace(/^data:\s*/, "").trim();
    const piece = data.startsWith("{") ? parseJson(data) : undefined;
    return isObject(piece) ? [piece] : [];
  });
  if (pieces.length === 0) {
    throw transient("unavailable", `${where} streamed nothing that is a chat completion; check its URL`);
  }
  const failure = pieces.find(({ error }) => error !== undefined && error !== null);
  const choices = pieces.flatMap(({ choices: all }) =>
    Array.isArray(all) && isObject(all[0]) ? [all[0]] : [],
  );
  const parsed = chatCompletionSchema.safeParse({
    model: lastOf(pieces, "model"),
    usage: lastOf(pieces, "usage"),
    ...(failure === undefined ? {} : { error: failure.error }),
    ...(choices.length === 0 ? {} : { choices: [wholeChoice(choices)] }),
  });
  if (parsed.success) return parsed.data;
  throw transient("unavailable", `${where} streamed pieces that are no chat completion`);
};

const wholeChoice = (choices: readonly Part[]): object => {
  const deltas = choices.flatMap(({ delta, message }) => [delta, message].filter(isObject));
  const tokens = choices.flatMap(({ logprobs }) => tokensOf(logprobs));
  return {
    finish_reason: lastOf(choices, "finish_reason") ?? null,
    message: Object.fromEntries(
      ["content", "refusal", "reasoning_content"].flatMap((name) => {
        const text = joined(deltas, name);
        return text === null ? [] : [[name, text]];
      }),
    ),
    // In a list, as LMI has them: the reader knows that shape, and what is odd about its alternatives.
    logprobs: tokens.length === 0 ? null : [{ content: tokens }],
  };
};

const tokensOf = (logprobs: unknown): readonly unknown[] => {
  const one: unknown = Array.isArray(logprobs) ? logprobs[0] : logprobs;
  return isObject(one) && Array.isArray(one.content) ? one.content : [];
};

/** Null where no piece had such a text, as in an answer that came whole. */
const joined = (deltas: readonly Part[], name: string): string | null => {
  const texts = deltas.flatMap((delta) => (typeof delta[name] === "string" ? [delta[name]] : []));
  return texts.length === 0 ? null : texts.join("");
};

const lastOf = (parts: readonly Part[], name: string): unknown =>
  parts.map((part) => part[name]).findLast((value) => value !== undefined && value !== null);
