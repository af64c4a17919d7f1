/** Gives every label of a field a probability, from the prompt alone. Called by answer-fields.ts. */
import type { FeaturedSample } from "./features.ts";
import { fitHead, type Matrix } from "./head.ts";
import { type Columns, type Likeness, likenessFor, likenessOf } from "./likeness.ts";
import { phraseWeights, pointwiseWeights, polarities, priorScore } from "./prior.ts";
import type { AskedField } from "./read-prompt.ts";
import { hits, readPhrases, type StandardPhrases } from "./standard-phrases.ts";

export interface Classified {
  /** By label, in the field's order. */
  readonly probabilities: readonly number[];
  /** Features that spoke for the likeliest label, strongest first. */
  readonly reasons: readonly string[];
}

/** All that is shared between the fields of one prompt. */
export interface Evidence {
  readonly standard: string;
  /** The examples in order, then the sample. */
  readonly samples: readonly FeaturedSample[];
  readonly likeness: Likeness;
}

/** Chosen like the shares in likeness.ts. */
const ridge = 0.35;

export function gatherEvidence(
  standard: string,
  examples: readonly FeaturedSample[],
  sample: FeaturedSample,
): Evidence {
  const samples = [...examples, sample];
  return { standard, samples, likeness: likenessOf(samples) };
}

/** `labels` holds, for each example, the index of the label that people gave it; null where they gave none. */
export function classify(
  field: AskedField,
  { standard, samples, likeness }: Evidence,
  labels: readonly (number | null)[],
): Classified {
  const codes = field.labels.map((label) => label.code);
  const phrases = readPhrases(standard, field.id, codes);
  const found = samples.map((featured) => phraseValues(phrases, featured));
  const whole = likenessFor(likeness, found);
  const priors = samples.map((featured, at) => labelPriors(field, { ...featured.values, ...found[at] }));
  const last = samples.length - 1;
  const known = labels.flatMap((label, at) => (label === null ? [] : [{ at, label }]));
  const rowOf = (at: number): Float64Array =>
    Float64Array.from(known, ({ at: other }) => whole.cells[at]?.[other] ?? 0);
  const { probabilities, alphas } = fitHead({
    kernel: stacked(
      known.map(({ at }) => rowOf(at)),
      known.length,
    ),
    toSample: rowOf(last),
    classes: known.map(({ label }) => label),
    priors: stacked(
      known.map(({ at }) => priors[at] ?? new Float64Array(codes.length)),
      codes.length,
    ),
    samplePrior: priors[last] ?? new Float64Array(codes.length),
    ridge,
  });
  const best = probabilities.indexOf(Math.max(...probabilities));
  const rows = known.map(({ at }) => at);
  return {
    probabilities,
    reasons: reasonsFor(best, whole.columns, rows, alphas, samples[last]?.values ?? {}),
  };
}

function stacked(rows: readonly Float64Array[], columns: number): Matrix {
  const cells = new Float64Array(rows.length * columns);
  for (const [at, row] of rows.entries()) cells.set(row, at * columns);
  return { columns, cells };
}

function phraseValues(phrases: StandardPhrases, featured: FeaturedSample): Record<string, number> {
  const text = `${featured.judged.text}\n${featured.shown}`;
  const telling = (quoted: readonly string[]): number =>
    hits(
      quoted.filter((phrase) => !featured.given.includes(phrase)),
      text,
    );
  const { absentKeys, slippedKeys } = featured.pictures;
  const values: Record<string, number> = {
    forbidden: telling(phrases.forbidden),
    wanted: telling(phrases.wanted),
  };
  for (const [code, quoted] of Object.entries(phrases.byLabel)) {
    const definition = phrases.definitions[code] ?? "";
    const named = (keys: readonly string[]): number =>
      keys.filter((key) => key !== "" && definition.includes(key)).length;
    values[`label:${code}`] = Math.log1p(telling(quoted));
    values[`absent:${code}`] = Math.min(2, named(absentKeys));
    values[`slipped:${code}`] = Math.min(2, named(slippedKeys));
  }
  return values;
}

/** Scores per label from constants: good news lifts labels of good news, quoted phrases lift their label. */
function labelPriors(field: AskedField, values: Readonly<Record<string, number>>): Float64Array {
  const good =
    priorScore(values, pointwiseWeights) +
    phraseWeights.forbidden * (values.forbidden ?? 0) +
    phraseWeights.wanted * (values.wanted ?? 0);
  const polarity = polarities(field);
  return Float64Array.from(
    field.labels,
    ({ code }, index) => (polarity[index] ?? 0) * good + phraseWeights.label * (values[`label:${code}`] ?? 0),
  );
}

/** Features by their part in the best label's score, most first; prior constants where nothing was learned. */
function reasonsFor(
  best: number,
  { names, values }: Columns,
  rows: readonly number[],
  alphas: Matrix,
  own: Readonly<Record<string, number>>,
): string[] {
  const parts = values.map((column, index) => {
    let weight = 0;
    rows.forEach((at, row) => {
      weight += (alphas.cells[row * alphas.columns + best] ?? 0) * (column[at] ?? 0);
    });
    return { name: names[index] ?? "", part: weight * (column.at(-1) ?? 0) };
  });
  const learned = parts.filter(({ part }) => part > 0).sort((left, right) => right.part - left.part);
  if (learned.length > 0) return learned.slice(0, 3).map(({ name }) => name);
  return Object.keys(pointwiseWeights)
    .filter((name) => (own[name] ?? 0) !== 0)
    .slice(0, 3);
}
