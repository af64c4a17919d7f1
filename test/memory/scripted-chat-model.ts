/** The chat model port in memory: answers from a script, in turn; the last line repeats. */
import { permanent, transient } from "@touchstone/core/errors";
import type { ChatModel } from "@touchstone/core/ports";
import type { ChatCompletion, ChatRequest } from "@touchstone/core/schema/chat";

export type ChatTurnScript =
  | { readonly kind: "answer"; readonly completion: ChatCompletion }
  | { readonly kind: "throttled"; readonly retryAfterSeconds: number }
  | { readonly kind: "unavailable" }
  | { readonly kind: "refused" }
  | { readonly kind: "too-large" }
  /** Takes `limitTokens` and no more. */
  | { readonly kind: "too-long"; readonly limitTokens: number }
  /** Answers only once the caller gives up. */
  | { readonly kind: "silent" };

export interface ScriptedChatModel extends ChatModel {
  readonly requests: readonly Omit<ChatRequest, "model">[];
}

export const scriptedChatModel = (
  script: readonly ChatTurnScript[],
  model = "scripted",
): ScriptedChatModel => {
  const requests: Omit<ChatRequest, "model">[] = [];
  return {
    model,
    requests,
    async complete(request, signal) {
      requests.push(request);
      const turn = script[Math.min(requests.length, script.length) - 1];
      if (!turn) throw new Error("the script has no line");
      if (signal.aborted) throw transient("timed-out", "given up before the call");
      switch (turn.kind) {
        case "answer":
          return structuredClone(turn.completion);
        case "throttled":
          throw transient("throttled", "scripted", { retryAfterSeconds: turn.retryAfterSeconds });
        case "unavailable":
          throw transient("unavailable", "scripted");
        case "refused":
          throw permanent("refused", "scripted");
        case "too-large":
          throw permanent("payload-too-large", "scripted");
        case "too-long":
          throw permanent("context-too-long", "scripted", { limitTokens: turn.limitTokens });
        case "silent":
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          throw transient("timed-out", "scripted");
        default:
          return turn satisfies never;
      }
    },
  };
};
