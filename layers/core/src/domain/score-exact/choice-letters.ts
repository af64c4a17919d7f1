/** Reads the chosen letters of a multiple-choice answer. Called by `scoreExact`. */
import { type AnnouncementTiers, answerTags, firmAnnouncements, statedAnswers } from "./stated-answers.ts";

const tiers: AnnouncementTiers = [
  answerTags,
  firmAnnouncements,
  [
    /(?:应该?|应当|故|所以|因此|综上|最后|最终|只能)[^。！？\n不]{0,4}?选(?:择)?\s*[:：]?\s*/g,
    /不是[^。！？\n]{0,8}而是\s*/g,
    /\bmust be\s+/gi,
    /\b(?:I|we)\s+(?:would\s+|will\s+)?(?:choose|pick|select|go with)\s+/gi,
  ],
  [/(?<![不别勿会若未])选(?:择)?\s*[:：]?\s*/g, /\b(?:choose|pick|select)\s+/gi],
];

/** `B`, `(B)`, `**B**`, `BC`, `B、C`, `B, C and D`; the letters in the order in which they stand. */
const list =
  /^[\s*"'“‘(（[]*((?:option\s+|choice\s+)?[A-H](?:(?:\s*[、,，;；/和与及&]\s*|\s+and\s+|\s*)[A-H])*)(?![A-Za-z])/;

/** An English article is no choice: "A good answer", but "A because …" is one. */
const article = /^\s+(?!because\b|since\b|as\b|which\b|due\b|for\b|and\b|or\b|is\b|given\b)[a-z]{2,}/;

function readLetters(rest: string): string | null {
  const match = list.exec(rest);
  const letters = match?.[1]
    ?.replace(/option|choice/gi, "")
    .replace(/and/g, "")
    .match(/[A-H]/g)
    ?.join("");
  if (!match || !letters) return null;
  return letters === "A" && article.test(rest.slice(match[0].length)) ? null : letters;
}

/** Every final choice that the text states, e.g. `["BC"]`; several where it answers several questions, or wavers. */
export function statedChoices(text: string): string[] {
  const plain = text.normalize("NFKC").replace(/<\/?e[oa][ea]>/g, " ");
  const stated = statedAnswers(plain, tiers, readLetters);
  if (stated.length > 0) return stated;
  const alone =
    /^[\s*"'“‘(（[]*([A-H](?:[\s、,，]*[A-H])*)[\s*"'”’)）\].。]*(?:$|(?<=[.)）、:：]\s*)(?=\S))/.exec(plain);
  return alone?.[1] ? [alone[1].replace(/[^A-H]/g, "")] : [];
}

/** Whether the text numbers its answers, as one that solves several questions does. */
export function isNumbered(text: string, count: number): boolean {
  const numbers = text
    .normalize("NFKC")
    .match(/(?:^|[\s。])(?:\(\d{1,2}\)|\d{1,2}[.、)]|第\s*\d{1,2}\s*[题问])/gm);
  return (numbers?.length ?? 0) >= count;
}

const sorted = (letters: string): string => [...new Set(letters)].sort().join("");

export type ChoiceVerdict = "same" | "different" | "no-answer" | "several-answers" | "no-reference";

/**
 * Compares the choices. A reference such as `B,C,B` answers questions in turn and wants numbered answers in the same
 * number; `BC` or `B、C` is one question with several right letters, whose order does not matter.
 */
export function compareChoices(output: string, reference: string): ChoiceVerdict {
  const wanted = reference
    .normalize("NFKC")
    .replace(/^.*(?:答案|answer)\s*(?:是|为|is)?\s*[:：】]?/is, "")
    .match(/[A-Ha-h]/g)
    ?.join("")
    .toUpperCase();
  if (!wanted) return "no-reference";
  const stated = statedChoices(output);
  const [first] = stated;
  if (first === undefined) return "no-answer";
  if (stated.length > 1 && stated.length === wanted.length && isNumbered(output, stated.length)) {
    return stated.join("") === wanted ? "same" : "different";
  }
  if (stated.some((letters) => sorted(letters) !== sorted(first))) return "several-answers";
  const inTurn = sorted(wanted).length < wanted.length;
  return (inTurn ? first === wanted : sorted(first) === sorted(wanted)) ? "same" : "different";
}
