/** Finds which pictures of a sample are meant to be seen together, from where they stand among its text. Called by planIntegration. */
import type { ContentPart } from "../../schema/content.ts";
import type { IntegrationPattern } from "../../schema/gist.ts";

/** Said of two pictures that a reader is to hold side by side. */
const comparing =
  /对比|比较|相比|区别|差异|不同之处|修改前|修改后|改前|改后|前后|左图|右图|\b(?:compare[ds]?|comparison|versus|vs|differences?|before and after|side by side)\b/i;

/** References that follow each other with no word between, each once; `same` names content, so that a copy counts once. */
export const pictureGroups = (
  parts: readonly ContentPart[],
  same: (ref: string) => string,
): readonly (readonly string[])[] => {
  const groups: string[][] = [];
  const seen = new Set<string>();
  let isOpen = false;
  for (const part of parts) {
    if (part.type === "text") {
      if (part.text.trim() !== "") isOpen = false;
      continue;
    }
    if (part.type === "video") {
      isOpen = false;
      continue;
    }
    if (seen.has(same(part.ref))) continue;
    seen.add(same(part.ref));
    if (isOpen) groups.at(-1)?.push(part.ref);
    else groups.push([part.ref]);
    isOpen = true;
  }
  const two = groups.flat();
  // Words that compare make one group of two pictures, wherever they stand.
  return two.length === 2 && groups.length === 2 && compares(parts) ? [two] : groups;
};

const compares = (parts: readonly ContentPart[]): boolean =>
  parts.some((part) => part.type === "text" && comparing.test(part.text));

/**
 * `comparison`: two that stand together; `sequence`: most pictures stand in runs of three and more; `one-by-one`: each
 * has words of its own. `described` counts pictures with different content.
 */
export const integrationPattern = (
  parts: readonly ContentPart[],
  groups: readonly (readonly string[])[],
  described: number,
): IntegrationPattern => {
  if (described < 2) return described === 0 ? "none" : "single";
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  const inRuns = groups.filter((group) => group.length > 2).reduce((sum, group) => sum + group.length, 0);
  if (inRuns * 2 > total) return "sequence";
  const inPairs = groups.filter((group) => group.length === 2).length * 2;
  return inPairs * 2 > total || (inPairs > 0 && compares(parts)) ? "comparison" : "one-by-one";
};
