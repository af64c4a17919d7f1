/** Gives every label of a field a probability, from the prompt alone. Called by answer-fields.ts. */
import type { FeaturedSample } from "./features.ts";
import { fitHead, type Matrix } from "./head.ts";
import { phraseWeights, pointwiseWeights, polarities, priorScore } from "./prior.ts";
import type { AskedField } from "./read-prompt.ts";
import { hits, readPhrases, type StandardPhrases } from "./standard-phrases.ts";
import { textKernel } from "./text-kernel.ts";

export interface LabelledSample {
  readonly featured: FeaturedSample;
  /** Index of the label that people gave. */
  readonly label: number;
}

export interface Classified {
  /** By label, in the field's order. */
  readonly probabilities: readonly number[];
  /** Features that spoke for the likeliest label, strongest first. */
  readonly reasons: readonly string[];
}

/** Set on the halves of the labelled sets that examples are drawn from; see README of this folder's bench. */
const linearShare = 6;
const textShare = 3;
const biasShare = 1;
const ridge = 0.35;
const clip = 2.5;

export function classify(
  field: AskedField,
  standard: string,
  sample: FeaturedSample,
  examples: readonly LabelledSample[],
): Classified {
  const phrases = readPhrases(
    standard,
    field.id,
    field.labels.map((label) => label.code),
  );
  const all = [...examples.map(({ featured }) => featured), sample];
  const rows = all.map((featured) => ({ ...featured.values, ...phraseValues(phrases, featured) }));
  const { columns, names } = standardise(rows);
  const texts = textKernel(all.map((featured) => featured.judged));
  const kernel = kernelOf(columns, texts);
  const n = examples.length;
  const priors = rows.map((values) => labelPriors(field, values));
  const { probabilities, alphas } = fitHead({
    kernel: kernel.slice(0, n).map((row) => row.slice(0, n)),
    toSample: (kernel[n] ?? new Float64Array(n + 1)).slice(0, n),
    classes: examples.map(({ label }) => label),
    classCount: field.labels.length,
    priors: priors.slice(0, n),
    samplePrior: priors[n] ?? new Float64Array(field.labels.length),
    ridge,
  });
  const best = probabilities.indexOf(Math.max(...probabilities));
  return { probabilities, reasons: reasonsFor(best, columns, names, alphas, rows[n] ?? {}) };
}

function phraseValues(phrases: StandardPhrases, featured: FeaturedSample): Record<string, number> {
  const text = `${featured.judged.text}\n${featured.shown}`;
  return {
    forbidden: hits(phrases.forbidden, text),
    wanted: hits(phrases.wanted, text),
    ...Object.fromEntries(
      Object.entries(phrases.byLabel).map(([code, quoted]) => [
        `label:${code}`,
        Math.log1p(hits(quoted, text)),
      ]),
    ),
  };
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
    (label, index) =>
      (polarity[index] ?? 0) * good + phraseWeights.label * (values[`label:${label.code}`] ?? 0),
  );
}

/** Columns with mean 0 and deviation 1 over all rows, extremes clipped; constant columns are left out. */
function standardise(rows: readonly Readonly<Record<string, number>>[]): {
  columns: readonly Float64Array[];
  names: readonly string[];
} {
  const columns: Float64Array[] = [];
  const names: string[] = [];
  for (const name of Object.keys(rows[0] ?? {})) {
    const column = Float64Array.from(rows, (row) => row[name] ?? 0);
    const mean = column.reduce((sum, value) => sum + value, 0) / rows.length;
    const deviation = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rows.length);
    if (deviation < 1e-9) continue;
    columns.push(column.map((value) => Math.max(-clip, Math.min(clip, (value - mean) / deviation))));
    names.push(name);
  }
  return { columns, names };
}

function kernelOf(columns: readonly Float64Array[], texts: Matrix): Float64Array[] {
  const scale = linearShare / Math.max(1, columns.length);
  return texts.map((row, at) =>
    row.map((likeness, other) => {
      let product = 0;
      for (const column of columns) product += (column[at] ?? 0) * (column[other] ?? 0);
      return scale * product + textShare * likeness + biasShare;
    }),
  );
}

/** Features by their part in the best label's score, most first; prior constants count where nothing was learned. */
function reasonsFor(
  best: number,
  columns: readonly Float64Array[],
  names: readonly string[],
  alphas: Matrix,
  own: Readonly<Record<string, number>>,
): string[] {
  const parts = columns.map((column, index) => {
    let weight = 0;
    for (const [row, alpha] of alphas.entries()) weight += (alpha[best] ?? 0) * (column[row] ?? 0);
    return { name: names[index] ?? "", part: weight * (column.at(-1) ?? 0) };
  });
  const learned = parts.filter(({ part }) => part > 0).sort((left, right) => right.part - left.part);
  if (learned.length > 0) return learned.slice(0, 3).map(({ name }) => name);
  return Object.keys(pointwiseWeights)
    .filter((name) => (own[name] ?? 0) !== 0)
    .slice(0, 3);
}
