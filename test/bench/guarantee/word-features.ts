/** Features of a text beside the baseline's own: overlap in runs, compression, fluency, form. Called by voted-set.ts. */
import { deflateRawSync } from "node:zlib";
import { share } from "../../../infra/endpoints/baseline-judge/text-view.ts";
import { type Corpus, runsOf, wordsOf } from "./corpus.ts";

export interface Given {
  readonly asked: string;
  readonly source: string;
}

export function wordFeatures(output: string, given: Given, corpus: Corpus): Record<string, number> {
  const words = wordsOf(output);
  const asked = wordsOf(given.asked);
  const source = wordsOf(given.source);
  return {
    ...formFeatures(output, words),
    ...compressionFeatures(output, `${given.asked}\n${given.source}`),
    ...overlapFeatures("asked", words, asked),
    ...overlapFeatures("source", words, source),
    ...originFeatures(words, new Set(asked), new Set(source), corpus),
    ...lastTurnFeatures(words, given.asked, corpus),
    ...fluencyFeatures(words, new Set(runsOf([...asked, ...source], 2)), corpus),
    copies: given.source !== "" && output.trim() === given.source.trim() ? 1 : 0,
    contains: given.source.length > 10 && output.includes(given.source) ? 1 : 0,
  };
}

function formFeatures(output: string, words: readonly string[]): Record<string, number> {
  const text = output.trim();
  const per = (pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / Math.max(1, text.length);
  const has = (pattern: RegExp): number => (pattern.test(text) ? 1 : 0);
  return {
    words: Math.log1p(words.length),
    fewWords: words.length < 4 ? 1 : 0,
    overlong: Math.max(0, Math.log1p(words.length) - 5),
    lines: Math.log1p(text.split("\n").length - 1),
    properEnd: has(/[.!?"')\]。]$/),
    properStart: has(/^[A-Z0-9"'([]/),
    capitals: per(/[A-Z]/g),
    punctuation: per(/[^\p{L}\p{N}\s]/gu),
    digits: per(/\d/g),
    promptMarks: has(/(?:^|\n)\s*(?:###|input:|output:|instruction:|<\w+>)/i),
    code: has(/[{};]|=>|<\/?\w+>|\bdef |\bimport /),
    address: has(/https?:|www\./),
    firstPerson: has(/\bI\b/),
    asks: has(/\?/),
    distinctPairs: distinct(runsOf(words, 2)),
    distinctTriples: distinct(runsOf(words, 3)),
  };
}

const distinct = (runs: readonly string[]): number =>
  runs.length === 0 ? 1 : new Set(runs).size / runs.length;

/** Bytes by letter, alone and after what was given: what repeats, or says nothing new, takes few. */
function compressionFeatures(output: string, given: string): Record<string, number> {
  const size = (text: string): number => deflateRawSync(Buffer.from(text), { level: 9 }).length;
  const letters = Math.max(1, output.length);
  return {
    density: size(output) / letters,
    news: (size(`${given}\n${output}`) - size(given)) / letters,
  };
}

function overlapFeatures(
  name: string,
  words: readonly string[],
  given: readonly string[],
): Record<string, number> {
  const runs = (list: readonly string[], length: number): Set<string> => new Set(runsOf(list, length));
  const common = commonLength(words.slice(0, 150), given.slice(0, 150));
  return {
    [`${name}Cover`]: share(new Set(given), new Set(words)),
    [`${name}PairsEchoed`]: share(runs(words, 2), runs(given, 2)),
    [`${name}PairsCovered`]: share(runs(given, 2), runs(words, 2)),
    [`${name}TriplesEchoed`]: share(runs(words, 3), runs(given, 3)),
    [`${name}InOrder`]: common / Math.max(1, words.length),
    [`${name}KeptInOrder`]: common / Math.max(1, given.length),
    [`${name}LongestRun`]: Math.log1p(longestRun(words, given)),
    [`${name}Length`]: given.length === 0 ? 0 : Math.log1p(words.length) - Math.log1p(given.length),
  };
}

/** What of the text can only come from the source, since nothing that was asked has it. */
function originFeatures(
  words: readonly string[],
  asked: ReadonlySet<string>,
  source: ReadonlySet<string>,
  corpus: Corpus,
): Record<string, number> {
  const own = [...new Set(words)];
  const fresh = own.filter((word) => !asked.has(word));
  const drawn = fresh.filter((word) => source.has(word));
  const weight = (list: readonly string[]): number =>
    list.reduce((sum, word) => sum + corpus.rarity(word), 0);
  return {
    drawn: drawn.length / Math.max(1, own.length),
    drawnCount: Math.log1p(drawn.length),
    drawnWeight: Math.log1p(weight(drawn)),
    drawnWeightShare: weight(drawn) / Math.max(1, weight(own)),
    drawnOfFresh: drawn.length / Math.max(1, fresh.length),
  };
}

/** Whether a reply takes up the last turn, or the one before. */
function lastTurnFeatures(words: readonly string[], asked: string, corpus: Corpus): Record<string, number> {
  const turns = asked.trim().split("\n");
  const own = new Set(words);
  const taken = (turn: string | undefined): Record<"share" | "weight", number> => {
    const said = new Set(wordsOf(turn ?? ""));
    const both = [...own].filter((word) => said.has(word));
    return {
      share: both.length / Math.max(1, own.size),
      weight: both.reduce((sum, word) => sum + corpus.rarity(word), 0),
    };
  };
  const [last, before] = [taken(turns.at(-1)), taken(turns.at(-2))];
  return {
    lastTurn: last.share,
    lastTurnWeight: last.weight,
    turnBefore: before.share,
    turnBeforeWeight: before.weight,
  };
}

function fluencyFeatures(
  words: readonly string[],
  ownPairs: ReadonlySet<string>,
  corpus: Corpus,
): Record<string, number> {
  const pairs = runsOf(words, 2);
  const known = pairs.filter((pair) => corpus.isKnownPair(pair, ownPairs)).length;
  const rarities = [...new Set(words)].map(corpus.rarity);
  return {
    knownPairs: known / Math.max(1, pairs.length),
    unknownPairs: pairs.length - known,
    unknownWords: words.filter((word) => !corpus.isKnown(word)).length / Math.max(1, words.length),
    rarity: rarities.reduce((sum, rarity) => sum + rarity, 0) / Math.max(1, rarities.length),
    rarest: Math.max(0, ...rarities),
  };
}

/** Length of the longest common subsequence. */
function commonLength(left: readonly string[], right: readonly string[]): number {
  let row = new Array<number>(right.length + 1).fill(0);
  for (const word of left) {
    const next = [0];
    for (const [at, other] of right.entries()) {
      next.push(word === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Words of the longest stretch that stands in both. */
function longestRun(left: readonly string[], right: readonly string[]): number {
  let row = new Array<number>(right.length + 1).fill(0);
  let longest = 0;
  for (const word of left) {
    const next = [0];
    for (const [at, other] of right.entries()) next.push(word === other ? (row[at] ?? 0) + 1 : 0);
    longest = Math.max(longest, ...next);
    row = next;
  }
  return longest;
}
