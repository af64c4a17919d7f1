/** One uploaded sample: what is judged, with what it is judged against. */
import * as z from "zod";
import { type ContentPart, chatMessageSchema, contentParts, contentSchema } from "./content.ts";
import { taskIdSchema } from "./identity.ts";

/** A value of a field, as people label it and as the judge answers it. */
export const fieldValueSchema = z.union([z.string(), z.number(), z.array(z.string())]);
export type FieldValue = z.infer<typeof fieldValueSchema>;

export const deliverableSchema = z.strictObject({
  name: z.string().min(1).max(256),
  content: contentSchema,
});

/** A test outcome, for pass@k and resolve rate. */
export const executionSchema = z.strictObject({
  name: z.string().min(1).max(256),
  outcome: z.enum(["passed", "failed", "error", "skipped"]),
  group: z.string().max(64).optional(),
});

/** One of several outputs to compare; its identity is hidden from the judge. */
export const candidateSchema = z.strictObject({
  id: z.string().min(1).max(128),
  output: contentSchema,
});

export const metaValueSchema = z.union([z.string().max(1024), z.number(), z.boolean(), z.null()]);

export const sampleSchema = z
  .strictObject({
    id: z.string().trim().min(1, "id must not be blank").max(256),
    task: taskIdSchema.optional(),
    input: contentSchema.optional(),
    output: contentSchema.optional(),
    messages: z.array(chatMessageSchema).min(1).optional(),
    reference: contentSchema.optional(),
    deliverables: z.array(deliverableSchema).max(100).optional(),
    executions: z.array(executionSchema).max(5000).optional(),
    candidates: z.array(candidateSchema).min(2).max(16).optional(),
    labels: z.record(z.string(), fieldValueSchema).optional(),
    meta: z.record(z.string().max(64), metaValueSchema).optional(),
  })
  .refine((sample) => sample.output !== undefined || sample.messages || sample.candidates, {
    path: ["output"],
    error: "a sample needs what is to be judged: output, messages or candidates",
  });
export type Sample = z.infer<typeof sampleSchema>;

/** Every content part of a sample, in reading order; the place where its pictures are found. */
export const sampleParts = (sample: Sample): readonly ContentPart[] => [
  ...contentParts(sample.input),
  ...(sample.messages ?? []).flatMap((message) => contentParts(message.content)),
  ...contentParts(sample.output),
  ...(sample.candidates ?? []).flatMap((candidate) => contentParts(candidate.output)),
  ...contentParts(sample.reference),
  ...(sample.deliverables ?? []).flatMap((deliverable) => contentParts(deliverable.content)),
];

/** References of the pictures and videos of a sample, each once, in order of first appearance. */
export const mediaRefs = (sample: Sample): readonly string[] => [
  ...new Set(sampleParts(sample).flatMap((part) => (part.type === "text" ? [] : [part.ref]))),
];
