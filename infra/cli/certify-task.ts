/** What `touchstone certify` does: tests what the audits prove, and stores what they do. */

import { leastAudits } from "@touchstone/core/domain/certificate/audit-plan";
import { standingOf } from "@touchstone/core/domain/certificate/certificate";
import { sequenceStarts } from "@touchstone/core/domain/certificate/certify";
import type { FloorTest } from "@touchstone/core/domain/certificate/floor-test";
import { spentDelta } from "@touchstone/core/domain/certificate/spending";
import {
  certifyFamily,
  type FamilyCertification,
  type FamilyEvidence,
  streamOf,
  termsOf,
} from "@touchstone/core/domain/trust/certify-family";
import {
  answerCertificate,
  withCertificates,
  withCertification,
  withTask,
} from "@touchstone/core/domain/trust/family-trust";
import { joinFamily } from "@touchstone/core/domain/trust/join-family";
import { sinceAlarm } from "@touchstone/core/domain/trust/new-window";
import type { Certificate } from "@touchstone/core/schema/certificate";
import type { HeldCertificate } from "@touchstone/core/schema/trust";
import type { Connection } from "./connection.ts";
import type { ObservedFamily } from "./observe-family.ts";

export type CertifyOutcome =
  /** It is certified already; looking again would spend delta for nothing. */
  | { readonly kind: "standing"; readonly certificate: Certificate }
  /** Nothing was looked at: fewer audits than even a faultless judge needs. */
  | {
      readonly kind: "too-few";
      readonly audits: number;
      readonly pending: number;
      readonly behind: number;
      readonly needed: number;
    }
  | { readonly kind: "floor"; readonly certificate: Certificate; readonly test: FloorTest }
  | {
      readonly kind: "tested";
      readonly index: number;
      readonly certificate: Certificate | null;
      readonly certification: FamilyCertification;
    };

type Ports = Pick<Connection, "trust">;

/** `again`: even where a certificate stands, e.g. to reach a higher coverage with more audits. */
export const certifyTask = async (
  connection: Ports,
  { evidence: observed, trust, task }: ObservedFamily,
  { now, again }: { readonly now: number; readonly again: boolean },
): Promise<CertifyOutcome> => {
  const held = answerCertificate(trust);
  if (held && !again) {
    const { fingerprint, parts, template } = task;
    const calibration = held.calibration?.at ?? null;
    const standing = standingOf(held.certificate, { task: template.task, fingerprint, parts, calibration });
    if (standing.kind === "covered") return { kind: "standing", certificate: held.certificate };
    if (standing.kind === "new-task")
      return inherit(connection, { evidence: observed, trust, task }, held, now);
  }
  const evidence = sinceAlarm(observed, trust);
  const { alpha, delta } = termsOf(evidence);
  const { audits, pending, behind } = streamOf(evidence);
  const needed = fewestAudits(alpha, spentDelta(delta, trust.certifications + 1));
  if (audits.length < needed) return { kind: "too-few", audits: audits.length, pending, behind, needed };
  // Counted before it is looked at: a process that dies in between has spent its part of delta all the same.
  const { certifications: index } = await connection.trust.changeFamily(evidence.family, withCertification);
  const certification = certifyFamily(evidence, index, now);
  await store(connection, evidence, certification);
  const certificate =
    certification.issued.find((one) => one.certificate.unit !== "veto")?.certificate ?? null;
  return { kind: "tested", index, certificate, certification };
};

/** Audits with which a judge without any error passes the first test of the longest chain. */
const fewestAudits = (alpha: number, delta: number): number =>
  Math.min(
    ...sequenceStarts.map(({ coverage, share }) =>
      Math.ceil(leastAudits(0, alpha, delta * share) / coverage),
    ),
  );

/** The watches first: a certificate that nobody watches must never stand. */
const store = async (
  { trust }: Ports,
  { family }: FamilyEvidence,
  { issued, watches }: FamilyCertification,
): Promise<void> => {
  for (const watch of watches) await trust.changeWatch(watch.task, () => watch);
  if (issued.length > 0) await trust.changeFamily(family, (standing) => withCertificates(standing, issued));
};

/** A task that is new in a certified family: its first audits must all be right. The watch comes before the certificate. */
const inherit = async (
  { trust }: Ports,
  { evidence, task }: ObservedFamily,
  held: HeldCertificate,
  now: number,
): Promise<CertifyOutcome> => {
  const { template, fingerprint, parts } = task;
  const { certificate } = held;
  const { test, watch } = joinFamily(task, held, now);
  if (watch) {
    await trust.changeWatch(template.task, () => watch);
    await trust.changeFamily(evidence.family, (standing) =>
      withTask(standing, certificate.id, template.task, { fingerprint, parts }),
    );
  }
  return { kind: "floor", certificate, test };
};
