/** Mutations of the completion around the text: how it ended, what else it holds, what its logprobs look like. */
import { type ChatCompletion, chatCompletionSchema } from "@touchstone/core/schema/chat";
import type { Dice } from "../../../events/generate-demo/random.ts";
import { doomed } from "./draft.ts";
import type { Wrapped } from "./wrappings.ts";

export interface Enveloped {
  readonly wrapped: Wrapped;
  readonly completion: ChatCompletion;
  readonly hasLogprobs: boolean;
}

type Envelope = (wrapped: Wrapped, dice: Dice) => Enveloped;

const sure = Math.log(0.9995);
const alternative = (token: string, logprob: number) => ({ token, logprob, bytes: [...Buffer.from(token)] });

/** The text as tokens, each of them all but certain. */
const logprobs = (text: string) => ({
  content: (text.match(/\\u[0-9a-f]{4}|[A-Za-z0-9]+|[\s\S]/gu) ?? []).map((token) => ({
    ...alternative(token, sure),
    top_logprobs: [alternative(token, sure), alternative("~", Math.log(0.0005))],
  })),
});

const enveloped = (wrapped: Wrapped, choice: object = {}, body: object = {}): Enveloped => {
  const made = {
    model: "mutant",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: wrapped.text },
        logprobs: logprobs(wrapped.text),
        ...choice,
      },
    ],
    ...body,
  };
  return { wrapped, completion: chatCompletionSchema.parse(made), hasLogprobs: true };
};
const fatal = (wrapped: Wrapped, choice: object = {}, body: object = {}): Enveloped =>
  enveloped({ ...wrapped, draft: doomed(wrapped.draft, "gone") }, choice, body);
const withoutLogprobs = (made: Enveloped): Enveloped => ({ ...made, hasLogprobs: false });

export const plainEnvelope: Envelope = (wrapped) => enveloped(wrapped);

export const envelopes: Readonly<Record<string, Envelope>> = {
  "an end by another name": (wrapped, dice) =>
    enveloped(wrapped, { finish_reason: dice.pick(["eos_token", "stop_sequence", "end_turn", "eos"]) }),
  "an empty list of tool calls": (wrapped) =>
    enveloped(wrapped, {
      message: { content: wrapped.text, tool_calls: [], refusal: null },
      stop_reason: null,
    }),
  "a thought in its own field": (wrapped) =>
    enveloped(wrapped, { message: { content: wrapped.text, reasoning_content: '{"fields":{"score":"0"}}' } }),
  "thoughts among the logprobs": (wrapped) => {
    const thought = logprobs(`<think>${wrapped.text}</think>`).content;
    return enveloped(wrapped, { logprobs: { content: [...thought, ...logprobs(wrapped.text).content] } });
  },
  "no logprobs": (wrapped) => withoutLogprobs(enveloped(wrapped, { logprobs: null })),
  "logprobs of another shape": (wrapped) =>
    withoutLogprobs(enveloped(wrapped, { logprobs: [{ id: 1, text: "{", log_prob: -0.1 }] })),
  "logprobs of another text": (wrapped) => withoutLogprobs(enveloped(wrapped, { logprobs: logprobs("8") })),
  "out of room": (wrapped) => fatal(wrapped, { finish_reason: "length" }),
  "filtered at the end": (wrapped) => fatal(wrapped, { finish_reason: "content_filter" }),
  "an unknown end": (wrapped, dice) =>
    fatal(wrapped, { finish_reason: dice.pick(["abort", "tool_calls", "error", "", null]) }),
  "a refusal beside the text": (wrapped) =>
    fatal(wrapped, { message: { content: wrapped.text, refusal: "No." } }),
  "only a thought": (wrapped) =>
    fatal(wrapped, { message: { content: null, reasoning_content: wrapped.text, reasoning: wrapped.text } }),
  "an error beside the choice": (wrapped) =>
    fatal(wrapped, {}, { error: { message: "overloaded", code: 500 } }),
  "no message": (wrapped) => fatal(wrapped, { message: null }),
  "no choice": (wrapped) => fatal(wrapped, {}, { choices: [] }),
};
