/** What about a prompt keeps the machine from answering, however sure the judge is. */
import type { Reason } from "../../schema/outcome.ts";
import type { JudgePrompt } from "../judge/prompt.ts";
import { decisiveSections } from "../judge/sample-slots.ts";

/**
 * A cut standard, rubric or judged text, and text that speaks to the judge instead of to its reader. Characters that
 * nobody sees are common in honest text; they are taken out and reported, and are no reason by themselves.
 */
export const promptDoubts = (
  prompt: Pick<JudgePrompt, "cuts" | "suspicions" | "fenceBroken">,
): readonly Reason[] => {
  const cuts = prompt.cuts.filter(({ section }) => decisiveSections.includes(section));
  const attacks = prompt.suspicions.filter(({ kind }) => kind !== "hidden-characters");
  const [attack] = attacks;
  return [
    ...cuts.map(({ section, droppedTokens }) => ({
      code: "context-cut" as const,
      detail: `${section}: about ${droppedTokens} tokens`,
    })),
    ...(prompt.fenceBroken
      ? [{ code: "injection-suspected" as const, detail: "the fence's mark was imitated" }]
      : []),
    ...(attack
      ? [{ code: "injection-suspected" as const, detail: `${attack.kind} in ${attack.section}` }]
      : []),
  ];
};
