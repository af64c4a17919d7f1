/** Issues certificates, says whether one covers a sample, and voids it where its judge or its numbers have changed. */
import {
  type Certificate,
  certificateSchema,
  type FingerprintParts,
  fingerprintPartsSchema,
  type ThresholdProof,
  type VoidReason,
} from "../../schema/certificate.ts";
import { spentDelta } from "./spending.ts";

export interface IssueInput
  extends Pick<
    Certificate,
    | "family"
    | "tasks"
    | "unit"
    | "criterion"
    | "alpha"
    | "poolSize"
    | "window"
    | "calibration"
    | "audits"
    | "issuedAt"
  > {
  /** δ over all certifications; `certify` was run with `spentDelta(delta, index)`. */
  readonly delta: number;
  /** 1 for the first certification of this family and unit, issued or not: every look spends. */
  readonly index: number;
  readonly proof: ThresholdProof;
}

/** A valid certificate. Throws where the proof was made at a higher level than this certification may spend. */
export const issueCertificate = ({ delta, index, proof, ...terms }: IssueInput): Certificate => {
  const spent = spentDelta(delta, index);
  if (proof.level > spent * (1 + 1e-9)) {
    throw new RangeError(
      `certification ${index} may spend ${spent} of delta, its proof was made with ${proof.level}`,
    );
  }
  const { family, unit, criterion } = terms;
  return certificateSchema.parse({
    schema: 1,
    id: [family, unit, ...(criterion === undefined ? [] : [criterion]), index].join("#"),
    ...terms,
    ...proof,
    delta: { total: delta, spent, index },
    state: { kind: "valid" },
  });
};

/** The same certificate, void from `at` on. One that is void already keeps its first reason. */
export const voided = (
  certificate: Certificate,
  because: { readonly reason: VoidReason; readonly detail?: string; readonly at: number },
): Certificate =>
  certificate.state.kind === "void" ? certificate : { ...certificate, state: { kind: "void", ...because } };

const partNames = fingerprintPartsSchema.keyof().options;

/** The parts in which two judges differ; none: the same judge. */
export const changedParts = (
  before: FingerprintParts,
  now: FingerprintParts,
): readonly (keyof FingerprintParts)[] => partNames.filter((part) => before[part] !== now[part]);

/** Who judged a sample, and by which calibration its confidence was made. */
export interface JudgedBy {
  readonly task: string;
  readonly fingerprint: string;
  /** Without it a change of judge is still seen in tasks that are covered, but cannot be named. */
  readonly parts?: FingerprintParts | undefined;
  /** `at` of the calibration; null: raw probabilities. */
  readonly calibration: number | null;
}

/** What a certificate says of a sample. */
export type Standing =
  | { readonly kind: "covered"; readonly tau: number }
  /** The family's judge is certified, the task is new: it needs its floor test. */
  | { readonly kind: "new-task"; readonly tau: number }
  | { readonly kind: "void"; readonly reason: VoidReason }
  | { readonly kind: "other-judge"; readonly changed: readonly (keyof FingerprintParts)[] }
  | { readonly kind: "other-calibration" };

/** Whether the certificate stands for this judge, this calibration and this task. */
export const standingOf = (certificate: Certificate, judged: JudgedBy): Standing => {
  const { state, tasks, tau, calibration } = certificate;
  const { parts } = judged;
  if (state.kind === "void") return { kind: "void", reason: state.reason };
  if (calibration !== judged.calibration) return { kind: "other-calibration" };
  const own = Object.hasOwn(tasks, judged.task) ? tasks[judged.task] : undefined;
  if (own) {
    return own.fingerprint === judged.fingerprint
      ? { kind: "covered", tau }
      : { kind: "other-judge", changed: parts ? changedParts(own.parts, parts) : [] };
  }
  if (!parts) return { kind: "new-task", tau };
  // A new task has a rubric of its own; all else must be the judge of a certified one.
  const changes = Object.values(tasks)
    .map((certified) => changedParts(certified.parts, parts).filter((part) => part !== "rubric"))
    .sort((left, right) => left.length - right.length);
  const changed = changes[0] ?? [];
  return changed.length === 0 ? { kind: "new-task", tau } : { kind: "other-judge", changed };
};
