/** What one split adds to the summary of its batch; a small file beside the part files. */
import * as z from "zod";
import { formatRules } from "./format.ts";

const count = z.int().min(0);

export const ledgerCountsSchema = z.strictObject({
  total: count,
  machine: count,
  review: count,
  invalid: count,
  failed: count,
  reviewed: count,
  audited: count,
});

/** Why people had to answer instead of the machine; of several causes the first one here counts. */
export const lostCauses = [
  "format",
  "missing-logprobs",
  "policy",
  "veto",
  "low-confidence",
  "no-certificate",
] as const;
export type LostCause = (typeof lostCauses)[number];

export const resultTalliesSchema = z.strictObject({
  counts: ledgerCountsSchema,
  /** Samples by reason, `<outcome>/<code>`. */
  reasons: z.record(z.string(), count),
  /** Machine-reviewed samples that came with human labels, and in how many every labelled field agreed. */
  labelled: count,
  agreed: count,
  /** Judge's answers whose form could be looked at, those that kept every rule, and how many broke each rule. */
  format: z
    .strictObject({ answers: count, kept: count, broken: z.partialRecord(z.enum(formatRules), count) })
    .default({ answers: 0, kept: 0, broken: {} }),
  /** Machine answers with a certificate behind them, audits drawn among them, and samples lost to people by cause. */
  coverage: z
    .strictObject({ certified: count, audits: count, lost: z.partialRecord(z.enum(lostCauses), count) })
    .default({ certified: 0, audits: 0, lost: {} }),
  judgeCalls: count,
  promptTokens: count,
  completionTokens: count,
});
export type ResultTallies = z.infer<typeof resultTalliesSchema>;
