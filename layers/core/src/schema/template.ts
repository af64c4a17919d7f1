/** A task's versioned configuration: what is asked, by which standard, and who may be trusted with it. */
import * as z from "zod";
import { taskIdSchema } from "./identity.ts";
import { criterionSchema, gradingSchema } from "./rubric.ts";
import { rubricFaults } from "./rubric-links.ts";

const fieldIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}$/, "a field id has 1 to 32 of a-z, 0-9 and _, a letter first");

/** One allowed answer. Codes are short ASCII with distinct starts, so that one token tells them apart. */
export const labelSchema = z.strictObject({
  code: z.string().regex(/^[A-Za-z0-9]{1,8}$/, "a label code has 1 to 8 ASCII letters or digits"),
  name: z.string().min(1).max(100),
  description: z.string().max(2000).optional(),
});
export type Label = z.infer<typeof labelSchema>;

const fieldBase = {
  id: fieldIdSchema,
  title: z.string().min(1).max(200),
  question: z.string().max(4000).optional(),
  required: z.boolean().default(true),
};
const labelsSchema = z.array(labelSchema).min(2).max(64);

export const fieldSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("label"), ...fieldBase, labels: labelsSchema }),
  z.strictObject({ kind: z.literal("labels"), ...fieldBase, labels: labelsSchema }),
  /** Labels in order, worst first; distances between them mean something. */
  z.strictObject({ kind: z.literal("ordinal"), ...fieldBase, labels: labelsSchema }),
  z.strictObject({
    kind: z.literal("text"),
    ...fieldBase,
    maxLength: z.int().min(1).max(4000).default(500),
  }),
  /** Ids that must exist in the sample: of candidates, deliverables or executions. */
  z.strictObject({
    kind: z.literal("list"),
    ...fieldBase,
    of: z.enum(["candidates", "deliverables", "executions"]),
    maxItems: z.int().min(1).max(200).default(20),
  }),
]);
export type Field = z.infer<typeof fieldSchema>;

const conditionSchema = z.strictObject({ field: fieldIdSchema, in: z.array(z.string()).min(1) });
/** If every `when` holds, every `require` must hold: the cross-field logic of an answer. */
export const crossFieldRuleSchema = z.strictObject({
  when: z.array(conditionSchema).min(1),
  require: z.array(conditionSchema).min(1),
  message: z.string().min(1).max(300),
});

/** Scores a field in code where the answer is objective, so that no judge is asked for it. */
export const scorerSchema = z
  .strictObject({
    field: fieldIdSchema,
    kind: z.enum(["exact-choice", "exact-text", "exact-number"]),
    /** Codes of the field's labels for a right and a wrong answer. */
    right: z.string(),
    wrong: z.string(),
    /** Numbers only: the largest difference that still counts as equal; without it they are compared exactly. */
    tolerance: z.number().gt(0).optional(),
    /** Numbers only: `50%` and `0.5` are the same answer. */
    percent: z.boolean().optional(),
  })
  .refine(({ kind, tolerance, percent }) => kind === "exact-number" || (tolerance ?? percent) === undefined, {
    error: "tolerance and percent are settings of exact-number",
  });
export type Scorer = z.infer<typeof scorerSchema>;

export const mediaPolicySchema = z.strictObject({
  /** What an unreadable or missing picture means for the sample. */
  whenUnreadable: z.enum(["invalid", "review", "text-only"]).default("invalid"),
  maxImages: z.int().min(1).max(64).default(16),
  /** How long late media is waited for, counted from the batch's arrival. */
  waitSeconds: z.int().min(0).max(86_400).default(0),
});

export const decisionPolicySchema = z.strictObject({
  /** Tolerated error among accepted samples, and the chance that a certificate is wrong. */
  alpha: z.number().gt(0).lt(1).default(0.03),
  delta: z.number().gt(0).lt(1).default(0.05),
  /** Under a certificate: tolerated violations among what the judge finds free of a veto. Else a person looks. */
  vetoAlpha: z.number().gt(0).lt(1).default(0.005),
  auditRate: z.number().min(0).max(1).default(0.02),
  /** Lowest probability of a field that counts as vouched for while no certificate exists. */
  provisionalThreshold: z.number().gt(0).lte(1).default(0.9),
  /** `threshold`: accept, marked uncertified; `review`: people see everything until certified. */
  uncertified: z.enum(["threshold", "review"]).default("threshold"),
  reviewers: z.union([z.literal(1), z.literal(2)]).default(1),
  slaHours: z.number().gt(0).max(2160).default(72),
});

