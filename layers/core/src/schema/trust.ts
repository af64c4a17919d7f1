/** How far a task family's machine answers are trusted: its calibration, its certificates, and what was spent on them. */
import * as z from "zod";
import { calibrationSchema } from "./calibration.ts";
import { certificateSchema } from "./certificate.ts";

/** A certificate with the very calibration that its threshold is compared with, so that a later one does not move it. */
export const heldCertificateSchema = z.strictObject({
  certificate: certificateSchema,
  /** null: its threshold is compared with raw probabilities. */
  calibration: calibrationSchema.nullable(),
});
export type HeldCertificate = z.infer<typeof heldCertificateSchema>;

/** One record per family; its writer reads, applies a pure change and writes it back with an optimistic lock. */
export const familyTrustSchema = z.strictObject({
  schema: z.literal(1),
  family: z.string().min(1).max(64),
  /** Optimistic lock; 0 for a family that nobody has written yet. */
  version: z.int().min(0),
  /** The newest calibration; one that a certificate rests on is kept with it. */
  calibration: calibrationSchema.nullable(),
  /** Certifications so far, passed or not: each was a look at the labels, and used a part of delta. */
  certifications: z.int().min(0),
  /** The newest of each unit and criterion, void ones included, so that people can see why. */
  certificates: z.array(heldCertificateSchema).max(100),
});
export type FamilyTrust = z.infer<typeof familyTrustSchema>;
