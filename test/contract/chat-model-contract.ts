/** What every chat model must do; run by chat-model.test.ts against a script, an HTTP server and SageMaker. */
import type { ChatModel } from "@touchstone/core/ports";
import type { ChatCompletion } from "@touchstone/core/schema/chat";
import { describe, expect, test } from "vitest";
import type { ChatTurnScript } from "../memory/scripted-chat-model.ts";

export const question = {
  messages: [{ role: "user", content: "切题吗？" }],
  temperature: 0,
  max_tokens: 50,
  logprobs: true,
} as const;

export const completion: ChatCompletion = {
  model: "judge-1",
  choices: [
    {
      finish_reason: "stop",
      message: { content: '{"relevance":"A"}' },
      logprobs: { content: [{ token: "A", logprob: -0.01, top_logprobs: [{ token: "B", logprob: -9999 }] }] },
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 4 },
};

/** A model that follows the script; `close` ends what stands behind it. */
export type OpenChatModel = (
  script: readonly ChatTurnScript[],
) => Promise<{ readonly model: ChatModel; readonly close: () => Promise<void> }>;

export const chatModelContract = (
  name: string,
  open: OpenChatModel,
  capabilities: { readonly retryAfter: boolean },
): void => {
  const with_ = async (script: readonly ChatTurnScript[], run: (model: ChatModel) => Promise<void>) => {
    const { model, close } = await open(script);
    try {
      await run(model);
    } finally {
      await close();
    }
  };
  const never = () => new AbortController().signal;

  describe(`chat model: ${name}`, () => {
    test("a completion comes back whole", () =>
      with_([{ kind: "answer", completion }], async (model) => {
        expect(await model.complete(question, never())).toEqual(completion);
      }));

    test("a 200 with an error inside is the reader's to judge", () =>
      with_([{ kind: "answer", completion: { error: { message: "overloaded" } } }], async (model) => {
        expect(await model.complete(question, never())).toEqual({ error: { message: "overloaded" } });
      }));

    test("throttling is transient and says how long to wait where the protocol can", () =>
      with_([{ kind: "throttled", retryAfterSeconds: 7 }], async (model) => {
        const expected = capabilities.retryAfter ? { retryAfterSeconds: 7 } : {};
        await expect(model.complete(question, never())).rejects.toMatchObject({
          kind: "transient",
          code: "throttled",
          ...expected,
        });
      }));

    test("a fault of the server is transient, and the next call is a new one", () =>
      with_([{ kind: "unavailable" }, { kind: "answer", completion }], async (model) => {
        await expect(model.complete(question, never())).rejects.toMatchObject({
          kind: "transient",
          code: "unavailable",
        });
        expect(await model.complete(question, never())).toEqual(completion);
      }));

    test("a refusal is permanent", () =>
      with_([{ kind: "refused" }], async (model) => {
        const refused = { kind: "permanent", code: "refused" };
        await expect(model.complete(question, never())).rejects.toMatchObject(refused);
      }));

    test("a request that is too large is permanent", () =>
      with_([{ kind: "too-large" }], async (model) => {
        const refused = { kind: "permanent", code: "payload-too-large" };
        await expect(model.complete(question, never())).rejects.toMatchObject(refused);
      }));

    test("a prompt of too many tokens is permanent and tells how many there may be", () =>
      with_([{ kind: "too-long", limitTokens: 4096 }], async (model) => {
        const refused = { kind: "permanent", code: "context-too-long", limitTokens: 4096 };
        await expect(model.complete(question, never())).rejects.toMatchObject(refused);
      }));

    test("a caller that gives up gets a transient time-out", () =>
      with_([{ kind: "silent" }], async (model) => {
        const timedOut = { kind: "transient", code: "timed-out" };
        await expect(model.complete(question, AbortSignal.timeout(50))).rejects.toMatchObject(timedOut);
        await expect(model.complete(question, AbortSignal.abort())).rejects.toMatchObject(timedOut);
      }));
  });
};
