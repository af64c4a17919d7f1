/** Checks in code that quoted evidence stands in what the sample says or shows. Called by `readAnswer`. */
import type { PlacedGist } from "../../schema/gist.ts";
import { type Sample, sampleParts } from "../../schema/sample.ts";
import { withoutCopyMarks } from "../describe/caption-prompt.ts";
import { withoutHidden } from "./fence.ts";

export interface Evidence {
  readonly quote: string;
  readonly found: boolean;
}

/** The most quotes that are kept of one answer, and the longest. */
const mostQuotes = 3;
const longestQuote = 500;

/** A form in which copies of the same words are equal: NFKC, without hidden characters and white space. */
export const comparable = (text: string): string => withoutHidden(text).normalize("NFKC").replace(/\s+/g, "");

/** Which quotes are word for word in the sample's texts or in the descriptions of its pictures. */
export function checkEvidence(
  quotes: readonly string[],
  sample: Sample,
  gists: readonly PlacedGist[],
): Evidence[] {
  if (quotes.length === 0) return [];
  const texts = [
    ...sampleParts(sample).map((part) => (part.type === "text" ? part.text : "")),
    ...(sample.executions ?? []).map(({ name }) => name),
    ...gists.flatMap(({ gist }) => [gist.text, withoutCopyMarks(gist.text)]),
  ].map(comparable);
  return quotes.slice(0, mostQuotes).flatMap((quote) => {
    const wanted = comparable(quote);
    if (wanted === "") return [];
    return [{ quote: quote.slice(0, longestQuote), found: texts.some((text) => text.includes(wanted)) }];
  });
}
