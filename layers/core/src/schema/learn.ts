/** What LEARN hears: verdicts, and what the judge's traffic looks like while a certificate is watched. */
import * as z from "zod";
import { batchIdSchema } from "./identity.ts";
import { verdictMessageSchema } from "./messages.ts";
import { templatePinSchema } from "./template.ts";

/** SETTLE → LEARN, once for each certificate and judge that the samples of a decided split name. */
export const trafficMessageSchema = z.strictObject({
  kind: z.literal("traffic"),
  schema: z.literal(1),
  batch: batchIdSchema,
  run: z.int().min(1),
  split: z.int().min(0),
  task: z.string(),
  template: templatePinSchema,
  /** Id of the certificate, whether or not it covered these samples. */
  certificate: z.string(),
  fingerprint: z.string(),
  covered: z.boolean(),
  judged: z.int().min(1),
  /** Judged samples without a probability. */
  missing: z.int().min(0),
  /** Samples that the certificate vouched for. */
  accepted: z.int().min(0),
  /** Of whole answers, calibrated where they were. */
  confidences: z.array(z.number().min(0).max(1)),
  /** When the newest of them was decided, epoch milliseconds. */
  decidedAt: z.int().min(0),
});
export type TrafficMessage = z.infer<typeof trafficMessageSchema>;

export const learnMessageSchema = z.discriminatedUnion("kind", [verdictMessageSchema, trafficMessageSchema]);
export type LearnMessage = z.infer<typeof learnMessageSchema>;
