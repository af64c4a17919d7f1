/** Reads the final number of an answer and compares it with the reference. Called by `scoreExact`. */
import { type ExactNumber, parseNumber, sameNumber } from "./number-form.ts";
import { type AnnouncementTiers, answerTags, firmAnnouncements, statedAnswers } from "./stated-answers.ts";

const tiers: AnnouncementTiers = [
  answerTags,
  firmAnnouncements,
  [
    /(?:所以|因此|故|应该?|应当|最后|最终|一共|总共)\s*(?:是|为|等于|得)\s*/g,
    /不是[^。！？\n]{0,16}而是\s*/g,
    /\bnot\b[^.!?\n]{1,24}\bbut\s+/gi,
    /\bmust be\s+/gi,
  ],
  [/[=＝≈](?=[^=＝≈]*$)\s*/g],
];

const written = String.raw`[-+−﹣]?\s*(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:\s*[/⁄]\s*\d+)?`;
const tex = String.raw`[-+−﹣]?\s*\\[td]?frac\s*(?:\{[^{}]+\}\s*\{[^{}]+\}|\d\s*\d)`;
const unit = String.raw`(?:[ \t]*(?:%|°|[A-Za-zμΩ²³/]{1,12}\b|[\p{Script=Han}]{1,6}))?`;
const number = new RegExp(`^[\\s*$¥￥"“(]*((?:${tex}|${written})${unit})`, "u");
const anyNumber = new RegExp(`(?<![\\d.A-Za-z])(?:${tex}|${written})`, "gu");

const readNumber = (rest: string): string | null => {
  const found = number.exec(rest)?.[1]?.trim();
  return found !== undefined && parseNumber(found) ? found : null;
};

export type NumberVerdict =
  | "same"
  | "different"
  | "no-answer"
  | "several-answers"
  | "no-reference"
  | "unit-unclear";

interface Declared {
  readonly tolerance?: number | undefined;
  readonly percent?: boolean | undefined;
}

/** `question` may name the unit that only one of the two gives; `policy` is what the task declares. */
export function compareNumbers(
  output: string,
  reference: string,
  question: string,
  { tolerance = 0, percent = false }: Declared = {},
): NumberVerdict {
  if (!/\d|π|\bpi\b/.test(reference)) return "no-reference";
  const policy = { tolerance, percent };
  if (sameNumber(output, reference, policy) === true) return "same";
  const plain = output.normalize("NFKC");
  const stated = statedAnswers(plain, tiers, readNumber);
  const answers = stated.length > 0 ? stated : onlyNumber(plain);
  const [first] = answers;
  if (first === undefined) return [...plain.matchAll(anyNumber)].length > 1 ? "several-answers" : "no-answer";
  if (answers.some((answer) => sameNumber(answer, first) === false)) return "several-answers";
  const verdict = sameNumber(first, reference, policy) ?? sameWithUnit(first, reference, question, tolerance);
  return verdict === null ? "unit-unclear" : verdict ? "same" : "different";
}

/** The text's number, with the unit it has at its first place, if all its numbers are the same one. */
function onlyNumber(text: string): string[] {
  const all = [...text.matchAll(anyNumber)];
  const [first] = all;
  if (!first || !all.every(([one]) => sameNumber(one, first[0]) === true)) return [];
  return [readNumber(text.slice(first.index)) ?? first[0]];
}

/** One side has a unit and the other has none: they agree if it is the unit that the question asks for. */
function sameWithUnit(
  answer: string,
  reference: string,
  question: string,
  tolerance: number,
): boolean | null {
  const [left, right] = [parseNumber(answer), parseNumber(reference)];
  if (!left || !right) return null;
  const same = sameNumber(bare(left), bare(right), { tolerance }) === true;
  // Another number is wrong in any unit only if the unit is the one asked for.
  return asksFor(question.normalize("NFKC"), left.unit || right.unit) ? same : null;
}

const bare = ({ numerator, denominator }: ExactNumber): string => `${numerator}/${denominator}`;

/** Whether the question asks for this unit, or names it, and not one that ends like it: 厘米 is not 米. */
function asksFor(question: string, unit: string): boolean {
  const asked = /(?:多少|几)\s*个?\s*([\p{Script=Han}A-Za-z²³/]{1,6})/u.exec(question)?.[1];
  // Either may carry a word more: 厘米长 answers 多少厘米.
  if (asked !== undefined) return asked.startsWith(unit) || unit.startsWith(asked);
  const literal = unit.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(`(?<![A-Za-z厘毫微千分公平方立])${literal}(?![A-Za-z])`).test(question);
}
