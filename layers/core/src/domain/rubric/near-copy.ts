/** Whether a quote stands in a text word for word, or nearly so. Called where evidence is checked. */

/** Longer quotes must be word for word: the search for near copies takes time in the square of the length. */
const longestFuzzy = 300;
/** Places of a quote's unchanged pieces that are tried; a text with more of them says the same over and over. */
const mostAnchors = 200;
const leastSimilarity = 0.9;

/**
 * True if some stretch of the text has a Levenshtein similarity, 1 − distance ÷ the longer length, of at least 0.9 to
 * the quote. If so few edits are spread over enough pieces, one piece is unchanged: each of its places is an anchor.
 */
export function standsIn(quote: string, text: string): boolean {
  if (quote === "") return false;
  if (text.includes(quote)) return true;
  // With d edits the stretch has at most n + d units, so d ≤ 0.1 · (n + d).
  const most = Math.floor(quote.length / 9);
  if (most === 0 || quote.length > longestFuzzy) return false;
  const pieces = most + 1;
  let anchors = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const start = Math.floor((piece * quote.length) / pieces);
    const end = Math.floor(((piece + 1) * quote.length) / pieces);
    const unchanged = quote.slice(start, end);
    for (let at = text.indexOf(unchanged); at >= 0; at = text.indexOf(unchanged, at + 1)) {
      if (++anchors > mostAnchors) return false;
      if (isNear(quote, text, { start, end, at }, most)) return true;
    }
  }
  return false;
}

/** `quote[start, end)` stands at `at` in the text; both sides of it may differ. */
function isNear(
  quote: string,
  text: string,
  { start, end, at }: { readonly start: number; readonly end: number; readonly at: number },
  most: number,
): boolean {
  const after = at + end - start;
  const before = distances(
    reversed(quote.slice(0, start)),
    reversed(text.slice(Math.max(0, at - start - most), at)),
  );
  const rest = quote.slice(end);
  const behind = distances(rest, text.slice(after, after + rest.length + most));
  return before.some((left, leftLength) =>
    behind.some((right, rightLength) => {
      const longer = Math.max(quote.length, leftLength + (end - start) + rightLength);
      return 1 - (left + right) / longer >= leastSimilarity;
    }),
  );
}

const reversed = (text: string): string => text.split("").reverse().join("");

/** Levenshtein distance of the whole pattern to each prefix of the text, by the prefix's length. */
function distances(pattern: string, text: string): number[] {
  let row = Array.from({ length: text.length + 1 }, (_, column) => column);
  for (let i = 0; i < pattern.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < text.length; j++) {
      const change = (row[j] ?? 0) + (pattern[i] === text[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row;
}
