/** How raw probabilities of a task family become calibrated ones; LEARN fits and stores it, SCORE applies it. */
import * as z from "zod";

const probabilitySchema = z.number().min(0).max(1);
const finite = z.number();

/** One human label of an answer to learn from. */
export const calibrationPointSchema = z.strictObject({
  /** Raw probability of the machine's answer. */
  probability: probabilitySchema,
  /** 1 where people agree with the machine, 0 where not, between where people disagree with each other. */
  correct: probabilitySchema,
  /** One over the chance of being labelled: 1 for what everybody is reviewed, 1/r for an audit at rate r. */
  weight: z.number().gt(0),
  task: z.string().min(1),
});
export type CalibrationPoint = z.infer<typeof calibrationPointSchema>;

export const calibratorKinds = [
  "identity",
  "temperature",
  "platt",
  "beta",
  "isotonic",
  "pooled-platt",
] as const;
export type CalibratorKind = (typeof calibratorKinds)[number];

/** With f = logit(raw): what turns a raw probability into a calibrated one. All of them are monotone in it. */
export const calibratorSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("identity") }),
  /** logit p = f / temperature */
  z.strictObject({ kind: z.literal("temperature"), temperature: z.number().gt(0) }),
  /** logit p = slope · f + intercept (Platt's A and B with the sign turned) */
  z.strictObject({ kind: z.literal("platt"), slope: z.number().min(0), intercept: finite }),
  /** logit p = a · ln(raw) − b · ln(1 − raw) + c */
  z.strictObject({ kind: z.literal("beta"), a: z.number().min(0), b: z.number().min(0), c: finite }),
  /** Knots of a monotone line: flat before the first, after the last and inside a block, straight between blocks. */
  z
    .strictObject({
      kind: z.literal("isotonic"),
      knots: z.array(z.strictObject({ raw: probabilitySchema, calibrated: probabilitySchema })).min(1),
    })
    .refine(({ knots }) => isMonotone(knots), "knots must rise in raw and never fall in calibrated"),
  /** logit p = slope · f + intercept + the task's own shift; 0 for a task that it does not know */
  z.strictObject({
    kind: z.literal("pooled-platt"),
    slope: z.number().min(0),
    intercept: finite,
    shifts: z.record(z.string(), finite),
  }),
]);
export type Calibrator = z.infer<typeof calibratorSchema>;

/** Weighted measures of probabilities against labels; `auroc` and `aurc` are of the ranking. */
export const calibrationMetricsSchema = z.strictObject({
  brier: z.number().min(0),
  logLoss: z.number().min(0),
  /** Expected, adaptive and maximal calibration error over ten bins. */
  ece: z.number().min(0),
  ace: z.number().min(0),
  mce: z.number().min(0),
  /** null where one of right and wrong is absent. */
  auroc: z.number().min(0).max(1).nullable(),
  /** Area under the risk-coverage curve: mean error of the accepted, over all coverages. */
  aurc: z.number().min(0),
});
export type CalibrationMetrics = z.infer<typeof calibrationMetricsSchema>;

/** Why a kind of calibrator was chosen; the counts beside it give the numbers. */
export const calibrationReasons = ["too-few-labels", "too-few-errors", "lowest-log-loss"] as const;

export const calibrationChoiceSchema = z.strictObject({
  reason: z.enum(calibrationReasons),
  /** Log loss of each kind that the number of labels allows, on labels it was not fitted to. */
  candidates: z.array(z.strictObject({ kind: z.enum(calibratorKinds), logLoss: z.number().min(0) })),
});
export type CalibrationChoice = z.infer<typeof calibrationChoiceSchema>;

export const labelCountsSchema = z.strictObject({
  points: z.int().min(0),
  /** Labels that disagree with the machine; soft labels count in part. */
  errors: z.number().min(0),
});
export type LabelCounts = z.infer<typeof labelCountsSchema>;

export const calibrationSchema = z.strictObject({
  schema: z.literal(1),
  family: z.string().min(1).max(64),
  /** Fingerprints of the judges whose answers it was fitted to. */
  fingerprints: z.array(z.string().min(1)).min(1),
  calibrator: calibratorSchema,
  choice: calibrationChoiceSchema,
  fittedOn: z.strictObject({
    ...labelCountsSchema.shape,
    /** Number of equally weighted labels that would tell as much (Kish). */
    effective: z.number().min(0),
    tasks: z.record(z.string(), labelCountsSchema),
  }),
  /** On the same labels: raw, and calibrated by fits that had not seen them. */
  metrics: z.strictObject({
    before: calibrationMetricsSchema.nullable(),
    after: calibrationMetricsSchema.nullable(),
  }),
  /** Epoch milliseconds; with the family it names the calibration. */
  at: z.int().min(0),
});
export type Calibration = z.infer<typeof calibrationSchema>;

const isMonotone = (knots: readonly { readonly raw: number; readonly calibrated: number }[]): boolean =>
  knots.every((knot, index) => {
    const before = knots[index - 1];
    return before === undefined || (before.raw < knot.raw && before.calibrated <= knot.calibrated);
  });
