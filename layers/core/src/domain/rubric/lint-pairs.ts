/** Criteria that say the same, or the opposite of the same. Called by `lintRubric`. */
import type { Criterion } from "../../schema/rubric.ts";
import { finding, type LintFinding } from "./lint-finding.ts";

const leastAlike = 0.8;

/** Words that decide whether a statement praises or blames; without them a mirror pair is one text. */
const polarity =
  /并未|没有|未能|未曾|不得|不应|不能|未|不|无|没|缺少|缺失|遗漏|漏掉|正确|准确|错误|有误|符合|违反|\b(?:does|do|did|is|are|was|were|has|have) not\b|\b(?:not|no|never|without|omits?|omitting|lacks?|missing|fails? to|correct(?:ly)?|incorrect(?:ly)?|accurate(?:ly)?|inaccurate(?:ly)?|wrong(?:ly)?)\b/gi;

/** Each pair once, at its later criterion: E5 for near copies, E6 for the two sides of one predicate. */
export function lintPairs(rubric: readonly Criterion[]): LintFinding[] {
  const forms = rubric.map((criterion) => ({
    criterion,
    isFault: criterion.kind !== "positive",
    grams: gramsOf(criterion.text),
    bare: gramsOf(criterion.text.normalize("NFKC").replace(polarity, " ")),
  }));
  return forms.flatMap((later, at) =>
    forms.slice(0, at).flatMap((earlier) => {
      const code = later.isFault === earlier.isFault ? ("E5" as const) : ("E6" as const);
      const alike = code === "E5" ? jaccard(later.grams, earlier.grams) : jaccard(later.bare, earlier.bare);
      return alike >= leastAlike ? [finding(code, later.criterion.id, earlier.criterion.id)] : [];
    }),
  );
}

/** Character 3-grams of the text in NFKC and lower case, without spaces, marks and the `s` of English verbs. */
function gramsOf(text: string): ReadonlySet<string> {
  const dense = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=[a-z]{2})s\b/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
  if (dense.length < 3) return new Set([dense]);
  return new Set(Array.from({ length: dense.length - 2 }, (_, at) => dense.slice(at, at + 3)));
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const all = new Set([...left, ...right]);
  return [...left].filter((gram) => right.has(gram)).length / all.size;
}
