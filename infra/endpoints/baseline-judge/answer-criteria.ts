/**
 * Answers criteria by the words they share with the deliverable. This is weak evidence and says so in its
 * probabilities: it sees that something is spoken of, not whether what is said of it is true.
 */
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
  /没有|未能|未|缺少|缺失|遗漏|漏写|不含|不包含|\b(?:not|no|never|without|missing|omits?|lacks?|fails? to)\b/;
const quoted = /《([^》]+)》|“([^”]+)”|「([^」]+)」|`([^`]+)`|"([^"]+)"/g;

/** Set by hand on the demo's labelled memos; nothing here is learned. */
const weights = {
  bias: -2,
  sentence: 3.4,
  document: 1.4,
  phrases: 2.2,
  numbers: 2,
  fault: -0.7,
} as const;
/** Nothing in the words tells that a criterion does not apply. */
const notApplicable = 0.02;
const longestQuote = 80;

export const answerCriteria = (prompt: ShownPrompt): readonly CriterionAnswer[] =>
  prompt.criteria.map((criterion) => answerCriterion(criterion, textOf(criterion, prompt.sample)));

/** The file that the criterion names, else all that is judged. */
function textOf({ note }: AskedCriterion, sample: ShownSample): string {
  const named = sample.files.filter(({ name }) => name !== "" && note.includes(name));
  const files = named.length > 0 ? named : sample.files;
  return files.length > 0 ? files.map(({ text }) => text).join("\n") : judgedText(sample);
}

function answerCriterion(criterion: AskedCriterion, raw: string): CriterionAnswer {
  const said = spokenOf(criterion.text, viewText(raw));
  const isAbsence = absence.test(criterion.text.replace(quoted, ""));
  const score = (isAbsence ? -1 : 1) * said.score + (criterion.isFault ? weights.fault : 0);
  const yes = 1 / (1 + Math.exp(-score));
  const rest = criterion.codes.includes("NA") ? 1 - notApplicable : 1;
  const byCode: Readonly<Record<string, number>> = {
    Y: yes * rest,
    N: (1 - yes) * rest,
    NA: notApplicable,
  };
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
    weights.phrases * balance(phrases.map((phrase) => view.text.includes(phrase))) +
    weights.numbers * balance([...wanted.numbers].map((number) => view.numbers.has(number)));
  return { score, at: Math.max(0, shares.indexOf(most)) };
}

/** From −1, none of them, to 1, all of them; 0 where there is nothing to find. */
const balance = (found: readonly boolean[]): number =>
  found.length === 0 ? 0 : (2 * found.filter(Boolean).length) / found.length - 1;
