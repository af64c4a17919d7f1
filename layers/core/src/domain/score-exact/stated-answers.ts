/** Finds what a text gives as its final answer: the strongest kind of announcement in it decides. Used by the scorers. */

/** Announcements, strongest first; a weaker kind is looked at only where a stronger one is absent. */
export type AnnouncementTiers = readonly (readonly RegExp[])[];

/** What follows each announcement of the strongest tier that `read` can make something of, in order. */
export function statedAnswers<Value>(
  text: string,
  tiers: AnnouncementTiers,
  read: (rest: string) => Value | null,
): Value[] {
  for (const tier of tiers) {
    const found = tier.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap((match) => {
        const end = match.index + match[0].length;
        const value = read(text.slice(end, end + 200));
        return value === null ? [] : [{ end, value }];
      }),
    );
    // Two patterns may see the same place; each place answers once.
    const places = new Map(
      found.sort((left, right) => left.end - right.end).map((one) => [one.end, one.value]),
    );
    if (places.size > 0) return [...places.values()];
  }
  return [];
}

/** Marks that stand before the final answer and nothing else. */
export const answerTags: readonly RegExp[] = [/【(?:最终)?答案】\s*[:：]?\s*/g, /\\boxed\s*\{\s*/g];

/** Announcements that leave no doubt, Chinese and English; for letters and numbers alike. */
export const firmAnnouncements: readonly RegExp[] = [
  /(?:最终|正确|参考)?(?:答案|选项)\s*(?:应该?是|应当?是|应为|是|为|选|[:：])\s*[:：]?\s*/g,
  /(?:^|[\s*。.])答\s*[:：]\s*/g,
  /\b(?:final\s+|correct\s+|right\s+)?(?:answer|choice|option)(?:\s+(?:is|must be|should be)|\s*[:：])(?!\s*not\b)\s*[:：]?\s*/gi,
];
