/** What words and word pairs the samples' givens hold, outputs and labels aside; word-features.ts looks texts up in it. */
import { termList, viewText } from "../../../infra/endpoints/baseline-judge/text-view.ts";

export interface Corpus {
  /** How rare a word is: the logarithm of givens to givens that have it. */
  readonly rarity: (word: string) => number;
  readonly isKnown: (word: string) => boolean;
  /** Whether another given than that with these pairs has the pair. */
  readonly isKnownPair: (pair: string, own: ReadonlySet<string>) => boolean;
}

export const wordsOf = (text: string): string[] => termList(viewText(text).text);

/** Runs of `length` words. */
export const runsOf = (words: readonly string[], length: number): string[] =>
  words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(" "));

/** `givens`: each once, however many samples share it. */
export function corpusOf(givens: ReadonlySet<string>): Corpus {
  const words = new Map<string, number>();
  const pairs = new Map<string, number>();
  for (const given of givens) {
    const list = wordsOf(given);
    countOnce(words, list);
    countOnce(pairs, runsOf(list, 2));
  }
  return {
    rarity: (word) => Math.log((givens.size + 1) / ((words.get(word) ?? 0) + 1)),
    isKnown: (word) => words.has(word),
    isKnownPair: (pair, own) => (pairs.get(pair) ?? 0) > (own.has(pair) ? 1 : 0),
  };
}

function countOnce(counts: Map<string, number>, items: readonly string[]): void {
  for (const item of new Set(items)) counts.set(item, (counts.get(item) ?? 0) + 1);
}
