/** What stands behind the machine's answers today: a certificate, one that no longer counts, or none. */
import type { Certificate, VoidReason } from "../../schema/certificate.ts";
import type { Template } from "../../schema/template.ts";
import type { FamilyTrust } from "../../schema/trust.ts";
import { type Judge, vouchingOf } from "../decide/vouching.ts";
import { answerCertificate } from "../trust/family-trust.ts";

/** What people are told of a certificate. */
export interface CertificateFigures {
  readonly id: string;
  readonly alpha: number;
  /** Chance of being wrong over all certifications, and what this one used of it. */
  readonly delta: number;
  readonly spent: number;
  readonly n: number;
  readonly k: number;
  readonly bound: number;
  readonly tau: number;
  readonly coverage: number;
  readonly poolSize: number;
  readonly tasks: readonly string[];
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  readonly from: number;
  readonly to: number;
}

export type TrustStanding = {
  /** Confidence at which an answer is accepted; null where people see everything. */
  readonly threshold: number | null;
} & (
  | { readonly kind: "certified"; readonly certificate: CertificateFigures }
  | {
      readonly kind: "void";
      readonly certificate: CertificateFigures;
      readonly why: VoidReason | "new-task";
      readonly detail: string | null;
      readonly since: number | null;
    }
  | { readonly kind: "none" }
);

/** By the rule that SCORE decides with, for the judge of the newest result; `judge` is null where none was asked yet. */
export const standing = (
  template: Template,
  judge: Judge | null,
  trust: FamilyTrust | null,
): TrustStanding => {
  const held = answerCertificate(trust);
  const { decision } = template;
  const fallback = decision.uncertified === "review" ? null : decision.provisionalThreshold;
  if (!held || !judge) return { kind: "none", threshold: fallback };
  const { certificate } = held;
  const { threshold, certificate: said } = vouchingOf(template, judge, trust);
  const figures = figuresOf(certificate);
  if (said?.covers) return { kind: "certified", threshold, certificate: figures };
  const { state } = certificate;
  const voided = state.kind === "void" ? state : null;
  return {
    ...{ kind: "void", threshold: fallback, certificate: figures },
    why: said?.why ?? "withdrawn",
    detail: voided?.detail ?? null,
    since: voided?.at ?? null,
  };
};

const figuresOf = (certificate: Certificate): CertificateFigures => ({
  id: certificate.id,
  alpha: certificate.alpha,
  delta: certificate.delta.total,
  spent: certificate.delta.spent,
  n: certificate.n,
  k: certificate.k,
  bound: certificate.bound,
  tau: certificate.tau,
  coverage: certificate.coverage.pool,
  poolSize: certificate.poolSize,
  tasks: Object.keys(certificate.tasks).sort(),
  issuedAt: certificate.issuedAt,
  from: certificate.window.from,
  to: certificate.window.to,
});