export const judgeParametersSchema = z.strictObject({
  temperature: z.number().min(0).max(2).default(0),
  maxTokens: z.int().min(16).max(8192).default(800),
  topLogprobs: z.int().min(0).max(20).default(20),
  language: z.enum(["zh", "en"]).default("zh"),
  contextTokens: z.int().min(1024).max(262_144).default(32_768),
  /**
   * Asks `samples` times in all where the least certain field with one label has a probability from `from` up to
   * `below`, or none at all. With k samples and n labels a vote gives at most (k + 1) / (k + n).
   */
  vote: z
    .strictObject({
      samples: z.int().min(3).max(5).default(5),
      from: z.number().min(0).lt(1).default(0),
      below: z.number().gt(0).lte(1),
      temperature: z.number().gt(0).max(2).default(0.7),
    })
    .refine(({ from, below }) => from < below, "a vote's band needs from under below")
    .optional(),
});

export const matchRuleSchema = z.strictObject({
  /** `meta` entries that must be equal, all of them. */
  meta: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  /** Start of the path below `inbox/`. */
  pathPrefix: z.string().min(1).optional(),
});

const uniqueIds = (items: readonly { id: string }[]): boolean =>
  new Set(items.map((item) => item.id)).size === items.length;

export const templateSchema = z
  .strictObject({
    task: taskIdSchema,
    version: z.int().min(1),
    family: z.string().min(1).max(64),
    title: z.strictObject({ zh: z.string().min(1), en: z.string().min(1) }),
    match: z.array(matchRuleSchema).default([]),
    standard: z.string().min(1).max(100_000),
    /** May be empty where a rubric asks instead. */
    fields: z.array(fieldSchema).max(32).refine(uniqueIds, "field ids must be unique"),
    rules: z.array(crossFieldRuleSchema).default([]),
    rubric: z.array(criterionSchema).max(200).refine(uniqueIds, "criterion ids must be unique").default([]),
    grading: gradingSchema.prefault({}),
    scorers: z.array(scorerSchema).default([]),
    media: mediaPolicySchema.prefault({}),
    memory: z.strictObject({ examples: z.int().min(0).max(64).default(12) }).prefault({}),
    knowledge: z.strictObject({ recall: z.boolean().default(false) }).prefault({}),
    judge: judgeParametersSchema.prefault({}),
    decision: decisionPolicySchema.prefault({}),
    budget: z.strictObject({ judgeCallsPerBatch: z.int().min(1).optional() }).prefault({}),
  })
  .superRefine((template, context) => {
    const custom = (path: readonly PropertyKey[], message: string): void =>
      context.addIssue({ code: "custom", path: [...path], message });
    if (template.fields.length + template.rubric.length === 0)
      custom(["fields"], "a template needs fields or a rubric");
    for (const { path, message } of rubricFaults(template)) custom(path, message);
    const ids = new Set(template.fields.map((field) => field.id));
    template.scorers.forEach((scorer, index) => {
      const field = template.fields.find((candidate) => candidate.id === scorer.field);
      const codes = field && "labels" in field ? field.labels.map((label) => label.code) : [];
      if (!codes.includes(scorer.right) || !codes.includes(scorer.wrong)) {
        context.addIssue({
          code: "custom",
          path: ["scorers", index],
          message: `scorer of "${scorer.field}" must name two labels of that field`,
        });
      }
    });
    template.rules.forEach((rule, index) => {
      for (const { field } of [...rule.when, ...rule.require]) {
        if (ids.has(field)) continue;
        context.addIssue({ code: "custom", path: ["rules", index], message: `there is no field "${field}"` });
      }
    });
  });
export type Template = z.infer<typeof templateSchema>;

/** The version of a template that INTAKE pinned for a sample; an edit in mid-batch changes nothing. */
export const templatePinSchema = z.strictObject({
  task: taskIdSchema,
  version: z.int().min(1),
  /** Object version of `templates/<task>/template.yaml`. */
  versionId: z.string().min(1),
  /** Object version of `templates/<task>/examples.jsonl`, where the task has labelled examples. */
  examplesVersionId: z.string().min(1).optional(),
});
export type TemplatePin = z.infer<typeof templatePinSchema>;
