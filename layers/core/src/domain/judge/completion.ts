/** Whether a chat completion holds a finished answer at all, before anyone reads it. Called by `readAnswer`. */
import type { ChatCompletion } from "../../schema/chat.ts";
import { endsInLoop } from "./loops.ts";

/** Why there is no verdict; none of these is ever a score. */
export const answerFaults = [
  "cut",
  /** Says the same over and over. */
  "looped",
  "refused",
  "filtered",
  "unreadable",
  "ambiguous",
  /** The model takes fewer tokens than the prompt has. */
  "too-long",
] as const;
export type AnswerFault = (typeof answerFaults)[number];

export interface NoAnswer {
  readonly kind: AnswerFault;
  /** In plain words, without words of the sample or of the answer. */
  readonly detail: string;
}

/** Ends of a generation at which the model itself had finished; whatever is not here counts as cut. */
const finished: readonly string[] = ["stop", "eos_token", "stop_sequence", "end_turn", "eos"];

/** The text of a finished answer, or why there is none. */
export function completionText(completion: ChatCompletion): string | NoAnswer {
  if (completion.error !== undefined && completion.error !== null) {
    return isFilter(completion.error)
      ? { kind: "filtered", detail: "the server's content filter stopped the request" }
      : { kind: "refused", detail: "the server answered with an error object" };
  }
  const choice = completion.choices?.[0];
  if (!choice) return { kind: "refused", detail: "the server answered without a choice" };
  const reason = choice.finish_reason ?? null;
  if (reason === "content_filter") {
    return { kind: "filtered", detail: "the server's content filter stopped the answer" };
  }
  if (choice.message?.refusal) return { kind: "refused", detail: "the model refused to answer" };
  const content = choice.message?.content;
  // A cut answer is no verdict whatever it parses to: a cut number may be another number.
  if (reason === "length") {
    return typeof content === "string" && endsInLoop(content)
      ? { kind: "looped", detail: "the answer repeated itself until its token limit" }
      : { kind: "cut", detail: "the answer ran into its token limit" };
  }
  if (typeof content !== "string") {
    return { kind: "refused", detail: `the server sent no text (finish reason ${named(reason)})` };
  }
  if (reason === null || !finished.includes(reason)) {
    return {
      kind: "cut",
      detail: `the finish reason ${named(reason)} does not say that the answer is complete`,
    };
  }
  if (content.trim() === "") return { kind: "refused", detail: "the answer is empty" };
  return content;
}

const named = (reason: string | null): string =>
  reason === null ? "is missing" : `"${reason.slice(0, 40)}"`;

function isFilter(error: unknown): boolean {
  return /content[_ -]?filter|content management policy/i.test(JSON.stringify(error));
}
