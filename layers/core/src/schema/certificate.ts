/** The proof behind a threshold: what was tested, on which labels, for which judge, and whether it still holds. */
import * as z from "zod";

/** What is right or wrong as a whole: a sample, a rubric's grade, or one veto criterion's "no violation". */
export const certificateUnits = ["sample", "grade", "veto"] as const;
export type CertificateUnit = (typeof certificateUnits)[number];

export const voidReasons = [
  "fingerprint-changed",
  "calibration-replaced",
  "policy-changed",
  "error-alarm",
  "confidence-drift",
  "missing-logprobs",
  "canary-flips",
  "superseded",
  "withdrawn",
] as const;
export type VoidReason = (typeof voidReasons)[number];

/** What a judge's fingerprint stands for, part by part, so that a change can be named. null: not known. */
export const fingerprintPartsSchema = z.strictObject({
  model: z.string().min(1),
  quantisation: z.string().nullable(),
  /** Version of how prompts are built and answers are read. */
  prompt: z.string().min(1),
  /** Version of the task's template, its standard, rubric and examples. */
  rubric: z.string().min(1),
  decoding: z.string().min(1),
  /** What the probe found of the server and its flags. */
  server: z.string().nullable(),
});
export type FingerprintParts = z.infer<typeof fingerprintPartsSchema>;

const rate = z.number().gt(0).lt(1);

/** The test that a threshold passed: of `n` random audits at or above `tau`, `k` were wrong. */
export const thresholdProofSchema = z.strictObject({
  /** Accept where the calibrated confidence is at least this. */
  tau: z.number().min(0).max(1),
  n: z.int().min(1),
  k: z.int().min(0),
  /** Exact upper bound of the error among accepted samples, at level `level`. */
  bound: z.number().min(0).max(1),
  /** The part of δ that the passed sequence of tests may use. */
  level: rate,
  coverage: z.strictObject({
    /** Point of the pre-registered grid. */
    grid: z.number().gt(0).lte(1),
    /** Share of the pool at or above tau; more than the grid's where confidences tie. */
    pool: z.number().min(0).max(1),
  }),
});
export type ThresholdProof = z.infer<typeof thresholdProofSchema>;

export const certificateStateSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("valid") }),
  z.strictObject({
    kind: z.literal("void"),
    reason: z.enum(voidReasons),
    detail: z.string().max(400).optional(),
    at: z.int().min(0),
  }),
]);

export const certificateSchema = z
  .strictObject({
    schema: z.literal(1),
    /** `<family>#<unit>[#<criterion>]#<index>`: issued once. */
    id: z.string().min(1),
    family: z.string().min(1).max(64),
    /** Tasks whose audits are in it, with the judge of each; other tasks of the family need a floor test. */
    tasks: z
      .record(z.string(), z.strictObject({ fingerprint: z.string().min(1), parts: fingerprintPartsSchema }))
      .refine((tasks) => Object.keys(tasks).length > 0, "a certificate covers at least one task"),
    unit: z.enum(certificateUnits),
    /** Id of the veto criterion, with the unit `veto` only. */
    criterion: z.string().min(1).optional(),
    /** Error among accepted that it bounds. */
    alpha: rate,
    delta: z.strictObject({
      /** Chance of being wrong over all certifications of the family. */
      total: rate,
      /** What the `index`-th certification may use of it. */
      spent: rate,
      /** 1 for the first certification. */
      index: z.int().min(1),
    }),
    ...thresholdProofSchema.shape,
    poolSize: z.int().min(1),
    /** Epoch milliseconds: the samples and audits it rests on. */
    window: z.strictObject({ from: z.int().min(0), to: z.int().min(0) }),
    /** `at` of the calibration whose probabilities tau is compared with; null: raw ones. */
    calibration: z.int().min(0).nullable(),
    /** How audits were drawn: `hash(id, salt) < rate`, and the share of them kept for fitting. */
    audits: z.strictObject({
      salt: z.string(),
      rate: z.number().gt(0).lte(1),
      fitShare: z.number().min(0).lt(1),
    }),
    /** Epoch milliseconds. */
    issuedAt: z.int().min(0),
    state: certificateStateSchema,
  })
  .refine(({ unit, criterion }) => (unit === "veto") === (criterion !== undefined), {
    path: ["criterion"],
    error: "a criterion is named for the unit veto, and only for it",
  })
  .refine(({ bound, alpha }) => bound <= alpha, {
    path: ["bound"],
    error: "the bound of a certificate is at most its alpha",
  });
export type Certificate = z.infer<typeof certificateSchema>;
