/** How far what was read is from what stands there; used by the OCR part of the seeing bench. */

/** NFKC, all whitespace removed: how lines were cut and spaced does not count, the order of the lines does. */
export const comparableText = (lines: readonly string[]): readonly string[] => [
  ...lines.join("").normalize("NFKC").replace(/\s+/gu, ""),
];

/** Levenshtein distance: insertions, deletions and replacements cost one each. */
export const editDistance = (left: readonly string[], right: readonly string[]): number => {
  let before = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, character] of left.entries()) {
    const current = [row + 1];
    for (const [column, other] of right.entries()) {
      const replaced = (before[column] ?? 0) + (character === other ? 0 : 1);
      const kept = Math.min((before[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1);
      current.push(Math.min(replaced, kept));
    }
    before = current;
  }
  return before.at(-1) ?? 0;
};

export interface CharacterErrors {
  readonly characters: number;
  readonly errors: number;
}

export const characterErrors = (truth: readonly string[], read: readonly string[]): CharacterErrors => {
  const expected = comparableText(truth);
  return { characters: expected.length, errors: editDistance(expected, comparableText(read)) };
};

/** Errors divided by characters that stand there; may exceed 1. Null of nothing. */
export const errorRate = (counts: readonly CharacterErrors[]): number | null => {
  const characters = counts.reduce((sum, one) => sum + one.characters, 0);
  return characters === 0 ? null : counts.reduce((sum, one) => sum + one.errors, 0) / characters;
};
