/** A task as it might be, for the trust report's tests: easy and hard samples, a judge that is sure of too much, audits. */

import { applyCalibrator } from "@touchstone/core/domain/calibration/apply-calibrator";
import { issueCertificate } from "@touchstone/core/domain/certificate/certificate";
import { certify, coverageGrid, sequenceStarts } from "@touchstone/core/domain/certificate/certify";
import { labelUse } from "@touchstone/core/domain/certificate/label-use";
import { spentDelta } from "@touchstone/core/domain/certificate/spending";
import { isAudited } from "@touchstone/core/domain/decide/audit";
import type { TrustReportInput } from "@touchstone/core/domain/report/trust-report";
import type { TrustSample } from "@touchstone/core/domain/report/trust-sample";
import { newFamilyTrust, withCertificates } from "@touchstone/core/domain/trust/family-trust";
import { newWatch, withAudit, withTraffic } from "@touchstone/core/domain/watch/watch";
import type { Calibration } from "@touchstone/core/schema/calibration";
import type { FingerprintParts } from "@touchstone/core/schema/certificate";
import type { ReasonCode } from "@touchstone/core/schema/outcome";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import { seededRandom } from "../watch/seeded-random.ts";

export const parts: FingerprintParts = {
  model: "judge-7b",
  quantisation: "awq",
  prompt: "2",
  rubric: "v3",
  decoding: "greedy",
  server: null,
};
export const judge = { task: "shop-dialogue", fingerprint: "9f86d081884c7d65", parts, model: "judge-7b" };

export const template = (decision: Partial<Template["decision"]> = {}): Template =>
  templateSchema.parse({
    task: "shop-dialogue",
    version: 3,
    family: "dialogue",
    title: { zh: "商城客服对话", en: "Shop dialogues" },
    standard: "An answer is good where it helps.",
    fields: [
      {
        id: "quality",
        kind: "label",
        title: "Quality",
        labels: [
          { code: "A", name: "good" },
          { code: "B", name: "bad" },
        ],
      },
    ],
    decision: { alpha: 0.03, delta: 0.05, auditRate: 0.2, ...decision },
  });

export const calibration: Calibration = {
  schema: 1,
  family: "dialogue",
  fingerprints: [judge.fingerprint],
  calibrator: { kind: "platt", slope: 0.62, intercept: 0.15 },
  choice: { reason: "lowest-log-loss", candidates: [{ kind: "platt", logLoss: 0.17 }] },
  fittedOn: {
    ...{ points: 812, errors: 143, effective: 640 },
    tasks: { "shop-dialogue": { points: 812, errors: 143 } },
  },
  metrics: {
    before: { brier: 0.061, logLoss: 0.24, ece: 0.048, ace: 0.05, mce: 0.21, auroc: 0.88, aurc: 0.012 },
    after: { brier: 0.052, logLoss: 0.18, ece: 0.011, ace: 0.012, mce: 0.06, auroc: 0.88, aurc: 0.012 },
  },
  at: Date.parse("2026-11-08T02:00:00Z"),
};

const difficulties = ["easy", "medium", "hard"] as const;
/** Log odds that the machine is right, on average. */
const ease = { easy: 5.2, medium: 4.4, hard: 2.2 } as const;
const start = Date.parse("2026-11-10T00:00:00Z");

