/** What is left of a prompt's token budget, and what had to be cut; one per prompt, filled in order of importance. */
import { cutText } from "./cut-text.ts";
import type { PromptSection } from "./sample-slots.ts";
import { estimateTokens } from "./token-estimate.ts";

export interface SectionCut {
  readonly section: PromptSection;
  readonly droppedTokens: number;
}

export interface PromptBudget {
  readonly left: number;
  /** Takes what must stand in any case. */
  spend(text: string): void;
  /** Takes a fixed number of tokens if there is room for them; else records them as cut. */
  reserve(tokens: number, section: PromptSection): boolean;
  /** Records as cut what has no room for another reason than its tokens. */
  leaveOut(tokens: number, section: PromptSection): void;
  /** As much of the text as there is room for, inside `most` tokens; the rest is recorded as cut. */
  take(text: string, section: PromptSection, most?: number): string;
  readonly cuts: readonly SectionCut[];
}

/** `note` is what stands in a text where some of it was left out. */
export function createBudget(tokens: number, note: (droppedTokens: number) => string): PromptBudget {
  let left = tokens;
  const dropped = new Map<PromptSection, number>();
  const drop = (section: PromptSection, count: number) =>
    dropped.set(section, (dropped.get(section) ?? 0) + count);
  return {
    get left() {
      return left;
    },
    spend(text) {
      left -= estimateTokens(text);
    },
    reserve(count, section) {
      if (count > left) {
        drop(section, count);
        return false;
      }
      left -= count;
      return true;
    },
    leaveOut: (count, section) => drop(section, count),
    take(text, section, most = Number.POSITIVE_INFINITY) {
      const cut = cutText(text, Math.max(0, Math.min(left, most)), note);
      if (cut.droppedTokens > 0) drop(section, cut.droppedTokens);
      left -= estimateTokens(cut.text);
      return cut.text;
    },
    get cuts() {
      return [...dropped].map(([section, droppedTokens]) => ({ section, droppedTokens }));
    },
  };
}
