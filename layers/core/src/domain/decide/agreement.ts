/** Whether the machine's values equal the human labels that came with a sample. */
import type { FieldResult } from "../../schema/result.ts";
import { gradeLabel } from "../../schema/rubric-links.ts";
import type { FieldValue, Sample } from "../../schema/sample.ts";

/** Per labelled field, and for the grade where one is labelled; what is undecided agrees with nothing and is left out. */
export const agreementWith = (
  labels: Sample["labels"],
  fields: readonly FieldResult[],
  grade: string | null = null,
): Record<string, boolean> | undefined => {
  const answers = [...fields, { id: gradeLabel, value: grade }];
  const compared = answers.flatMap(({ id, value }) => {
    const label = labels && Object.hasOwn(labels, id) ? labels[id] : undefined;
    return label === undefined || value === null ? [] : [[id, sameValue(label, value)] as const];
  });
  return compared.length === 0 ? undefined : Object.fromEntries(compared);
};

/** Lists are compared as sets; numbers and their text are the same value. */
export const sameValue = (left: FieldValue, right: FieldValue): boolean => {
  const [a, b] = [left, right].map((value) => (Array.isArray(value) ? [...value].sort() : [String(value)]));
  return a?.length === b?.length && (a ?? []).every((item, index) => item === b?.[index]);
};
