/** Confidence by vote: the judge is asked again where it was on the borderline, and only there. Called by `judging`. */
import type { FieldValue } from "../../schema/sample.ts";
import type { Field, Template } from "../../schema/template.ts";
import type { FieldReading } from "../decide/decide.ts";

export interface Vote {
  /** Fields whose confidence will be the vote's. */
  readonly fields: readonly string[];
  /** Calls beyond the answer that is there already. */
  readonly calls: number;
  readonly temperature: number;
}

/**
 * Whether to vote, and on what: fields with one label whose probability lies in the policy's band, or is missing. Where
 * some field is less certain than the band, a person will look in any case, and nothing is asked.
 */
export function voteOn(
  fields: readonly Field[],
  readings: readonly FieldReading[],
  policy: Template["judge"]["vote"],
): Vote | null {
  if (policy === undefined) return null;
  const closed = new Set(fields.flatMap((field) => (isClosed(field) ? [field.id] : [])));
  const answered = readings.filter(({ id, value }) => closed.has(id) && value !== null);
  const known = answered.flatMap(({ raw }) => (raw === null ? [] : [raw]));
  if (known.some((raw) => raw < policy.from)) return null;
  const unsure = answered.filter(({ raw }) => raw === null || raw < policy.below);
  if (unsure.length === 0) return null;
  return {
    fields: unsure.map(({ id }) => id),
    calls: policy.samples - 1,
    temperature: policy.temperature,
  };
}

/**
 * The reading after a vote: the value that most of the k answers gave (the first one's in a tie), with the share of its
 * c votes, smoothed by one vote for each label: (c + 1) / (k + |L|). An answer without a value is a vote for none.
 */
export function voted(
  field: Field,
  reading: FieldReading,
  others: readonly (FieldValue | null)[],
): FieldReading {
  if (!isClosed(field)) return reading;
  const votes = [reading.value, ...others];
  const total = votes.length + field.labels.length;
  const shares = field.labels.map(({ code }): readonly [string, number] => [
    code,
    (votes.filter((value) => value === code).length + 1) / total,
  ]);
  const most = Math.max(...shares.map(([, share]) => share));
  const isMost = (code: FieldValue | null): boolean =>
    shares.some(([label, share]) => label === code && share === most);
  const value = isMost(reading.value) ? reading.value : (shares.find(([code]) => isMost(code))?.[0] ?? null);
  return { ...reading, value, source: "vote", raw: most, distribution: Object.fromEntries(shares) };
}

const isClosed = (field: Field): field is Extract<Field, { kind: "label" | "ordinal" }> =>
  field.kind === "label" || field.kind === "ordinal";
