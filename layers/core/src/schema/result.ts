/** The result of a sample: one per sample and run, at most about 2 KB in the common case. */
import * as z from "zod";
import { voidReasons } from "./certificate.ts";
import { mediaRefSchema } from "./content.ts";
import { formatRules } from "./format.ts";
import { gistFlags, integrationSchema, mediaProblemKinds, strategies } from "./gist.ts";
import { outcomes, reasonSchema } from "./outcome.ts";
import { rubricResultSchema } from "./rubric.ts";
import { fieldValueSchema } from "./sample.ts";
import { templatePinSchema } from "./template.ts";

/** Where a probability comes from; never silently mixed. `exact` is a comparison in code, not a guess. */
export const confidenceSources = ["logprob", "vote", "exact", "none"] as const;
export type ConfidenceSource = (typeof confidenceSources)[number];

export const callTypes = ["score", "trial", "pre-accept", "analyse"] as const;

export const evidenceSchema = z.strictObject({
  quote: z.string().max(500),
  /** True when code found the quote in what the sample says. */
  found: z.boolean(),
});

export const fieldResultSchema = z.strictObject({
  id: z.string(),
  /** null: undecided; the distribution says between what. */
  value: fieldValueSchema.nullable(),
  confidence: z.strictObject({
    source: z.enum(confidenceSources),
    /** Probability of the answered value before calibration; null where none was measured. */
    raw: z.number().min(0).max(1).nullable(),
    /** After calibration; null until the task family has a calibration. */
    calibrated: z.number().min(0).max(1).nullable(),
  }),
  /** Probability by label code, kept where the field is undecided. */
  distribution: z.record(z.string(), z.number()).optional(),
});
export type FieldResult = z.infer<typeof fieldResultSchema>;

export const usageSchema = z.strictObject({
  judgeCalls: z.int().min(0),
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
});

export const resultSchema = z.strictObject({
  schema: z.literal(1),
  sampleId: z.string(),
  task: z.string(),
  line: z.int().min(1),
  decision: z.enum(outcomes),
  reasons: z.array(reasonSchema).min(1),
  /** What stands behind a `machine` decision; null for the others. */
  vouchedBy: z.enum(["exact", "provisional-threshold", "certificate"]).nullable(),
  certified: z.boolean(),
  /** The family's certificate and whether it covered the sample; `new-task`: the task has yet to pass its floor test. */
  certificate: z
    .strictObject({
      id: z.string(),
      covers: z.boolean(),
      why: z.enum([...voidReasons, "new-task"]).optional(),
    })
    .optional(),
  /** Of the answer as a whole, which is what a threshold is compared with; absent where none could be measured. */
  confidence: z
    .strictObject({
      raw: z.number().min(0).max(1),
      calibrated: z.number().min(0).max(1).nullable(),
    })
    .optional(),
  /** Alike for samples whose text is alike but for case, white space and punctuation; such copies are one audit. */
  likeness: z.string().optional(),
  /** Drawn for a random, blind human check. */
  audit: z.boolean(),
  fields: z.array(fieldResultSchema),
  /** Where the template has a rubric and somebody judged by it. */
  rubric: rubricResultSchema.optional(),
  explanation: z.string().max(1000).optional(),
  evidence: z.array(evidenceSchema).max(10).optional(),
  /** Per field with a human label in the upload: whether the machine's value equals it. */
  agrees: z.record(z.string(), z.boolean()).optional(),
  gists: z
    .array(
      z.strictObject({
        ref: z.string(),
        hash: z.string(),
        /** Names the gist's very text, staged for as long as the picture is. */
        digest: z.string().optional(),
        strategy: z.enum(strategies),
        flags: z.array(z.enum(gistFlags)),
      }),
    )
    .optional(),
  /** How the gists of several pictures shared the prompt; left out where there is one picture or none. */
  integration: integrationSchema.optional(),
  /** Pictures that the judge was told it cannot have. */
  mediaProblems: z.array(z.strictObject({ ref: mediaRefSchema, kind: z.enum(mediaProblemKinds) })).optional(),
  template: templatePinSchema.nullable(),
  /** SHA-256 prefix over all that voids a certificate when it changes. */
  fingerprint: z.string().nullable(),
  promptSha256: z.string().nullable(),
  /** The context that the prompt was built for, where the model took fewer tokens than the template says. */
  contextTokens: z.int().optional(),
  /** Rules of form that the judge's first answer broke. */
  format: z.array(z.enum(formatRules)).min(1).optional(),
  judge: z.string().nullable(),
  usage: usageSchema,
  latencyMs: z.strictObject({ judge: z.number().min(0), total: z.number().min(0) }),
  callType: z.enum(callTypes),
  /** Epoch milliseconds. */
  decidedAt: z.int().min(0),
});
export type Result = z.infer<typeof resultSchema>;
