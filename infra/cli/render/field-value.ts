/** Answers of a field, with the names of their labels. */
import type { FieldResult } from "@touchstone/core/schema/result";
import type { FieldValue } from "@touchstone/core/schema/sample";
import type { Field } from "@touchstone/core/schema/template";
import { probability } from "./figures.ts";
import { printableLine } from "./printable.ts";

/** `A 很有用`; values that are no code of the field stay as they are. */
export const namedValue = (value: FieldValue, field: Field | undefined): string => {
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0) return "[]";
  return values.map((one) => namedCode(String(one), field)).join(", ");
};

const namedCode = (code: string, field: Field | undefined): string => {
  const label = field && "labels" in field ? field.labels.find((known) => known.code === code) : undefined;
  return printableLine(label ? `${code} ${label.name}` : code);
};

/** What the confidence says: calibrated where there is a calibration. */
export const standingProbability = ({ confidence }: FieldResult): number | null =>
  confidence.calibrated ?? confidence.raw;

/** `B 基本有用 0.52, A 很有用 0.44`: the likeliest first, at most `most` of them. */
export const namedDistribution = (
  distribution: Readonly<Record<string, number>>,
  field: Field | undefined,
  most = 4,
): string =>
  Object.entries(distribution)
    .sort(([, left], [, right]) => right - left)
    .slice(0, most)
    .map(([code, share]) => `${namedCode(code, field)} ${probability(share)}`)
    .join(", ");
