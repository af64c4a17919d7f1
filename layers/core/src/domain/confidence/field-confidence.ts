/** How sure the judge was of each field it answered, from the logprobs of that field's own tokens. Called by SCORE. */
import type { ChatCompletion } from "../../schema/chat.ts";
import type { Field } from "../../schema/template.ts";
import type { Answer } from "../judge/answer.ts";
import type { AnswerValue, Span } from "../judge/field-values.ts";
import { type Alignment, alignTokens, type PlacedToken } from "./align-tokens.ts";
import { probability, type ValuePlace, walkLabels } from "./label-distribution.ts";

export const confidenceStatuses = [
  "ok",
  /** No logprobs, or none for a token that matters. Never read as certainty. */
  "missing",
  /** The tokens could not be found in the text. */
  "unaligned",
  /** The value is written with escapes: only the joint probability of its tokens is known. */
  "escaped",
  /** The server listed no alternatives: only the joint probability is known, which is a lower bound. */
  "no-alternatives",
  "no-valid-mass",
  "not-in-labels",
  /** Free text: its tokens have a probability, its meaning has none. */
  "free-text",
] as const;
export type ConfidenceStatus = (typeof confidenceStatuses)[number];

export interface FieldConfidence {
  readonly status: ConfidenceStatus;
  /** Probability of the answered value; null where it is not known. */
  readonly pRaw: number | null;
  /** Probability by label code, sums to 1; null where there are no labels or it is not known. */
  readonly distribution: Readonly<Record<string, number>> | null;
  /** Lead of the likeliest label over the next. */
  readonly margin: number | null;
  /** Entropy of the distribution, 0 to 1. */
  readonly entropyNorm: number | null;
  /** Smallest share of probability on allowed labels along the way; low means the judge wanted to say something else. */
  readonly validMass: number | null;
  /** Product, geometric mean and minimum of the probabilities of the value's own tokens. */
  readonly joint: number | null;
  readonly geo: number | null;
  readonly min: number | null;
  /** How the tokens were aligned. */
  readonly mode: Alignment["mode"] | null;
}

const nothing = {
  pRaw: null,
  distribution: null,
  margin: null,
  entropyNorm: null,
  validMass: null,
  joint: null,
  geo: null,
  min: null,
  mode: null,
};

/** The confidence of every answered field, by field id. */
export function fieldConfidences(
  fields: readonly Field[],
  answer: Answer,
  completion: ChatCompletion,
): Map<string, FieldConfidence> {
  const tokens = completion.choices?.[0]?.logprobs?.content;
  const alignment = tokens && tokens.length > 0 ? alignTokens(answer.content, tokens) : null;
  return new Map(
    fields.flatMap((field): [string, FieldConfidence][] => {
      const value = answer.values.get(field.id);
      if (!value) return [];
      if (!tokens || tokens.length === 0) return [[field.id, { status: "missing", ...nothing }]];
      if (!alignment) return [[field.id, { status: "unaligned", ...nothing }]];
      return [[field.id, fieldConfidence(field, value, answer.content, alignment)]];
    }),
  );
}

function fieldConfidence(
  field: Field,
  answered: AnswerValue,
  content: string,
  alignment: Alignment,
): FieldConfidence {
  switch (field.kind) {
    case "label":
    case "ordinal": {
      const labels = field.labels.map((label) => label.code);
      return labelConfidence(content, alignment, answered.rawSpan, labels, String(answered.value));
    }
    case "labels":
      return setConfidence(
        field.labels.map((label) => label.code),
        answered,
        content,
        alignment,
      );
    case "text":
    case "list": {
      const place = valuePlace(content, answered.rawSpan);
      const own = ownTokens(alignment.tokens, place.start, place.end);
      const product = jointOf(own);
      if (!product) return { status: "missing", ...nothing, mode: alignment.mode };
      const pRaw = field.kind === "list" ? product.joint : null;
      const status = field.kind === "list" ? "ok" : "free-text";
      return { ...nothing, status, pRaw, ...product, mode: alignment.mode };
    }
    default:
      return field satisfies never;
  }
}

