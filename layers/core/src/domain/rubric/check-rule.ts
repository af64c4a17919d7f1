/** Criteria that code checks by itself: phrases, patterns, numbers, lengths, files. No judge is asked for them. */
import type { PlacedGist } from "../../schema/gist.ts";
import type { Criterion, CriterionCode, Rule } from "../../schema/rubric.ts";
import type { Sample } from "../../schema/sample.ts";
import { comparable } from "../judge/evidence.ts";
import { sourceTexts } from "./source-texts.ts";

/** How far behind a phrase its number may stand. */
const numberReach = 40;
/** What a pattern is run on; a longer text is no deliverable but an attack on the clock. */
const longestForPattern = 200_000;

/** Y or N; null where a picture that nobody could read keeps code from telling. A missing file is N. */
export function checkRule(
  criterion: Criterion,
  rule: Rule,
  sample: Sample,
  gists: readonly PlacedGist[],
): CriterionCode | null {
  const source = sourceTexts(criterion, sample, gists);
  if (source === null) return "N";
  if (rule.rule === "present")
    return source.unread > 0 || source.texts.some((text) => text.trim() !== "") ? "Y" : "N";
  const holds = holdsIn(rule, source.texts);
  if (source.unread === 0) return holds ? "Y" : "N";
  return isSettled(rule, holds) ? (holds ? "Y" : "N") : null;
}

/** Whether more text could not change the answer. */
function isSettled(rule: Rule, holds: boolean): boolean {
  switch (rule.rule) {
    case "contains":
    case "regex":
    case "number":
      return holds;
    case "absent":
      return !holds;
    case "length":
    case "present":
      return false;
    default:
      return rule satisfies never;
  }
}

function holdsIn(rule: Exclude<Rule, { rule: "present" }>, texts: readonly string[]): boolean {
  switch (rule.rule) {
    case "contains": {
      const stands = standing(texts);
      return rule.match === "all" ? rule.phrases.every(stands) : rule.phrases.some(stands);
    }
    case "absent":
      return !rule.phrases.some(standing(texts));
    case "regex": {
      const pattern = new RegExp(rule.pattern, rule.ignoreCase ? "iu" : "u");
      return texts.some((text) => pattern.test(text.normalize("NFKC").slice(0, longestForPattern)));
    }
    case "number":
      return texts.some((text) => hasNumber(text, rule));
    case "length": {
      const length = texts.reduce((sum, text) => sum + [...text.replace(/\s+/gu, "")].length, 0);
      return length >= (rule.min ?? 0) && length <= (rule.max ?? Number.POSITIVE_INFINITY);
    }
    default:
      return rule satisfies never;
  }
}

const folded = (text: string): string => comparable(text).toLowerCase();

function standing(texts: readonly string[]): (phrase: string) => boolean {
  const all = texts.map(folded);
  return (phrase) => all.some((text) => text.includes(folded(phrase)));
}

/** A minus right behind a digit or a Latin letter is a dash. */
const numeral = /(?:(?<![a-z\d)])[-−])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?/gu;

function hasNumber(raw: string, { equals, tolerance, after }: Extract<Rule, { rule: "number" }>): boolean {
  const text = spaced(raw);
  const isMeant = (written: string): boolean =>
    Math.abs(Number(written.replaceAll(",", "").replace("−", "-")) - equals) <= tolerance + 1e-9;
  if (after === undefined) return [...text.matchAll(numeral)].some(([written]) => isMeant(written));
  const phrase = spaced(after);
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const behind = text.slice(at + phrase.length);
    const [first] = behind.matchAll(numeral);
    if (first && first.index <= numberReach && isMeant(first[0])) return true;
  }
  return false;
}

/** NFKC and lower case; white space beside a Chinese character means nothing. */
const spaced = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, "");
