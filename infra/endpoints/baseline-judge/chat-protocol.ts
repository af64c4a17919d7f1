/** The OpenAI chat protocol as this judge speaks it: request in, completion out. */
import { randomUUID } from "node:crypto";
import { HttpProblem } from "../image-strategy/http-server.ts";
import type { WrittenToken } from "./write-answer.ts";

export const baselineModel = "touchstone-baseline-judge-1 (lexical baseline, not a language model)";

export interface JudgeCall {
  readonly system: string;
  /** The first user turn: later ones only correct an answer's form. */
  readonly user: string;
  readonly logprobs: boolean;
  readonly topLogprobs: number;
  readonly maxTokens: number;
}

const bad = (message: string, param: string | null): HttpProblem =>
  new HttpProblem(400, "invalid_request", message, param);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is asked; anything that is not a chat request is an `HttpProblem` 400. */
export function readCall(body: Buffer): JudgeCall {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("utf8"));
  } catch (error) {
    throw bad(`The body is not JSON: ${error instanceof Error ? error.message : String(error)}`, null);
  }
  if (!isRecord(parsed)) throw bad("The body must be a JSON object", null);
  const { messages } = parsed;
  if (!Array.isArray(messages)) throw bad('"messages" must be a list of turns', "messages");
  if (parsed.stream === true) throw bad('Streaming is not served; leave out "stream"', "stream");
  const texts = messages.filter(isRecord).map((turn) => ({ role: turn.role, text: textOf(turn.content) }));
  return {
    system: texts.find(({ role }) => role === "system")?.text ?? "",
    user: texts.find(({ role }) => role === "user")?.text ?? "",
    logprobs: parsed.logprobs === true,
    topLogprobs: integer(parsed.top_logprobs, "top_logprobs", 0, 20, 0),
    maxTokens: integer(parsed.max_tokens, "max_tokens", 1, 1_000_000, 1_000_000),
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw bad("A turn's content must be text or a list of parts", "messages");
  return content
    .filter(isRecord)
    .map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : ""))
    .join("");
}

function integer(value: unknown, name: string, least: number, most: number, otherwise: number): number {
  if (value === undefined || value === null) return otherwise;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw bad(`"${name}" must be a whole number from ${least} to ${most}`, name);
}

/** The completion, cut at `maxTokens` like any other server's. */
export function completionOf(call: JudgeCall, tokens: readonly WrittenToken[], now: number) {
  const sent = tokens.slice(0, call.maxTokens);
  const promptTokens = Math.ceil((call.system.length + call.user.length) / 2);
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(now / 1000),
    model: baselineModel,
    choices: [
      {
        index: 0,
        finish_reason: sent.length < tokens.length ? "length" : "stop",
        message: { role: "assistant", content: sent.map(({ token }) => token).join("") },
        logprobs: call.logprobs ? { content: sent.map((token) => listed(token, call.topLogprobs)) } : null,
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: sent.length,
      total_tokens: promptTokens + sent.length,
    },
  };
}

const withBytes = (token: string, logprob: number) => ({ token, logprob, bytes: [...Buffer.from(token)] });

function listed({ token, logprob, alternatives }: WrittenToken, most: number) {
  return {
    ...withBytes(token, logprob),
    top_logprobs: alternatives.slice(0, most).map((other) => withBytes(other.token, other.logprob)),
  };
}
