/** The ledger: a batch and its splits. It names exactly which sample is missing. */
import * as z from "zod";
import { batchIdSchema, objectRefSchema } from "./identity.ts";
import { replaySourceSchema } from "./replay.ts";
import { callTypes } from "./result.ts";
import { templatePinSchema } from "./template.ts";

export const batchRecordSchema = z.strictObject({
  batch: batchIdSchema,
  run: z.int().min(1),
  /** What a run after the first repeats. */
  replays: replaySourceSchema.optional(),
  task: z.string(),
  source: objectRefSchema,
  bytes: z.int().min(0),
  /** Order of writes to the source key; a later file of the same name has a larger one. */
  sequencer: z.string(),
  callType: z.enum(callTypes),
  arrivedAt: z.int().min(0),
  openedAt: z.int().min(0),
  /** The template versions that stood when the batch was opened; whoever reads the file again routes by these. */
  templates: z.array(templatePinSchema).optional(),
  /** Splits whose messages have all been sent. */
  splitsSent: z.int().min(0),
  sealed: z.strictObject({ splits: z.int().min(0), samples: z.int().min(0), at: z.int() }).optional(),
  /** Why the file as a whole could not be read to its end. */
  fault: z.string().max(500).optional(),
  /** Splits in which every sample has an outcome, and in which every review has a verdict. */
  doneSplits: z.set(z.int()),
  finalSplits: z.set(z.int()),
  decidedAt: z.int().optional(),
  finalAt: z.int().optional(),
  /** Revision of the result files; 0 before the first. */
  revision: z.int().min(0),
  /** Verdicts that came after the files of their splits were final; absent once the files say them. */
  lateSplits: z.set(z.int()).optional(),
  lateVerdicts: z.int().min(1).optional(),
  lateSince: z.int().optional(),
});
export type BatchRecord = z.infer<typeof batchRecordSchema>;

/** What a split counts; `reviewed` and `audited` count verdicts, not samples. */
export const ledgerEvents = ["machine", "review", "invalid", "failed", "reviewed", "audited"] as const;
export type LedgerEvent = (typeof ledgerEvents)[number];

const tallySchema = z.partialRecord(z.enum(ledgerEvents), z.int().min(0));
export type Tally = z.infer<typeof tallySchema>;

/** Where a tally keeps what belongs to no task it can name; no task has this name. */
export const noTask = "-";

/** Changes by task, then by UTC quarter-hour, whose key is epoch milliseconds ÷ 900,000. */
export const splitTallySchema = z.record(
  z.string().regex(/^(-|[a-z0-9][a-z0-9-]{0,63})$/),
  z.record(z.string().regex(/^\d+$/), tallySchema),
);
export type SplitTally = z.infer<typeof splitTallySchema>;

export const splitRecordSchema = z.strictObject({
  batch: batchIdSchema,
  run: z.int().min(1),
  split: z.int().min(0),
  /** Samples in the split, bad lines included. */
  samples: z.int().min(1).max(4000),
  /** Source line of the first sample. */
  firstLine: z.int().min(1),
  /** Outcome per ordinal, 4 bits each, low half first. */
  outcomes: z.instanceof(Uint8Array),
  /** One bit per ordinal. */
  reviewed: z.instanceof(Uint8Array),
  audited: z.instanceof(Uint8Array),
  tally: splitTallySchema,
  /** Epoch milliseconds of the newest outcome that a queue's work has brought; absent before the first. */
  movedAt: z.int().min(0).optional(),
  /** Optimistic lock. */
  version: z.int().min(0),
});
export type SplitRecord = z.infer<typeof splitRecordSchema>;
