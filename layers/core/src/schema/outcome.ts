/** What can become of a sample, and every reason for it. */
import * as z from "zod";
import { foundFaultSchema } from "./gist.ts";

/** Final outcomes of a sample; "not sure" is `review`, never an error and never a score. */
export const outcomes = ["machine", "review", "invalid", "failed"] as const;
export type Outcome = (typeof outcomes)[number];

/** Closed union of reasons; `languages` in domain/decide/reason-text.ts has each in words people read. */
export const reasonCodes = [
  "confident",
  "exact",
  "low-confidence",
  "missing-confidence",
  "no-vouching-policy",
  "answer-unreadable",
  "answer-cut",
  "answer-looped",
  "answer-refused",
  "value-not-allowed",
  "rule-broken",
  "field-missing",
  "criterion-unsure",
  "criterion-unverified",
  "veto-uncertified",
  "context-cut",
  "answer-ambiguous",
  "media-missing",
  "media-unreadable",
  "media-undescribed",
  "unrouted",
  "bad-line",
  "duplicate-id",
  "no-reference",
  "injection-suspected",
  "gave-up",
  "lost",
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

export const reasonSchema = z.strictObject({
  code: z.enum(reasonCodes),
  field: z.string().optional(),
  /** Short detail in plain words, e.g. `0.71 < 0.90`; never sample text. */
  detail: z.string().max(500).optional(),
  /** Where a picture's file is the reason, so that `detail` can be said in the reader's language. */
  fault: foundFaultSchema.optional(),
});
export type Reason = z.infer<typeof reasonSchema>;
