/** What stands behind the machine's answers for one sample: a certificate, or the template's word alone. SCORE asks it. */
import type { Calibration } from "../../schema/calibration.ts";
import type { Result } from "../../schema/result.ts";
import type { Template } from "../../schema/template.ts";
import type { FamilyTrust, HeldCertificate } from "../../schema/trust.ts";
import { applyCalibrator } from "../calibration/apply-calibrator.ts";
import { type JudgedBy, standingOf } from "../certificate/certificate.ts";
import { answerCertificate, vetoCertificate } from "../trust/family-trust.ts";

export interface Vouching {
  readonly by: "certificate" | "provisional-threshold";
  /** Lowest probability, calibrated where there is a calibration, that counts as vouched for. */
  readonly threshold: number;
  /** Raw to calibrated; null where no calibration fits this judge. */
  readonly calibrate: ((raw: number) => number) | null;
  /** What the result says of the family's certificate; absent where there never was one. */
  readonly certificate: Result["certificate"];
  /** Whether a judge's "no violation" of that probability may stand; true without a certificate, which proves nothing. */
  readonly clearsVeto: (criterion: string, raw: number | null) => boolean;
}

/** Who judged a sample of which task. */
export type Judge = Omit<JudgedBy, "calibration">;

/**
 * A certificate counts where it is valid, was given for this very fingerprint, and promises what the template asks for.
 * Else the template's provisional threshold holds, on calibrated probabilities where the family's calibration was fitted
 * to this judge, or has never met the task.
 */
export const vouchingOf = (template: Template, judge: Judge, trust: FamilyTrust | null): Vouching => {
  const { task, decision } = template;
  const held = answerCertificate(trust);
  const why = held && uncovered(held, judge, decision.alpha);
  if (held && why === null) {
    const calibrate = calibrationOf(held.calibration, task);
    return {
      by: "certificate",
      threshold: held.certificate.tau,
      calibrate,
      certificate: { id: held.certificate.id, covers: true },
      clearsVeto: (criterion, raw) =>
        clears(vetoCertificate(trust, criterion), judge, decision.vetoAlpha, raw),
    };
  }
  const calibration = trust?.calibration ?? null;
  return {
    by: "provisional-threshold",
    threshold: decision.provisionalThreshold,
    calibrate: calibration && fits(calibration, judge) ? calibrationOf(calibration, task) : null,
    certificate: held && why !== null ? { id: held.certificate.id, covers: false, why } : undefined,
    clearsVeto: () => true,
  };
};

/** Calibrated where it can be; what is compared with a threshold. */
export const calibrated = ({ calibrate }: Pick<Vouching, "calibrate">, raw: number): number =>
  calibrate === null ? raw : calibrate(raw);

type Uncovered = NonNullable<NonNullable<Result["certificate"]>["why"]>;

/** Why a certificate does not speak for the sample; null if it does. */
const uncovered = (
  { certificate, calibration }: HeldCertificate,
  judge: Judge,
  alpha: number,
): Uncovered | null => {
  const standing = standingOf(certificate, { ...judge, calibration: calibration?.at ?? null });
  switch (standing.kind) {
    case "covered":
      return certificate.alpha <= alpha ? null : "policy-changed";
    case "void":
      return standing.reason;
    case "other-judge":
      return "fingerprint-changed";
    case "other-calibration":
      return "calibration-replaced";
    case "new-task":
      return "new-task";
    default:
      return standing satisfies never;
  }
};

const clears = (held: HeldCertificate | null, judge: Judge, alpha: number, raw: number | null): boolean =>
  held !== null &&
  raw !== null &&
  uncovered(held, judge, alpha) === null &&
  // As it is stored, since the threshold is one of the stored ones.
  calibrated({ calibrate: calibrationOf(held.calibration, judge.task) }, Math.round(raw * 1e4) / 1e4) >=
    held.certificate.tau;

/** The curve of a calibration for one task; null where there is none. */
export const calibrationOf = (
  calibration: Calibration | null,
  task: string,
): ((raw: number) => number) | null =>
  calibration && ((raw) => applyCalibrator(calibration.calibrator, raw, task));

/** Whether a calibration speaks for this judge: it was fitted to it, or has never met the task. */
export const fits = ({ fingerprints, fittedOn }: Calibration, { task, fingerprint }: Judge): boolean =>
  fingerprints.includes(fingerprint) || !Object.hasOwn(fittedOn.tasks, task);
