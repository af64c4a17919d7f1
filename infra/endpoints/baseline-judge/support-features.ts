/** How far a text stands on its sources: reference, question, earlier turns. Called by features.ts. */
import { compareChoices } from "@touchstone/core/domain/score-exact/choice-letters";
import { compareNumbers } from "@touchstone/core/domain/score-exact/final-number";
import { type Sentence, share, type TextView } from "./text-view.ts";

/** A sentence with fewer terms than this says too little to be held against a source. */
const leastTerms = 3;

export interface Sources {
  readonly judged: TextView;
  readonly question: TextView;
  readonly reference: TextView;
}

export function supportFeatures({ judged, question, reference }: Sources): Record<string, number> {
  const known = new Set([...reference.terms, ...question.terms]);
  const best = judged.sentences
    .filter((sentence) => sentence.terms.size >= leastTerms)
    .map((sentence) => bestMatch(sentence, reference.sentences));
  const matched = best.filter((match) => match.overlap >= 0.25);
  const asked = focus(question, reference);
  const judgedSet = judged.terms;
  return {
    refCover: share(reference.terms, judgedSet),
    refSupport: share(judgedSet, reference.terms),
    knownSupport: share(judgedSet, known),
    questionCover: share(question.terms, judgedSet),
    questionEcho: share(judgedSet, question.terms),
    weakestSentence: best.length === 0 ? 0 : Math.min(...best.map(({ overlap }) => overlap)),
    strongestSentence: best.length === 0 ? 0 : Math.max(...best.map(({ overlap }) => overlap)),
    negationClash: matched.filter((match) => match.negationClash).length,
    numberClash: matched.filter((match) => match.numberClash).length,
    focusCover: asked ? share(asked.terms, judgedSet) : 0,
    focusNumberMissing: asked ? missing(asked.numbers, judged.numbers) : 0,
    numbersUnsupported: unsupported(judged.numbers, reference.numbers, question.numbers),
    measuresUnsupported: unsupported(judged.measures, reference.measures, question.measures),
    numbersShared: Math.min(3, [...judged.numbers].filter((one) => reference.numbers.has(one)).length),
    answerAgrees: agreement(judged.text, reference.text, question.text),
  };
}

interface Match {
  readonly overlap: number;
  readonly negationClash: boolean;
  readonly numberClash: boolean;
}

/** The source's sentence that shares most with this one, and whether the two contradict each other on the surface. */
function bestMatch(sentence: Sentence, sources: readonly Sentence[]): Match {
  let overlap = 0;
  let source: Sentence | undefined;
  for (const candidate of sources) {
    const common = share(sentence.terms, candidate.terms) + 0.5 * share(candidate.terms, sentence.terms);
    if (common > overlap) [overlap, source] = [common, candidate];
  }
  const numbers = source?.numbers ?? new Set<string>();
  return {
    overlap: overlap / 1.5,
    negationClash: source !== undefined && source.negated !== sentence.negated,
    numberClash: numbers.size > 0 && [...sentence.numbers].some((one) => !numbers.has(one)),
  };
}

/** The source's sentence that the question is about. */
function focus(question: TextView, reference: TextView): Sentence | null {
  let best = 0.1;
  let found: Sentence | null = null;
  for (const sentence of reference.sentences) {
    const common = share(sentence.terms, question.terms);
    if (common > best) [best, found] = [common, sentence];
  }
  return found;
}

function missing(wanted: ReadonlySet<string>, within: ReadonlySet<string>): number {
  return wanted.size === 0 ? 0 : 1 - share(wanted, within);
}

/** How many values stand in neither source, at most three. */
function unsupported(
  values: ReadonlySet<string>,
  first: ReadonlySet<string>,
  second: ReadonlySet<string>,
): number {
  return Math.min(3, [...values].filter((one) => !first.has(one) && !second.has(one)).length);
}

/** 1 where the final answer equals a short reference, -1 where it differs, 0 where that cannot be told. */
function agreement(output: string, reference: string, question: string): number {
  if (reference === "" || reference.length > 60) return 0;
  const letters = /^[a-h](?:[\s,、]*[a-h])*$/.test(reference);
  const verdict = letters
    ? compareChoices(output.toUpperCase(), reference.toUpperCase())
    : compareNumbers(output, reference, question);
  if (verdict === "same") return 1;
  if (verdict === "different") return -1;
  if (verdict === "several-answers") return -0.5;
  return output.includes(reference) ? 0.5 : 0;
}
