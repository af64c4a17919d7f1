/** Changes of a family's trust record; each gives the next version. The CLI and LEARN write them. */
import type { Calibration } from "../../schema/calibration.ts";
import type { Certificate, VoidReason } from "../../schema/certificate.ts";
import type { FamilyTrust, HeldCertificate } from "../../schema/trust.ts";
import type { Watch } from "../../schema/watch.ts";
import { voided } from "../certificate/certificate.ts";

/** A family that nobody has calibrated or certified. */
export const newFamilyTrust = (family: string): FamilyTrust => ({
  schema: 1,
  family,
  version: 0,
  calibration: null,
  certifications: 0,
  certificates: [],
});

const changed = (trust: FamilyTrust, part: Partial<FamilyTrust>): FamilyTrust => ({
  ...trust,
  ...part,
  version: trust.version + 1,
});

/** Certificates stay as they are: each holds the calibration that it was given on. */
export const withCalibration = (trust: FamilyTrust, calibration: Calibration): FamilyTrust =>
  changed(trust, { calibration });

/** A certification is counted before anybody looks at its labels, so that a look is paid for whatever it shows. */
export const withCertification = (trust: FamilyTrust): FamilyTrust =>
  changed(trust, { certifications: trust.certifications + 1 });

/** In place of those of the same unit and criterion. */
export const withCertificates = (trust: FamilyTrust, issued: readonly HeldCertificate[]): FamilyTrust => {
  const names = new Set(issued.map(({ certificate }) => subjectOf(certificate)));
  return changed(trust, {
    certificates: [
      ...trust.certificates.filter(({ certificate }) => !names.has(subjectOf(certificate))),
      ...issued,
    ],
  });
};

/** With a task that passed its floor test; the same record where that certificate does not stand any more. */
export const withTask = (
  trust: FamilyTrust,
  id: string,
  task: string,
  judge: Certificate["tasks"][string],
): FamilyTrust => {
  const isLive = ({ certificate }: HeldCertificate): boolean =>
    certificate.id === id && certificate.state.kind === "valid";
  if (!trust.certificates.some(isLive)) return trust;
  return changed(trust, {
    certificates: trust.certificates.map((held) =>
      isLive(held)
        ? {
            ...held,
            certificate: { ...held.certificate, tasks: { ...held.certificate.tasks, [task]: judge } },
          }
        : held,
    ),
  });
};

/**
 * Ends what a task's alarm ends: the certificate, or, where the task's own judge has changed and others are in it too, the
 * task's part in it: their judges are what they were. The same record where there is nothing to end any more.
 */
export const withAlarm = (
  trust: FamilyTrust,
  { task, certificate: id, alarm }: Pick<Watch, "task" | "certificate" | "alarm">,
): FamilyTrust => {
  if (!alarm) return trust;
  const held = trust.certificates.find(({ certificate }) => certificate.id === id)?.certificate;
  if (!held || held.state.kind === "void" || !Object.hasOwn(held.tasks, task)) return trust;
  const others = Object.entries(held.tasks).filter(([name]) => name !== task);
  if (alarm.kind === "fingerprint-changed" && others.length > 0) {
    const certificate = { ...held, tasks: Object.fromEntries(others) };
    return changed(trust, {
      certificates: trust.certificates.map((one) =>
        one.certificate.id === id ? { ...one, certificate } : one,
      ),
    });
  }
  return withVoid(trust, id, {
    reason: alarm.kind,
    detail: `${task}: ${alarm.detail}`.slice(0, 400),
    at: alarm.at,
  });
};

/** The same record where the certificate is void already, or replaced. */
export const withVoid = (
  trust: FamilyTrust,
  id: string,
  because: { readonly reason: VoidReason; readonly detail?: string; readonly at: number },
): FamilyTrust => {
  const isLive = ({ certificate }: HeldCertificate): boolean =>
    certificate.id === id && certificate.state.kind === "valid";
  if (!trust.certificates.some(isLive)) return trust;
  return changed(trust, {
    certificates: trust.certificates.map((held) =>
      isLive(held) ? { ...held, certificate: voided(held.certificate, because) } : held,
    ),
  });
};

/** A sample's answer and a rubric's grade are the same thing to a threshold: what is accepted as a whole. */
const subjectOf = ({ unit, criterion }: Certificate): string =>
  unit === "veto" ? `veto ${criterion}` : "answer";

/** The newest certificate of whole answers, void or not. */
export const answerCertificate = (trust: FamilyTrust | null): HeldCertificate | null =>
  trust?.certificates.find(({ certificate }) => certificate.unit !== "veto") ?? null;

/** The newest certificate of a veto criterion, void or not. */
export const vetoCertificate = (trust: FamilyTrust | null, criterion: string): HeldCertificate | null =>
  trust?.certificates.find(
    ({ certificate }) => certificate.unit === "veto" && certificate.criterion === criterion,
  ) ?? null;
