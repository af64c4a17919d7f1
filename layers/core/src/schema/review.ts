/** Review tasks, the hint that SQS carries about them, and the verdicts people give. Versioned: others read these. */
import * as z from "zod";
import { gistListSchema } from "./gist.ts";
import { objectRefSchema, sampleKeySchema } from "./identity.ts";
import { reasonSchema } from "./outcome.ts";
import { evidenceSchema, fieldResultSchema } from "./result.ts";
import { rubricResultSchema } from "./rubric.ts";
import { fieldValueSchema, sampleSchema } from "./sample.ts";
import { templatePinSchema } from "./template.ts";

/** `adjudicate`: a second, blind look at an audit, by somebody else; its answer stands. */
export const reviewKinds = ["review", "audit", "adjudicate"] as const;
export const reviewStates = ["open", "claimed", "done"] as const;

export const samplePayloadSchema = z.union([
  z.strictObject({ sample: sampleSchema }),
  /** Where the sample lies when it is too large to travel. */
  z.strictObject({ pointer: objectRefSchema }),
]);
export type SamplePayload = z.infer<typeof samplePayloadSchema>;

export const gistPayloadShape = {
  gists: gistListSchema,
  /** Where they lie when they are too large to travel; `gists` is empty then. */
  gistsAt: objectRefSchema.optional(),
};
const gistPayloadSchema = z.strictObject(gistPayloadShape);
export type GistPayload = z.infer<typeof gistPayloadSchema>;

/** What SCORE hands over so that a person can answer without looking anything up. */
export const reviewRequestSchema = z.strictObject({
  kind: z.enum(reviewKinds),
  payload: samplePayloadSchema.nullable(),
  reasons: z.array(reasonSchema),
  /** Fields and criteria a person is asked for. */
  questions: z.array(z.string()),
  /** The machine's answers; empty for audits, which are blind. */
  prefill: z.array(fieldResultSchema),
  /** The rubric as the machine left it; absent for audits. */
  rubric: rubricResultSchema.optional(),
  explanation: z.string().optional(),
  evidence: z.array(evidenceSchema).optional(),
  ...gistPayloadShape,
  template: templatePinSchema.nullable(),
  /** Higher is sooner: the expected value of a human answer, 0 to 1. */
  priority: z.number().min(0).max(1),
  slaHours: z.number().gt(0),
});
export type ReviewRequest = z.infer<typeof reviewRequestSchema>;

/** A human answer to the questions of a review task. */
export const verdictSchema = z.strictObject({
  schema: z.literal(1),
  reviewer: z.string().trim().min(1).max(128),
  /** By field or criterion id. */
  values: z.record(z.string(), fieldValueSchema),
  /** The rubric with these answers in it, scored in code. */
  rubric: rubricResultSchema.optional(),
  note: z.string().max(2000).optional(),
  /** Epoch milliseconds. */
  at: z.int().min(0),
});
export type Verdict = z.infer<typeof verdictSchema>;

export const reviewTaskSchema = z.strictObject({
  schema: z.literal(1),
  /** `<sample key>#<kind>`: deterministic, so a task opens once. */
  id: z.string(),
  key: sampleKeySchema,
  sampleId: z.string(),
  task: z.string(),
  ...reviewRequestSchema.shape,
  state: z.enum(reviewStates),
  createdAt: z.int().min(0),
  dueAt: z.int().min(0),
  /** Present while claimed: who, until when, and the fencing token a verdict must carry. */
  lease: z.strictObject({ reviewer: z.string(), token: z.string(), expiresAt: z.int() }).optional(),
  /** Who may not claim it, having answered the same questions before. */
  notBy: z.array(z.string()).optional(),
  verdict: verdictSchema.optional(),
});
export type ReviewTask = z.infer<typeof reviewTaskSchema>;

/** The message on the review queue: a hint only; the record is the task itself. */
export const reviewHintSchema = z.strictObject({
  schema: z.literal(1),
  reviewId: z.string(),
  kind: z.enum(reviewKinds),
  task: z.string(),
  batch: z.string(),
  sampleId: z.string(),
  priority: z.number(),
  createdAt: z.int(),
  dueAt: z.int(),
});
export type ReviewHint = z.infer<typeof reviewHintSchema>;
