/** The one retry: shows the judge its own answer and what is wrong with it. Called by SCORE. */
import type { ChatTurn } from "../../schema/chat.ts";
import type { Template } from "../../schema/template.ts";
import type { Answer } from "./answer.ts";
import type { NoAnswer } from "./completion.ts";
import { promptWording } from "./prompt-wording.ts";

/** The longest part of a bad answer that is shown again. */
const longestShown = 2_000;

/** What is wrong with an answer, in one line for the judge and for people; null where nothing is. */
export function answerProblem(reading: Answer | NoAnswer): string | null {
  if (reading.kind !== "answer") return reading.detail;
  if (reading.problems.length === 0) return null;
  return reading.problems.map(({ field, detail }) => `"${field}": ${detail}`).join("; ");
}

/** The turns of a second attempt; `previous` is the text of the first, or null where it had none. */
export function withCorrection(
  messages: readonly ChatTurn[],
  previous: string | null,
  problem: string,
  language: Template["judge"]["language"],
): ChatTurn[] {
  const shown: ChatTurn[] =
    previous === null ? [] : [{ role: "assistant", content: previous.slice(0, longestShown) }];
  return [...messages, ...shown, { role: "user", content: promptWording[language].correction(problem) }];
}
