/** Certifies a veto criterion in its dangerous direction only: violations among what the machine calls clean. */
import { type Certification, type CertificationPlan, certify } from "./certify.ts";

/** A verdict on a veto criterion. */
export interface VetoVerdict {
  /** Probability of the machine's verdict; null: not measured. */
  readonly confidence: number | null;
  /** Whether the machine saw a violation. Those verdicts go to people and are no part of the proof. */
  readonly flagged: boolean;
}
export interface AuditedVeto extends VetoVerdict {
  /** Whether there is a violation, by people. */
  readonly violated: boolean;
}

export interface VetoCertificationInput extends CertificationPlan {
  readonly pool: readonly VetoVerdict[];
  readonly audits: readonly AuditedVeto[];
}

/** As `certify`, where coverage is the share of the verdicts "no violation". No proof: always a person. */
export const certifyVeto = ({ pool, audits, ...plan }: VetoCertificationInput): Certification =>
  certify({
    ...plan,
    pool: pool.filter(({ flagged }) => !flagged).map(({ confidence }) => confidence),
    audits: audits
      .filter(({ flagged }) => !flagged)
      .map(({ confidence, violated }) => ({ confidence, error: violated })),
  });
