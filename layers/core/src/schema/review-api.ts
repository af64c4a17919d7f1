/** Bodies of the review API. Versioned by path (`/v1/…`), because people call it with their own tools. */
import * as z from "zod";
import { reviewTaskSchema } from "./review.ts";
import { fieldValueSchema } from "./sample.ts";
import { fieldSchema } from "./template.ts";

export const claimBodySchema = z.strictObject({
  reviewer: z.string().trim().min(1).max(128),
  /** Claim this very task, e.g. the one a queue hint names; else the most useful open one. */
  reviewId: z.string().optional(),
  task: z.string().optional(),
});
export const leaseBodySchema = z.strictObject({ reviewId: z.string().min(1), token: z.string().min(1) });
export const verdictBodySchema = leaseBodySchema.extend({
  values: z.record(z.string(), fieldValueSchema),
  note: z.string().max(2000).optional(),
});

/** A claimed task with all a person needs to answer it. */
export const claimedReviewSchema = z.strictObject({
  task: reviewTaskSchema,
  fields: z.array(fieldSchema),
  standard: z.string(),
});
export type ClaimedReview = z.infer<typeof claimedReviewSchema>;

export const reviewErrorKinds = [
  "bad-request",
  "not-found",
  "nothing-open",
  "not-yours",
  "lease-lost",
  "already-decided",
  "bad-verdict",
] as const;
export const reviewErrorSchema = z.strictObject({
  error: z.strictObject({ kind: z.enum(reviewErrorKinds), message: z.string() }),
});
export type ReviewErrorKind = (typeof reviewErrorKinds)[number];
