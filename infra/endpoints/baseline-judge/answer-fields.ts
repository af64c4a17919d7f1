/** Answers every field of a prompt: features, examples, probabilities. Called by the server. */
import { type Classified, classify, type Evidence, gatherEvidence } from "./classify.ts";
import { comparePair, type Pair, sidesOf } from "./compare-candidates.ts";
import { type FeaturedSample, featuresOf, judgedText } from "./features.ts";
import type { AskedField, ShownExample, ShownLabel, ShownPrompt, ShownSample } from "./read-prompt.ts";

export type FieldAnswer =
  | {
      readonly kind: "choice";
      readonly field: AskedField;
      readonly probabilities: readonly number[];
      readonly reasons: readonly string[];
    }
  /** Each label by itself: the probability that it belongs to the set. */
  | { readonly kind: "set"; readonly field: AskedField; readonly probabilities: readonly number[] }
  /** Text and lists are beyond this judge: nothing, or the least that is allowed. */
  | { readonly kind: "blank"; readonly field: AskedField };

/** Looks up or computes the features of a text in a sample. */
export type Featurer = (sample: ShownSample, raw: string) => FeaturedSample;

/** Features do not depend on the request, so those of recalled examples are kept; at most `size` of them. */
export function createFeaturer(size: number): Featurer {
  const kept = new Map<string, FeaturedSample>();
  return (sample, raw) => {
    const key = JSON.stringify([sample, raw]);
    const found = kept.get(key) ?? featuresOf(sample, raw);
    // Inserted again, so that the oldest key is the one that was used longest ago.
    kept.delete(key);
    kept.set(key, found);
    const oldest = kept.keys().next();
    if (kept.size > size && !oldest.done) kept.delete(oldest.value);
    return found;
  };
}

export function answerFields(prompt: ShownPrompt, featurer: Featurer): FieldAnswer[] {
  const examples = prompt.examples.map(({ sample }) => featurer(sample, judgedText(sample)));
  const sample = featurer(prompt.sample, judgedText(prompt.sample));
  const evidence = gatherEvidence(prompt.standard, examples, sample);
  return prompt.fields.map((field): FieldAnswer => {
    switch (field.kind) {
      case "label":
      case "ordinal":
        return {
          kind: "choice",
          field,
          ...(preference(field, prompt, featurer) ?? choice(field, prompt, evidence)),
        };
      case "labels":
        return {
          kind: "set",
          field,
          probabilities: field.labels.map((label) => membership(field, label, prompt, evidence)),
        };
      case "text":
      case "list":
        return { kind: "blank", field };
      default:
        return field.kind satisfies never;
    }
  });
}

const labelOf = (field: AskedField, { answers }: ShownExample): number | null => {
  const index = field.labels.findIndex(({ code }) => code === answers[field.id]);
  return index < 0 ? null : index;
};

function choice(field: AskedField, prompt: ShownPrompt, evidence: Evidence): Classified {
  return classify(
    field,
    evidence,
    prompt.examples.map((example) => labelOf(field, example)),
  );
}

/** Where the field asks which of two candidates is better; null where it asks anything else. */
function preference(field: AskedField, prompt: ShownPrompt, featurer: Featurer): Classified | null {
  const sides = sidesOf(field, prompt.sample.candidates.length);
  const pair = pairOf(prompt.sample, featurer);
  if (!sides || !pair) return null;
  const examples = prompt.examples.flatMap((example) => {
    const label = labelOf(field, example);
    const shown = pairOf(example.sample, featurer);
    return shown && label !== null ? [{ pair: shown, label }] : [];
  });
  return comparePair(field, sides, pair, examples);
}

function pairOf(sample: ShownSample, featurer: Featurer): Pair | null {
  const [first, second] = sample.candidates;
  if (!first || !second || sample.candidates.length > 2) return null;
  return { first: featurer(sample, first.text), second: featurer(sample, second.text) };
}

/** Whether one label belongs to the set, as a field of two labels. */
function membership(field: AskedField, label: ShownLabel, prompt: ShownPrompt, evidence: Evidence): number {
  const out = { code: "-", name: "", description: "" };
  const asked: AskedField = { ...field, kind: "label", labels: [label, out] };
  const labels = prompt.examples.map(({ answers }) => {
    const chosen = answers[field.id];
    return Array.isArray(chosen) ? (chosen.includes(label.code) ? 0 : 1) : null;
  });
  return classify(asked, evidence, labels).probabilities[0] ?? 0.5;
}
