/** Recalls the labelled examples that are most like a sample: BM25, with every kind of answer represented. Called by SCORE. */
import MiniSearch from "minisearch";
import type { LabelledExample } from "../../ports.ts";
import { type Sample, sampleParts } from "../../schema/sample.ts";
import { termsOf } from "./terms.ts";

/** Text of a sample that is indexed and searched with; the rest adds time and no likeness. */
const longestText = 4_000;
/** A query is the sample's rarest known terms: common ones cost time in every example and tell none apart. */
const longestQuery = 48;

interface Index {
  readonly search: MiniSearch<{ id: number; text: string }>;
  /** In how many examples each term stands. */
  readonly frequency: ReadonlyMap<string, number>;
  /** The examples' labels in one comparable text each. */
  readonly answers: readonly string[];
}

/** One index per list of examples, for as long as somebody holds the list. */
const indexes = new WeakMap<readonly LabelledExample[], Index>();

/**
 * At most `n` examples, most like the sample first; never the sample itself. The better half is chosen by likeness
 * alone, the rest in turns over the different sets of labels, so that rare answers are seen too.
 */
export function recallExamples(
  examples: readonly LabelledExample[],
  sample: Sample,
  n: number,
): LabelledExample[] {
  if (n === 0 || examples.length === 0) return [];
  const index = indexes.get(examples) ?? buildIndex(examples);
  indexes.set(examples, index);
  const ranked = rank(index, examples, sample);
  const chosen = ranked.slice(0, Math.ceil(n / 2));
  const answerOf = (at: number): string => index.answers[at] ?? "";
  const seen = new Set(chosen.map(answerOf));
  const groups = Map.groupBy(ranked.slice(chosen.length), answerOf);
  const isSeen = ([answer]: [string, number[]]): number => (seen.has(answer) ? 1 : 0);
  const queues = [...groups].sort((left, right) => isSeen(left) - isSeen(right)).map(([, queue]) => queue);
  for (let turn = 0; chosen.length < Math.min(n, ranked.length); turn++) {
    for (const queue of queues) {
      const at = queue[turn];
      if (at !== undefined && chosen.length < n) chosen.push(at);
    }
  }
  return chosen.flatMap((at) => examples[at] ?? []);
}

function buildIndex(examples: readonly LabelledExample[]): Index {
  const search = new MiniSearch<{ id: number; text: string }>({
    fields: ["text"],
    tokenize: termsOf,
    processTerm: (term) => term,
  });
  const texts = examples.map(({ sample }) => sampleText(sample));
  search.addAll(texts.map((text, id) => ({ id, text })));
  const frequency = new Map<string, number>();
  for (const text of texts) {
    for (const term of new Set(termsOf(text))) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  return {
    search,
    frequency,
    answers: examples.map(({ labels }) => JSON.stringify(Object.entries(labels).sort())),
  };
}

/** Positions of all other examples, likest first; those without a common term follow in their own order. */
function rank(index: Index, examples: readonly LabelledExample[], sample: Sample): number[] {
  const frequency = (term: string): number => index.frequency.get(term) ?? 0;
  const known = [...new Set(termsOf(sampleText(sample)))].filter((term) => frequency(term) > 0);
  const query = known.sort((left, right) => frequency(left) - frequency(right)).slice(0, longestQuery);
  const hits = index.search.search(query.join(" "), { combineWith: "OR" }).map((hit) => Number(hit.id));
  const seen = new Set(hits);
  const all = [...hits, ...examples.keys().filter((at) => !seen.has(at))];
  return all.filter((at) => examples[at]?.sample.id !== sample.id);
}

function sampleText(sample: Sample): string {
  const texts = sampleParts(sample).map((part) => (part.type === "text" ? part.text : ""));
  return texts.join("\n").slice(0, longestText);
}
