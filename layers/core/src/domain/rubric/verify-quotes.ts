/** Checks in code that the quotes behind a judge's "met" stand where the criterion says. */
import type { PlacedGist } from "../../schema/gist.ts";
import type { Criterion, CriterionCode, EvidenceState } from "../../schema/rubric.ts";
import type { Sample } from "../../schema/sample.ts";
import { withoutCopyMarks } from "../describe/caption-prompt.ts";
import { comparable } from "../judge/evidence.ts";
import { standsIn } from "./near-copy.ts";
import { sourceTexts } from "./source-texts.ts";

/** A shorter quote stands in nearly every text. */
const shortestQuote = 2;

/** The quotes that code found in the criterion's source, each once; `fold` may remember what it has folded. */
export function foundQuotes(
  criterion: Criterion,
  quotes: readonly string[],
  sample: Sample,
  gists: readonly PlacedGist[],
  fold: (text: string) => string = comparable,
): readonly string[] {
  const source = quotes.length === 0 ? null : sourceTexts(criterion, sample, gists);
  if (source === null) return [];
  const texts = source.texts.map(fold);
  const found = new Map<string, string>();
  for (const quote of quotes) {
    const wanted = comparable(quote);
    if (wanted.length < shortestQuote || !/[\p{L}\p{N}]/u.test(wanted)) continue;
    // Texts of pictures are compared without the marks of copied lines, which a judge may quote as well.
    const unmarked = comparable(withoutCopyMarks(quote));
    if (texts.some((text) => standsIn(wanted, text) || standsIn(unmarked, text))) found.set(wanted, quote);
  }
  return [...found.values()];
}

/** `unverified`: the criterion is said to be met, needs quotes, and has too few that stand in its source. */
export function evidenceState(
  criterion: Criterion,
  met: CriterionCode | null,
  found: readonly string[],
): EvidenceState | undefined {
  if (met !== "Y") return undefined;
  if (found.length >= (criterion.evidence?.minSpans ?? 1)) return "verified";
  return criterion.evidence?.required ? "unverified" : undefined;
}
