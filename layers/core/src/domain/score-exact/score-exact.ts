/** Scores a field in code where the answer is objective, so that no judge is asked. Called by SCORE. */
import { type Content, contentParts } from "../../schema/content.ts";
import type { ReasonCode } from "../../schema/outcome.ts";
import type { Sample } from "../../schema/sample.ts";
import type { Scorer } from "../../schema/template.ts";
import { compareChoices } from "./choice-letters.ts";
import { compareTexts } from "./exact-text.ts";
import { compareNumbers } from "./final-number.ts";

export const unscoredReasons = [
  "no-output",
  "no-reference",
  /** The output gives no answer that code can find. */
  "no-answer",
  /** It gives two that differ. */
  "several-answers",
  /** Only one side names a unit, and the question does not say which is meant. */
  "unit-unclear",
] as const;
export type UnscoredReason = (typeof unscoredReasons)[number];

export type ExactScore =
  | { readonly field: string; readonly value: string }
  /** Could not be scored, which is not the same as wrong. */
  | {
      readonly field: string;
      readonly value: null;
      readonly why: Extract<ReasonCode, "no-reference" | "answer-ambiguous">;
      readonly detail: UnscoredReason;
    };

/** The scorer's code for right or wrong; null where code cannot tell. */
export function scoreExact(scorer: Scorer, sample: Sample): ExactScore {
  const verdict = verdictOf(scorer, sample);
  const { field } = scorer;
  switch (verdict) {
    case "same":
      return { field, value: scorer.right };
    case "different":
      return { field, value: scorer.wrong };
    case "no-reference":
      return { field, value: null, why: verdict, detail: verdict };
    case "no-output":
    case "no-answer":
    case "several-answers":
    case "unit-unclear":
      return { field, value: null, why: "answer-ambiguous", detail: verdict };
    default:
      return verdict satisfies never;
  }
}

function verdictOf(scorer: Scorer, sample: Sample) {
  const output = textOf(sample.output ?? lastAnswer(sample));
  const reference = textOf(sample.reference);
  if (output === null) return "no-output";
  if (reference === null) return "no-reference";
  return compare(scorer, output, reference, textOf(sample.input) ?? "");
}

function compare(scorer: Scorer, output: string, reference: string, question: string) {
  switch (scorer.kind) {
    case "exact-choice":
      return compareChoices(output, reference);
    case "exact-number":
      return compareNumbers(output, reference, question, scorer);
    case "exact-text":
      return compareTexts(output, reference);
    default:
      return scorer.kind satisfies never;
  }
}

const lastAnswer = (sample: Sample): Content | undefined =>
  sample.messages?.findLast((message) => message.role === "assistant")?.content;

/** The words of a content; null where it has none. */
function textOf(content: Content | undefined): string | null {
  const texts = contentParts(content).flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === 0 ? null : texts.join("\n");
}
