/** The messages between hops. Each hop's output schema is the next hop's input schema. */
import * as z from "zod";
import { mediaProblemSchema } from "./gist.ts";
import { batchIdSchema, objectRefSchema, sampleKeySchema } from "./identity.ts";
import { outcomes } from "./outcome.ts";
import { callTypes, resultSchema } from "./result.ts";
import {
  gistPayloadShape,
  reviewKinds,
  reviewRequestSchema,
  samplePayloadSchema,
  verdictSchema,
} from "./review.ts";
import { lostCauses } from "./tallies.ts";
import { templatePinSchema } from "./template.ts";

/** What travels with every sample from INTAKE on. */
const travelling = {
  schema: z.literal(1),
  key: sampleKeySchema,
  sampleId: z.string().min(1),
  /** Line of the source file, from 1. */
  line: z.int().min(1),
  source: objectRefSchema,
  payload: samplePayloadSchema,
  template: templatePinSchema,
  callType: z.enum(callTypes),
  /** Epoch milliseconds at which the batch's file arrived. */
  arrivedAt: z.int().min(0),
  /** Times it was put off at this hop without having failed: a throttled model, media that is late. */
  waits: z.int().min(0).optional(),
  /** Epoch milliseconds at which it was first put off at this hop. */
  waitingSince: z.int().min(0).optional(),
};

/** INTAKE → DESCRIBE, for samples with media. */
export const describeRequestSchema = z.strictObject({
  ...travelling,
  /** Failed attempts to describe so far; waiting for a throttled model is not one. */
  attempts: z.int().min(0),
});
export type DescribeRequest = z.infer<typeof describeRequestSchema>;

/** INTAKE or DESCRIBE → SCORE. */
export const scoreRequestSchema = z.strictObject({
  ...travelling,
  ...gistPayloadShape,
  problems: z.array(mediaProblemSchema),
});
export type ScoreRequest = z.infer<typeof scoreRequestSchema>;

/** A decided sample → SETTLE. */
export const outcomeMessageSchema = z.strictObject({
  kind: z.literal("outcome"),
  schema: z.literal(1),
  key: sampleKeySchema,
  sampleId: z.string(),
  task: z.string(),
  outcome: z.enum(outcomes),
  decidedAt: z.int().min(0),
  /** Present where a person must look. */
  review: reviewRequestSchema.nullable(),
  /** For telemetry: whether a certificate stands behind the answer, or why a person must give it. */
  coverage: z.strictObject({ certified: z.boolean(), lost: z.enum(lostCauses).nullable() }).optional(),
  /** The result, where no hop before has stored it (a bad line, an unrouted or a lost sample). */
  record: resultSchema.nullable(),
});

/** INTAKE's seal, and anyone's "look again": test whether a batch is complete. */
export const checkMessageSchema = z.strictObject({
  kind: z.literal("check"),
  schema: z.literal(1),
  batch: batchIdSchema,
  run: z.int().min(1),
});

/** REVIEW → SETTLE: a person has answered. */
export const verdictMessageSchema = z.strictObject({
  kind: z.literal("verdict"),
  schema: z.literal(1),
  key: sampleKeySchema,
  task: z.string(),
  review: z.enum(reviewKinds),
  verdict: verdictSchema,
});

/** Outcomes that became known at about the same time → SETTLE; one that comes alone travels as itself. */
export const outcomesMessageSchema = z.strictObject({
  kind: z.literal("outcomes"),
  schema: z.literal(1),
  outcomes: z.array(outcomeMessageSchema).min(1),
});

export const settleMessageSchema = z.discriminatedUnion("kind", [
  outcomeMessageSchema,
  outcomesMessageSchema,
  checkMessageSchema,
  verdictMessageSchema,
]);
export type SettleMessage = z.infer<typeof settleMessageSchema>;
/** What hops tell SETTLE, and what it settles: each by itself, however it travelled. */
export type SettleEntry = Exclude<SettleMessage, { kind: "outcomes" }>;
export type OutcomeMessage = z.infer<typeof outcomeMessageSchema>;
export type CheckMessage = z.infer<typeof checkMessageSchema>;
export type VerdictMessage = z.infer<typeof verdictMessageSchema>;
