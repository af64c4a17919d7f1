/** Rules of the review hop: what a verdict must hold, and what a person is shown. */
import { formatSampleKey, type SampleKey } from "../../schema/identity.ts";
import type { VerdictMessage } from "../../schema/messages.ts";
import type { ReviewHint, ReviewTask, Verdict } from "../../schema/review.ts";
import type { FieldValue } from "../../schema/sample.ts";
import type { Field } from "../../schema/template.ts";

/** The first fault of a verdict's values against the fields asked; null if they fit. */
export const verdictFault = (
  values: Readonly<Record<string, FieldValue>>,
  questions: readonly string[],
  fields: readonly Field[],
): string | null => {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const missing = questions.find((id) => !Object.hasOwn(values, id));
  if (missing !== undefined) return `the question "${missing}" has no answer`;
  for (const [id, value] of Object.entries(values)) {
    const field = byId.get(id);
    // A sample that no template took is answered with the reviewer's own words.
    if (!field && fields.length === 0) continue;
    if (!field) return `there is no field "${id}"`;
    const fault = valueFault(field, value);
    if (fault) return fault;
  }
  return null;
};

const valueFault = (field: Field, value: FieldValue): string | null => {
  switch (field.kind) {
    case "label":
    case "ordinal": {
      const codes = field.labels.map((label) => label.code);
      return typeof value === "string" && codes.includes(value)
        ? null
        : `"${field.id}" must be one of ${codes.join(", ")}`;
    }
    case "labels": {
      const codes = field.labels.map((label) => label.code);
      return Array.isArray(value) && value.every((code) => codes.includes(code))
        ? null
        : `"${field.id}" must be a list of ${codes.join(", ")}`;
    }
    case "text":
      return typeof value === "string" && value.length <= field.maxLength
        ? null
        : `"${field.id}" must be text of at most ${field.maxLength} characters`;
    case "list":
      return Array.isArray(value) && value.length <= field.maxItems
        ? null
        : `"${field.id}" must be a list of at most ${field.maxItems} ids`;
    default:
      return field satisfies never;
  }
};

/** Whether the machine's answers, and those of others, are kept from who answers it. */
export const isBlind = ({ kind }: Pick<ReviewTask, "kind">): boolean => kind !== "review";

/** Whether that person may claim the task at all. */
export const mayClaim = ({ notBy }: Pick<ReviewTask, "notBy">, reviewer: string): boolean =>
  notBy === undefined || !notBy.includes(reviewer);

/** What a reviewer may see of a task: an audit is blind, so the machine's answers are left out. */
export const shownToReviewer = (task: ReviewTask): ReviewTask =>
  isBlind(task)
    ? { ...task, prefill: [], reasons: [], explanation: undefined, evidence: undefined, rubric: undefined }
    : task;

/** The hint for the review queue: enough to choose by, nothing personal. */
export const hintOf = (task: ReviewTask): ReviewHint => ({
  schema: 1,
  reviewId: task.id,
  kind: task.kind,
  task: task.task,
  batch: task.key.batch,
  sampleId: task.sampleId,
  priority: task.priority,
  createdAt: task.createdAt,
  dueAt: task.dueAt,
});

/** Made of the sample's key, so a task opens once however often its message comes. */
export const reviewIdOf = (key: SampleKey, kind: ReviewTask["kind"]): string =>
  `${formatSampleKey(key)}#${kind}`;

/** How SETTLE hears of a verdict. */
export const verdictMessageOf = (task: ReviewTask, verdict: Verdict): VerdictMessage => ({
  kind: "verdict",
  schema: 1,
  key: task.key,
  task: task.task,
  review: task.kind,
  verdict,
});
