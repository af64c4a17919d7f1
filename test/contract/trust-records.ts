/** Small valid records of trust; each takes what the test is about and fills in the rest. */
import { issueCertificate } from "@touchstone/core/domain/certificate/certificate";
import type { Calibration } from "@touchstone/core/schema/calibration";
import type { Certificate } from "@touchstone/core/schema/certificate";
import type { FamilyTrust } from "@touchstone/core/schema/trust";

export const calibration = (part: Partial<Calibration> = {}): Calibration => ({
  schema: 1,
  family: "dialogue",
  fingerprints: ["f00d"],
  calibrator: { kind: "pooled-platt", slope: 0.9183727465, intercept: -0.25, shifts: { dialogue: 0.1 } },
  choice: { reason: "lowest-log-loss", candidates: [{ kind: "pooled-platt", logLoss: 0.2 }] },
  fittedOn: {
    points: 120,
    errors: 14.5,
    effective: 80.25,
    tasks: { dialogue: { points: 120, errors: 14.5 } },
  },
  metrics: { before: null, after: null },
  at: 1_700_000_000_000,
  ...part,
});

export const certificate = (
  part: {
    readonly tau?: number;
    readonly task?: string;
    readonly fingerprint?: string;
  } & Partial<Certificate> = {},
): Certificate => {
  const { tau = 0.8, task = "t", fingerprint = "f", ...rest } = part;
  const parts = { model: "m", quantisation: null, prompt: "v1", rubric: task, decoding: "{}", server: null };
  return {
    ...issueCertificate({
      family: "f",
      tasks: { [task]: { fingerprint, parts } },
      unit: "sample",
      alpha: 0.03,
      delta: 0.05,
      index: 1,
      poolSize: 1000,
      window: { from: 0, to: 1_000 },
      calibration: null,
      audits: { salt: "task", rate: 0.1, fitShare: 0.4 },
      issuedAt: 2_000,
      proof: { tau, n: 300, k: 1, bound: 0.02, level: 0.02, coverage: { grid: 0.9, pool: 0.9 } },
    }),
    ...rest,
  };
};

export const trusted = (...certificates: readonly Certificate[]): FamilyTrust => ({
  ...{ schema: 1, family: "f", version: 1, calibration: null, certifications: 1 },
  certificates: certificates.map((one) => ({ certificate: one, calibration: null })),
});
