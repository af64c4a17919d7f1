/** A text taken apart once, for all the features that look at it: terms, sentences, numbers. */

export interface TextView {
  /** NFKC, lower case, spaces collapsed. */
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** How often each term stands in the text. */
  readonly counts: ReadonlyMap<string, number>;
  readonly sentences: readonly Sentence[];
  /** Numbers as written, without grouping commas, e.g. `1.7`. */
  readonly numbers: ReadonlySet<string>;
  /** Numbers with the unit that follows, e.g. `8小时`. */
  readonly measures: ReadonlySet<string>;
}

export interface Sentence {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly negated: boolean;
}

const runs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu;
const han = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const negation = /不|没|无|未|非|别|勿|\b(?:not|no|never|cannot|without)\b|n't/;
const digits: Readonly<Record<string, string>> = {
  一: "1",
  二: "2",
  两: "2",
  三: "3",
  四: "4",
  五: "5",
  六: "6",
  七: "7",
  八: "8",
  九: "9",
  十: "10",
};
/** A Chinese digit before a unit is a number; anywhere else it may be part of a word. */
const spelled =
  /(?<![\d一二两三四五六七八九十百])([一二两三四五六七八九十])(?=个?(?:年|月|天|周|日|小时|分钟|升|斤|公斤|克|米|厘米|瓦|档|次|层|折|元|块))/g;
const number = /\d+(?:\.\d+)?/g;
const measure = /(\d+(?:\.\d+)?)\s*((?:[a-z%°℃]+|[\p{Script=Han}]{1,2}))/gu;

const normal = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, "")
    .replace(spelled, (digit) => digits[digit] ?? digit)
    .replace(/\s+/g, " ")
    .trim();

/** Words of alphabetic scripts and overlapping pairs of CJK characters, in order. */
export function termList(text: string): string[] {
  const terms: string[] = [];
  for (const [run] of text.matchAll(runs)) {
    if (!han.test(run)) terms.push(run);
    else if (run.length === 1) terms.push(run);
    else for (let at = 0; at + 1 < run.length; at++) terms.push(run.slice(at, at + 2));
  }
  return terms;
}

const setOf = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([whole]) => whole));

export function viewText(raw: string): TextView {
  const text = normal(raw);
  const counts = new Map<string, number>();
  for (const term of termList(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return {
    text,
    counts,
    terms: new Set(counts.keys()),
    sentences: splitSentences(raw).map((sentence) => {
      const plain = normal(sentence);
      return {
        text: plain,
        terms: new Set(termList(plain)),
        numbers: setOf(plain, number),
        negated: negation.test(plain),
      };
    }),
    numbers: setOf(text, number),
    measures: new Set(
      [...text.matchAll(measure)].map(([, value = "", unit = ""]) => `${value}${unit.slice(0, 2)}`),
    ),
  };
}

/** Sentences as written; a comma does not end one, a line does. */
export function splitSentences(raw: string): string[] {
  return raw
    .split(/(?<=[。！？!?；;])|(?<=\.)\s|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 1)
    .slice(0, 80);
}

/** Share of the first set that is in the second; 0 for an empty first. */
export function share(of: ReadonlySet<string>, within: ReadonlySet<string>): number {
  if (of.size === 0) return 0;
  let common = 0;
  for (const term of of) if (within.has(term)) common++;
  return common / of.size;
}
