/** A voted set as numbers: what the judge may look at of each sample, beside the votes. Called by guarantee.ts. */
import { featuresOf } from "../../../infra/endpoints/baseline-judge/features.ts";
import { type Corpus, corpusOf } from "./corpus.ts";
import type { QuestionKind, VotedSet, VotedText } from "./voted-text.ts";
import { wordFeatures } from "./word-features.ts";

export interface Question extends Pick<VotedText, "group" | "votes" | "truth" | "hint"> {
  /** In the same order for all questions of a set; differences of the two outputs where there are two. */
  readonly features: readonly number[];
}

export interface QuestionSet {
  readonly name: string;
  readonly kind: QuestionKind;
  readonly questions: readonly Question[];
}

/** Features are the baseline judge's own, and those of word-features.ts; none of them has seen a vote. */
export function questionSet({ name, kind, isReference, texts }: VotedSet): QuestionSet {
  const corpus = corpusOf(new Set(texts.map(({ asked, source }) => `${asked}\n${source}`)));
  const rows = texts.map((text) => valuesOf(text, isReference, corpus));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    name,
    kind,
    questions: texts.map(({ group, votes, truth, hint }, at) => ({
      ...{ group, votes, truth, hint },
      features: names.map((feature) => rows[at]?.[feature] ?? 0),
    })),
  };
}

function valuesOf(text: VotedText, isReference: boolean, corpus: Corpus): Readonly<Record<string, number>> {
  const [first = {}, second] = text.outputs.map((output) => outputValues(output, text, isReference, corpus));
  if (second === undefined) return first;
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [name, value - (second[name] ?? 0)]),
  );
}

function outputValues(
  output: string,
  { asked, source }: VotedText,
  isReference: boolean,
  corpus: Corpus,
): Record<string, number> {
  const sample = {
    input: isReference || source === "" ? asked : `${asked}\n${source}`,
    reference: isReference ? source : "",
    output,
    ...{ messages: [], candidates: [], attached: "", files: [], gists: [] },
  };
  return { ...featuresOf(sample, output).values, ...wordFeatures(output, { asked, source }, corpus) };
}
