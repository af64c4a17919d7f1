/** A rubric: what is asked point by point, how points become a grade, and what is stored of it. Part of a template. */
import * as z from "zod";

export const criterionIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}$/, "a criterion id has 1 to 32 of a-z, 0-9 and _, a letter first");

/** `negative` and `veto` state a fault: they are met when the fault is there. */
export const criterionKinds = ["positive", "negative", "veto"] as const;
/** Does what the criterion states hold? NA only where the criterion allows it. */
export const criterionCodes = ["Y", "N", "NA"] as const;
export type CriterionCode = (typeof criterionCodes)[number];

/** `output`: the judged output, the assistant's messages or the candidates. */
export const evidenceSources = ["deliverable", "reference", "gist", "output"] as const;
export type EvidenceSource = (typeof evidenceSources)[number];

const phrasesSchema = z.array(z.string().trim().min(1).max(200)).min(1).max(50);

/** What code checks by itself. Texts are compared in NFKC, lower case and without white space. */
export const ruleSchema = z.discriminatedUnion("rule", [
  /** Any of the phrases stands there, or all of them. */
  z.strictObject({
    rule: z.literal("contains"),
    phrases: phrasesSchema,
    match: z.enum(["any", "all"]).default("any"),
  }),
  /** None of the phrases stands there. */
  z.strictObject({ rule: z.literal("absent"), phrases: phrasesSchema }),
  /** Runs on the text in NFKC: full-width marks and digits are narrow there. */
  z.strictObject({
    rule: z.literal("regex"),
    pattern: z.string().min(1).max(300).superRefine(refusePattern),
    ignoreCase: z.boolean().default(false),
  }),
  /** A number of that value; `after` looks at the first number behind each place of a phrase. */
  z.strictObject({
    rule: z.literal("number"),
    equals: z.number(),
    tolerance: z.number().min(0).default(0),
    after: z.string().trim().min(1).max(100).optional(),
  }),
  /** Characters that are no white space. */
  z
    .strictObject({
      rule: z.literal("length"),
      min: z.int().min(0).optional(),
      max: z.int().min(1).optional(),
    })
    .refine(({ min, max }) => (min ?? max) !== undefined && (min ?? 0) <= (max ?? Number.POSITIVE_INFINITY), {
      error: "a length needs min, max or both, min not above max",
    }),
  /** There is such a file (or such a part of the sample), and it is not empty. */
  z.strictObject({ rule: z.literal("present") }),
]);
export type Rule = z.infer<typeof ruleSchema>;

export const criterionSchema = z.strictObject({
  id: criterionIdSchema,
  text: z.string().trim().min(1).max(1000),
  kind: z.enum(criterionKinds),
  /** Above 0 for a positive criterion, below 0 for a negative one, 0 or below for a veto. */
  points: z.number().default(0),
  category: z.string().max(64).optional(),
  /** The file it is about; `*` stands for any characters. `locator` says where in it, for people and judges. */
  deliverable: z
    .strictObject({ file: z.string().min(1).max(256), locator: z.string().min(1).max(200).optional() })
    .optional(),
  check: z.union([z.literal("llm"), ruleSchema]).default("llm"),
  /** What a judge's Y must quote; a quote that code cannot find is none. */
  evidence: z
    .strictObject({
      required: z.boolean().default(true),
      minSpans: z.int().min(1).max(5).default(1),
      source: z.enum(evidenceSources).default("deliverable"),
    })
    .optional(),
  /** Counts only where all of these are met. */
  dependsOn: z.array(criterionIdSchema).max(20).default([]),
  notApplicable: z.boolean().default(false),
  /** Criteria that cannot hold together with this one; only the weightiest of them can count. */
  mutex: z.array(criterionIdSchema).max(20).optional(),
});
export type Criterion = z.infer<typeof criterionSchema>;

export const gradingSchema = z.strictObject({
  /** A grade is the band with the highest `min` that the normalised score reaches. */
  bands: z
    .array(z.strictObject({ name: z.string().trim().min(1).max(32), min: z.number().min(0).max(1) }))
    .max(20)
    .default([]),
  /** Highest normalised score once a veto is met. */
  vetoCap: z.number().min(0).max(1).default(0),
  /** Fewer criteria than this are an error for `lint`. */
  minCriteria: z.int().min(1).max(200).default(35),
});
export type Grading = z.infer<typeof gradingSchema>;

/** Quotes are `verified` where code found them in the source; `unverified`: a Y that lacks them, so without credit. */
export const evidenceStates = ["verified", "unverified"] as const;
export type EvidenceState = (typeof evidenceStates)[number];

export const criterionResultSchema = z.strictObject({
  id: z.string(),
  /** null: no usable verdict. */
  met: z.enum(criterionCodes).nullable(),
  /** Points that count; 0 where they do not, or where the verdict is open. */
  credit: z.number(),
  /** Probability of the verdict; 1 for a check in code, null where none was measured or a person answered. */
  confidence: z.number().min(0).max(1).nullable(),
  /** Absent where no quote was needed and none was found. */
  evidence: z.enum(evidenceStates).optional(),
  /** Who says so, where it is not the judge. */
  by: z.enum(["rule", "person"]).optional(),
});
export type CriterionResult = z.infer<typeof criterionResultSchema>;

export const rubricResultSchema = z.strictObject({
  /** Sum of the credits; null while criteria are open that can change the grade or a veto. */
  points: z.number().nullable(),
  /** Points ÷ attainable points, cut to 0…1 and to the cap of a met veto. */
  norm: z.number().min(0).max(1).nullable(),
  /** The same before it is cut. */
  unclipped: z.number().nullable(),
  grade: z.string().nullable(),
  /** Normalised score at the worst and the best outcome of what is open. */
  range: z.tuple([z.number(), z.number()]).optional(),
  vetoed: z.array(z.string()).optional(),
  criteria: z.array(criterionResultSchema),
  /** Criteria for a person, most useful first. */
  open: z.array(z.string()).optional(),
});
export type RubricResult = z.infer<typeof rubricResultSchema>;

function refusePattern(pattern: string, context: z.RefinementCtx): void {
  const message = patternFault(pattern);
  if (message !== null) context.addIssue({ code: "custom", message });
}

function patternFault(pattern: string): string | null {
  try {
    new RegExp(pattern, "u");
  } catch {
    return "not a regular expression (JavaScript, with the u flag)";
  }
  return /\([^()]*[+*}][^()]*\)(?:[+*]|\{\d+,)/.test(pattern)
    ? "a repeated group with a repetition inside can take for ever; rewrite it"
    : null;
}
