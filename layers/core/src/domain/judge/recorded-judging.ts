/** Judges with answers that were recorded before, through the very steps that SCORE takes. Called by tools, not by hops. */
import type { ChatCompletion } from "../../schema/chat.ts";
import { type JudgeReply, type Judging, judging } from "./judging.ts";
import type { PromptInput } from "./prompt.ts";

/** The first completion answers the first call, and so on; calls beyond them are as if nobody paid for them. */
export function recordedJudging(input: PromptInput, completions: readonly ChatCompletion[]): Judging {
  const steps = judging(input);
  let used = 0;
  let step = steps.next();
  while (!step.done) {
    step = steps.next(
      step.value.map((): JudgeReply => {
        const completion = completions[used];
        used += 1;
        return completion ? { kind: "answered", completion } : { kind: "none" };
      }),
    );
  }
  return step.value;
}
