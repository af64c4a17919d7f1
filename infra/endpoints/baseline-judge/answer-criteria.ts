/**
 * Answers criteria by the words they share with the deliverable. This is weak evidence and says so in its
 * probabilities: it sees that something is spoken of, not whether what is said of it is true.
 */
import { isNamed } from "@touchstone/core/domain/rubric/source-texts";
import { judgedText } from "./features.ts";
import type { AskedCriterion, ShownPrompt, ShownSample } from "./read-prompt.ts";
import { type Sentence, share, splitSentences, type TextView, viewText } from "./text-view.ts";

export interface CriterionAnswer {
  readonly criterion: AskedCriterion;
  /** By code, in the criterion's order. */
  readonly probabilities: readonly number[];
  readonly quotes: readonly string[];
}

/** Words that say how a criterion is stated, and nothing about what. */
const stating =
  /写明|写出|写有|列出|列明|给出|说明|指出|注明|标明|提到|提及|提出|包含|出现|使用|引用|是否|已经|内容|\b(?:states?|names?|lists?|gives?|mentions?|contains?|includes?|says|explains?|the|an?|of|is|are|that|its)\b/g;
/** The criterion holds where something is not there. */
const absence =
  /没有|未能|未|缺少|缺失|遗漏|漏写|不含|不包含|\b(?:not|no|never|without|missing|omits?|lacks?|fails? to)\b/i;
const quoted = /《([^》]+)》|“([^”]+)”|「([^」]+)」|`([^`]+)`|"([^"]+)"/g;

/** Set by hand on the demo's labelled memos; nothing here is learned. */
const weights = {
  bias: -1.1,
  sentence: 1.8,
  document: 1,
  phraseFound: 2,
  /** What is not said in these words may be said in others. */
  phraseMissing: -0.1,
  numberFound: 1.2,
  numberMissing: -1,
  /** Faults are rarer than things done right. */
  fault: -1.6,
} as const;
/** Words cannot tell what is missing from what does not apply. */
const notApplicable = 0.5;
const longestQuote = 80;

export const answerCriteria = (prompt: ShownPrompt): readonly CriterionAnswer[] =>
  prompt.criteria.map((criterion) => answerCriterion(criterion, textOf(criterion, prompt.sample)));

/** The file that the criterion names, nothing where there is none of that name; else all that is judged. */
function textOf({ file }: AskedCriterion, sample: ShownSample): string {
  if (file === null && sample.files.length === 0) return judgedText(sample);
  const files = sample.files.filter(({ name }) => file === null || isNamed(name, file));
  return files.map(({ text }) => text).join("\n");
}

function answerCriterion(criterion: AskedCriterion, raw: string): CriterionAnswer {
  const said = spokenOf(criterion.text, viewText(raw));
  const isAbsence = absence.test(criterion.text.replace(quoted, ""));
  const score = (isAbsence ? -1 : 1) * said.score + (criterion.isFault ? weights.fault : 0);
  const yes = 1 / (1 + Math.exp(-score));
  const setAside = criterion.codes.includes("NA") ? (1 - yes) * notApplicable : 0;
  const byCode: Readonly<Record<string, number>> = { Y: yes, N: 1 - yes - setAside, NA: setAside };
  const best = splitSentences(raw)[said.at]?.slice(0, longestQuote);
  return {
    criterion,
    probabilities: criterion.codes.map((code) => byCode[code] ?? 0),
    quotes: yes > 0.5 && !isAbsence && best !== undefined ? [best] : [],
  };
}

interface Spoken {
  /** Log odds that the text speaks of it. */
  readonly score: number;
  /** The sentence that speaks of it most. */
  readonly at: number;
}

function spokenOf(text: string, view: TextView): Spoken {
  const phrases = [...text.normalize("NFKC").toLowerCase().matchAll(quoted)].map(
    (match) => match.slice(1).find((part) => part !== undefined) ?? "",
  );
  const wanted = viewText(text.toLowerCase().replace(absence, " ").replace(stating, " "));
  const common = ({ terms }: Sentence): number => share(wanted.terms, terms);
  const shares = view.sentences.map(common);
  const most = Math.max(0, ...shares);
  const score =
    weights.bias +
    weights.sentence * most +
    weights.document * share(wanted.terms, view.terms) +
    weighed(
      phrases.map((phrase) => view.text.includes(phrase)),
      weights.phraseFound,
      weights.phraseMissing,
    ) +
    weighed(
      [...wanted.numbers].map((number) => view.numbers.has(number)),
      weights.numberFound,
      weights.numberMissing,
    );
  return { score, at: Math.max(0, shares.indexOf(most)) };
}

/** Between `whenMissing`, for none of them, and `whenFound`, for all; 0 where there is nothing to find. */
const weighed = (found: readonly boolean[], whenFound: number, whenMissing: number): number => {
  if (found.length === 0) return 0;
  const part = found.filter(Boolean).length / found.length;
  return part * whenFound + (1 - part) * whenMissing;
};
