/** The watch over a certificate: what its audits, its traffic and its canaries have shown since it was given. */
import * as z from "zod";
import type { VoidReason } from "./certificate.ts";
import { taskIdSchema } from "./identity.ts";

/** The reasons for voiding a certificate that a watch can find. */
export const alarmKinds = [
  "error-alarm",
  "confidence-drift",
  "missing-logprobs",
  "canary-flips",
  "fingerprint-changed",
] as const satisfies readonly VoidReason[];
export type AlarmKind = (typeof alarmKinds)[number];

/** What deserves a look and voids nothing. */
export const concernKinds = ["confidence-drift", "accept-rate", "audits-late"] as const;
export type ConcernKind = (typeof concernKinds)[number];

export const alarmSchema = z.strictObject({
  kind: z.enum(alarmKinds),
  /** Figures alone, e.g. `CUSUM 4.61 ≥ 4.47 (31 / 812)`. */
  detail: z.string().max(500),
  /** Epoch milliseconds. */
  at: z.int().min(0),
});
export type WatchAlarm = z.infer<typeof alarmSchema>;

/** The bins that confidences are counted in: 9 edges cut the line into 10 bins, each closed at its lower end. */
const edgesSchema = z.array(z.number().min(0).max(1)).length(9);
const countsSchema = z.array(z.number().min(0)).length(10);

/** Which events were counted already: the newest by hash, and a moment up to which all others count as known. */
export const rememberedSchema = z.strictObject({
  /** Hash of the id, and when the event happened, epoch milliseconds. */
  seen: z.array(z.tuple([z.string(), z.int().min(0)])),
  /** The youngest event that was forgotten; null while all are remembered. */
  until: z.int().min(0).nullable(),
  /** Events that came too late to tell whether they had been counted; they were not. */
  late: z.int().min(0),
});
export type Remembered = z.infer<typeof rememberedSchema>;

/** One record per task; its writer reads, applies a pure change and writes it back with an optimistic lock. */
export const watchSchema = z.strictObject({
  schema: z.literal(1),
  task: taskIdSchema,
  /** The certificate that is watched, and the judge it is about. */
  certificate: z.string(),
  fingerprint: z.string(),
  /** Optimistic lock. */
  version: z.int().min(0),
  startedAt: z.int().min(0),
  audits: z.strictObject({
    /** Error rate that the certificate was given on, and the one that must not stay unnoticed. */
    p0: z.number().gt(0).lt(1),
    p1: z.number().gt(0).lt(1),
    /** The alarm is raised at this score. */
    h: z.number().gt(0),
    score: z.number().min(0),
    count: z.int().min(0),
    errors: z.int().min(0),
    remembered: rememberedSchema,
  }),
  traffic: z.strictObject({
    edges: edgesSchema,
    /** Confidences that the certificate was given on. */
    reference: countsSchema,
    /** Confidences lately; older ones fade by half with every `halfLife` samples. */
    recent: countsSchema,
    halfLife: z.number().gt(0),
    /** Judged samples lately and those without logprobs among them, faded alike. */
    judged: z.number().min(0),
    missing: z.number().min(0),
    /** Share of judged samples that the certificate's threshold accepted, then and lately. */
    certifiedAcceptRate: z.number().min(0).max(1),
    acceptRate: z.number().min(0).max(1),
    remembered: rememberedSchema,
  }),
  /** The newest replay of the frozen samples; `broke` were right and are wrong now, `mended` the reverse. */
  canary: z
    .strictObject({
      samples: z.int().min(0),
      broke: z.int().min(0),
      mended: z.int().min(0),
      p: z.number().min(0).max(1),
      at: z.int().min(0),
    })
    .nullable(),
  /** The first alarm; it stays until a new certificate is given. */
  alarm: alarmSchema.nullable(),
});
export type Watch = z.infer<typeof watchSchema>;
