/** The judge's probabilities of the allowed labels, from the tokens of its answer: a walk down the labels' prefix tree. */
import type { TokenLogprob } from "../../schema/chat.ts";
import type { PlacedToken } from "./align-tokens.ts";

/** A value's place between its quotes. */
export interface ValuePlace {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

export type LabelWalk =
  | {
      readonly status: "ok";
      /** By label; sums to 1. */
      readonly distribution: ReadonlyMap<string, number>;
      /** The smallest share of probability that continued some allowed label, over the tokens walked. */
      readonly validMass: number;
    }
  | { readonly status: "missing" | "no-alternatives" | "no-valid-mass" | "not-in-labels" };

/** Servers write this, or less, for "not among the tokens I list". */
const unlisted = -9999;

/** A log probability as a probability; null where the server did not give one. */
export function probability(logprob: number | null): number | null {
  // A positive value is a raw logit: of no use as a probability.
  return logprob === null || !(logprob > unlisted) || logprob > 1e-6 ? null : Math.min(1, Math.exp(logprob));
}

/**
 * Walks the tokens of a value (and the one after it, which tells `1` from `10`) and shares the probability among the
 * labels that each candidate token continues. Only mass on allowed labels counts, so the result is renormalised.
 */
export function walkLabels(
  content: string,
  tokens: readonly PlacedToken[],
  place: ValuePlace,
  labels: readonly string[],
): LabelWalk {
  const distribution = new Map(labels.map((label) => [label, 0]));
  const give = (to: readonly string[], mass: number) => {
    for (const label of to) distribution.set(label, (distribution.get(label) ?? 0) + mass / to.length);
  };
  let alive = labels;
  let carry = 1;
  let validMass = 1;
  for (const placed of tokens) {
    if (alive.length === 1) break;
    const chosen = probability(placed.token.logprob);
    if (chosen === null) return { status: "missing" };
    if (!placed.token.top_logprobs?.length) return { status: "no-alternatives" };
    const groups = new Map<string, { labels: readonly string[]; mass: number }>();
    let chosenKey = "";
    let total = 0;
    for (const [text, mass] of candidates(placed.token, chosen)) {
      const continued = continuedLabels(text, content, placed, place, alive);
      const key = continued.join("\n");
      if (text === placed.token.token) chosenKey = key;
      if (continued.length === 0) continue;
      groups.set(key, { labels: continued, mass: (groups.get(key)?.mass ?? 0) + mass });
      total += mass;
    }
    if (total <= 0) return { status: "no-valid-mass" };
    const taken = groups.get(chosenKey);
    if (!taken) return { status: "not-in-labels" };
    validMass = Math.min(validMass, total);
    for (const [key, group] of groups)
      if (key !== chosenKey) give(group.labels, (carry * group.mass) / total);
    carry *= taken.mass / total;
    alive = taken.labels;
  }
  const value = content.slice(place.start, place.end).normalize("NFKC");
  if (!alive.includes(value)) return { status: "not-in-labels" };
  // Labels that no token told apart: the text itself did.
  give([value], carry);
  return { status: "ok", distribution, validMass: Math.min(1, validMass) };
}

/** The chosen token and its alternatives, each text once. */
function candidates(token: TokenLogprob, chosen: number): Map<string, number> {
  const texts = new Map([[token.token, chosen]]);
  for (const alternative of token.top_logprobs ?? []) {
    const mass = probability(alternative.logprob);
    if (mass !== null && !texts.has(alternative.token)) texts.set(alternative.token, mass);
  }
  return texts;
}

/** The labels that the value may still become when a candidate stands where the chosen token stands. */
function continuedLabels(
  text: string,
  content: string,
  placed: PlacedToken,
  place: ValuePlace,
  alive: readonly string[],
): string[] {
  const rest = withoutLead(text, content.slice(placed.start, Math.max(placed.start, place.start)));
  if (rest === null) return [];
  const emitted = content.slice(place.start, Math.max(place.start, placed.start));
  // White space before a bare number is no part of it; inside quotes it would be.
  const added = emitted === "" && !place.quoted ? rest.trimStart() : rest;
  const full = (emitted + added).normalize("NFKC");
  const end = place.quoted ? /^["”]/ : /^[\s,}\]]/;
  const ended = alive.filter((label) => full.startsWith(label) && end.test(full.slice(label.length)));
  return ended.length > 0 ? ended : alive.filter((label) => label.startsWith(full));
}

/** A candidate without the quote, colon or space that the chosen token carries before the value; null without it. */
function withoutLead(text: string, lead: string): string | null {
  const marks = lead.replace(/\s+/g, "");
  if (marks === "") return lead === "" ? text : text.trimStart();
  let at = 0;
  for (const mark of marks) {
    while (/\s/.test(text[at] ?? "")) at++;
    if (text[at] !== mark) return null;
    at++;
  }
  return text.slice(at);
}