/** One label out of a closed set; `rawSpan` is the value in `content`, quotes included. */
export function labelConfidence(
  content: string,
  alignment: Alignment,
  rawSpan: Span,
  labels: readonly string[],
  value: string,
): FieldConfidence {
  const place = valuePlace(content, rawSpan);
  const own = ownTokens(alignment.tokens, place.start, place.end);
  const product = jointOf(own);
  const base = { ...nothing, mode: alignment.mode };
  if (own.length === 0 || !product) return { ...base, status: "missing" };
  const known = { ...base, ...product };
  const joint = { ...known, pRaw: product.joint };
  if (content.slice(place.start, place.end).normalize("NFKC") !== value)
    return { ...joint, status: "escaped" };
  const next = alignment.tokens.find((placed) => placed.start >= place.end);
  const walk = walkLabels(content, next ? [...own, next] : own, place, labels);
  switch (walk.status) {
    case "ok": {
      const shares = [...walk.distribution.values()].sort((left, right) => right - left);
      return {
        ...known,
        status: "ok",
        pRaw: walk.distribution.get(value) ?? 0,
        distribution: Object.fromEntries(walk.distribution),
        margin: (shares[0] ?? 0) - (shares[1] ?? 0),
        entropyNorm: entropy(shares) / Math.log(Math.max(2, labels.length)),
        validMass: walk.validMass,
      };
    }
    case "no-alternatives":
      return { ...joint, status: walk.status };
    case "missing":
    case "no-valid-mass":
    case "not-in-labels":
      return { ...known, status: walk.status };
    default:
      return walk satisfies never;
  }
}

/**
 * Several labels: the product of each element's probability among the labels not yet named, and of the tokens that
 * separate and end the list, since ending it there was a choice too.
 */
function setConfidence(
  labels: readonly string[],
  answered: AnswerValue,
  content: string,
  alignment: Alignment,
): FieldConfidence {
  const [start, end] = answered.rawSpan;
  const all = ownTokens(alignment.tokens, start, end);
  const product = jointOf(all);
  const values = Array.isArray(answered.value) ? answered.value : [];
  if (!product) return { ...nothing, status: "missing", mode: alignment.mode };
  const known = { ...nothing, ...product, mode: alignment.mode };
  const places = answered.elementSpans.map((span) => valuePlace(content, span));
  const between = all.filter(
    (placed) => !places.some((place) => placed.start < place.end && placed.end > place.start),
  );
  let pRaw = jointOf(between)?.joint ?? 1;
  let validMass = 1;
  for (const [index, span] of answered.elementSpans.entries()) {
    const left = labels.filter((label) => !values.slice(0, index).includes(label));
    const element = labelConfidence(content, alignment, span, left, values[index] ?? "");
    if (element.pRaw === null || element.status !== "ok") {
      return { ...known, status: element.status, pRaw: element.pRaw === null ? null : product.joint };
    }
    pRaw *= element.pRaw;
    validMass = Math.min(validMass, element.validMass ?? 1);
  }
  return { ...known, status: "ok", pRaw, validMass };
}

/** A string's place between its quotes; a number or literal is its whole span. */
function valuePlace(content: string, [start, end]: Span): ValuePlace {
  const quoted = /["“”＂]/.test(content[start] ?? "");
  return quoted ? { start: start + 1, end: end - 1, quoted } : { start, end, quoted };
}

/** Tokens that share at least one character with the place; one that only touches its quote does not. */
function ownTokens(tokens: readonly PlacedToken[], start: number, end: number): PlacedToken[] {
  return tokens.filter((placed) => placed.start < end && placed.end > start);
}

function jointOf(tokens: readonly PlacedToken[]): { joint: number; geo: number; min: number } | null {
  let joint = 1;
  let min = 1;
  for (const { token } of tokens) {
    const share = probability(token.logprob);
    if (share === null) return null;
    joint *= share;
    min = Math.min(min, share);
  }
  return { joint, geo: joint ** (1 / Math.max(1, tokens.length)), min };
}

const entropy = (shares: readonly number[]): number =>
  -shares.reduce((sum, share) => (share > 0 ? sum + share * Math.log(share) : sum), 0);