/** Samples of twenty days. `threshold` is what the machine accepts from; copies and faults are among them as in life. */
export const simulatedSamples = (size: number, threshold: number, seed = 11): readonly TrustSample[] => {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: size }, (_, index): TrustSample => {
    const id = `s-${index}`;
    const difficulty = difficulties[Math.floor(random() * random() * 3)] ?? "easy";
    const family = random() < 0.7 ? "refund" : "delivery";
    const odds = ease[difficulty] + 1.4 * normal();
    const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
    const right = random() < sigmoid(odds);
    const fault = faultOf(random());
    // The judge believes in itself too much: its log odds are stretched.
    const raw = fault === null ? sigmoid(odds * 1.5) : null;
    const calibrated = raw === null ? null : applyCalibrator(calibration.calibrator, raw, judge.task);
    const accepted = calibrated !== null && calibrated >= threshold;
    const drawn = isAudited(id, judge.task, 0.2);
    const checked = (drawn || !accepted) && random() < 0.97;
    return {
      ...{ id, likeness: `like-${index % 50 === 49 ? index - 1 : index}`, raw, calibrated },
      decision: fault === "bad-line" ? "invalid" : accepted ? "machine" : "review",
      reasons: [{ code: accepted ? "confident" : (fault ?? "low-confidence") }],
      vouchedBy: accepted ? "certificate" : null,
      isAudit: accepted && drawn,
      isChecked: checked && fault !== "bad-line",
      isRight: checked && raw !== null ? right : null,
      drawn: drawn ? labelUse(id, judge.task, 0.4) : null,
      strata: { difficulty, family, modality: random() < 0.8 ? "text" : "image" },
      length: Math.round(20 + 800 * random() ** 2),
      decidedAt: start + Math.floor((index * 20 * 86_400_000) / size),
    };
  });
};

const faultOf = (chance: number): ReasonCode | null => {
  if (chance < 0.004) return "missing-confidence";
  if (chance < 0.01) return "answer-unreadable";
  if (chance < 0.014) return "media-unreadable";
  return chance < 0.018 ? "bad-line" : null;
};

/** The family's trust with a certificate from these samples, if they allow one. */
export const certifiedTrust = (samples: readonly TrustSample[], policy: Template): FamilyTrust => {
  const { alpha, delta } = policy.decision;
  const { proof } = certify({
    ...{ alpha, delta: spentDelta(delta, 1), grid: coverageGrid, starts: sequenceStarts },
    pool: samples.map(({ calibrated }) => calibrated),
    audits: samples.flatMap(({ drawn, isRight, calibrated }) =>
      drawn === "certify" && isRight !== null ? [{ confidence: calibrated, error: !isRight }] : [],
    ),
  });
  const trust = { ...newFamilyTrust("dialogue"), version: 1, certifications: 1, calibration };
  if (proof === null) return trust;
  const certificate = issueCertificate({
    ...{ family: "dialogue", unit: "sample", alpha, delta, index: 1, proof, poolSize: samples.length },
    tasks: { [judge.task]: { fingerprint: judge.fingerprint, parts } },
    ...{ calibration: calibration.at, audits: { salt: judge.task, rate: 0.2, fitShare: 0.4 } },
    ...{ window: { from: start, to: start + 1_728_000_000 }, issuedAt: Date.parse("2026-11-29T12:00:00Z") },
  });
  return withCertificates(trust, [{ certificate, calibration }]);
};

/** Everything the report is made from; `part` changes what a test is about. */
export const reportInput = (part: Partial<TrustReportInput> = {}): TrustReportInput => {
  const policy = part.template ?? template();
  const samples = part.samples ?? simulatedSamples(12_000, 0.93);
  return {
    ...{ template: policy, judge, samples, trust: certifiedTrust(samples, policy), watch: watched(samples) },
    ...{ target: 0.97, fitShare: 0.4, price: { minutes: 2, perHour: 90, currency: "CNY" } },
    now: Date.parse("2026-11-30T08:00:00Z"),
    ...part,
  };
};

const watched = (samples: readonly TrustSample[]) => {
  const confidences = samples.flatMap(({ calibrated }) => calibrated ?? []);
  const watch = newWatch({
    ...{ task: template().task, certificate: "dialogue#sample#1", fingerprint: judge.fingerprint },
    ...{ n: 1_000, k: 15, alpha: 0.03, coverage: 0.92, confidences, at: start },
  });
  const busy = withTraffic(watch, {
    ...{ id: "batch-1", confidences: confidences.slice(0, 4_000), judged: 4_000, missing: 16, at: start + 1 },
    accepted: 3_650,
  });
  return samples
    .filter(({ isAudit, isRight }) => isAudit && isRight !== null)
    .slice(0, 400)
    .reduce(
      (now, { id, isRight, decidedAt }) =>
        withAudit(now, { reviewId: id, isError: isRight === false, at: decidedAt }),
      busy,
    );
};
