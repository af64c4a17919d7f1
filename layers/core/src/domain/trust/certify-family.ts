/** Certifies a family from what was observed of its tasks. `touchstone certify` calls it; nothing here reads a clock. */
import type { Calibration } from "../../schema/calibration.ts";
import type { FingerprintParts } from "../../schema/certificate.ts";
import type { Template } from "../../schema/template.ts";
import type { HeldCertificate } from "../../schema/trust.ts";
import type { Watch } from "../../schema/watch.ts";
import { issueCertificate } from "../certificate/certificate.ts";
import {
  type Certification,
  type CertificationPlan,
  certify,
  coverageGrid,
  sequenceStarts,
} from "../certificate/certify.ts";
import { certifyVeto, type VetoVerdict } from "../certificate/certify-veto.ts";
import { sharedDelta, spentDelta } from "../certificate/spending.ts";
import { calibrated, calibrationOf, fits } from "../decide/vouching.ts";
import { newWatch } from "../watch/watch.ts";
import { certifyingStream, type Draw, type PendingRule } from "./evidence.ts";
import type { Observed, ObservedVeto } from "./observed.ts";

/** A task with the judge that runs it now, and the samples that this judge has judged. */
export interface JudgedTask {
  readonly template: Template;
  readonly fingerprint: string;
  readonly parts: FingerprintParts;
  readonly samples: readonly Observed[];
}

export interface FamilyEvidence {
  readonly family: string;
  /** At least one; of other judges' samples none may be among them. */
  readonly tasks: readonly JudgedTask[];
  /** The newest of the family; left out where it was fitted to another judge. */
  readonly calibration: Calibration | null;
  readonly fitShare: number;
  readonly pendingRule: PendingRule;
}

/** What the family's templates promise together: the strictest of each, and the stream that all of them share. */
export const termsOf = ({ tasks, fitShare }: Pick<FamilyEvidence, "tasks" | "fitShare">) => {
  const least = (of: (policy: Template["decision"]) => number): number =>
    Math.min(...tasks.map(({ template }) => of(template.decision)));
  return {
    alpha: least(({ alpha }) => alpha),
    delta: least(({ delta }) => delta),
    vetoAlpha: least(({ vetoAlpha }) => vetoAlpha),
    draw: { rate: least(({ auditRate }) => auditRate), fitShare } satisfies Draw,
  };
};

/** The random stream of all tasks, as far as it certifies. */
export const streamOf = (evidence: FamilyEvidence): ReturnType<typeof certifyingStream> =>
  certifyingStream(
    evidence.tasks.flatMap(({ samples }) => samples),
    termsOf(evidence).draw,
    evidence.pendingRule,
  );

export interface VetoOutcome {
  readonly criterion: string;
  readonly certification: Certification;
  /** Audits of verdicts "no violation". */
  readonly audits: number;
}

export interface FamilyCertification {
  readonly answer: Certification;
  readonly audits: number;
  readonly pending: number;
  readonly behind: number;
  readonly pool: number;
  readonly vetoes: readonly VetoOutcome[];
  /** Empty where nothing passed. */
  readonly issued: readonly HeldCertificate[];
  /** One for each task, where the answers were certified. */
  readonly watches: readonly Watch[];
}

/** The `index`-th certification of the family, from 1; it has spent its part of delta whatever comes of it. */
export const certifyFamily = (evidence: FamilyEvidence, index: number, now: number): FamilyCertification => {
  const { tasks } = evidence;
  const terms = termsOf(evidence);
  const scale = scaleOf(evidence);
  const stream = streamOf(evidence);
  const samples = stream.window;
  const criteria = [...new Set(samples.flatMap(({ vetoes }) => vetoes.map(({ criterion }) => criterion)))];
  const plan: CertificationPlan = {
    alpha: terms.alpha,
    delta: sharedDelta(spentDelta(terms.delta, index), 1 + criteria.length),
    grid: coverageGrid,
    starts: sequenceStarts,
  };
  const pool = samples.map((sample) => scale.of(sample.task, sample.raw));
  const audits = stream.audits.map((sample) => ({
    confidence: scale.of(sample.task, sample.raw),
    error: !sample.final,
  }));
  const answer = certify({ ...plan, pool, audits });
  const vetoes = criteria.map((criterion) =>
    vetoOutcome(criterion, samples, stream.audits, scale, { ...plan, alpha: terms.vetoAlpha }),
  );
  const issue = issuer({ evidence, terms, index, now, samples, calibration: scale.calibration });
  const issued = [
    ...(answer.proof ? [issue(answer.proof, { unit: unitOf(tasks), alpha: terms.alpha }, pool.length)] : []),
    ...vetoes.flatMap(({ criterion, certification: { proof } }) => {
      const clean = samples.filter(({ vetoes: own }) => own.some((veto) => isClean(veto, criterion)));
      const of = { unit: "veto" as const, criterion, alpha: terms.vetoAlpha };
      return proof ? [issue(proof, of, clean.length)] : [];
    }),
  ];
  const certificate = issued.find((held) => held.certificate.unit !== "veto")?.certificate;
  const proof = answer.proof;
  const above = proof ? stream.audits.filter(({ task, raw }) => (scale.of(task, raw) ?? 0) >= proof.tau) : [];
  return {
    answer,
    audits: audits.length,
    pending: stream.pending,
    behind: stream.behind,
    pool: pool.length,
    vetoes,
    issued,
    watches:
      certificate && proof
        ? tasks.map(({ template, fingerprint, samples: own }) =>
            newWatch({
              task: template.task,
              certificate: certificate.id,
              fingerprint,
              n: above.length,
              // LEARN counts first looks, so what is usual for them is what the watch must know.
              k: above.filter(({ first }) => first === false).length,
              alpha: certificate.alpha,
              coverage: proof.coverage.pool,
              confidences: own.flatMap(({ task, raw }) => scale.of(task, raw) ?? []),
              at: now,
            }),
          )
        : [],
  };
};

interface Scale {
  readonly calibration: Calibration | null;
  readonly of: (task: string, raw: number | null) => number | null;
}

/** Calibrated probabilities, if the calibration speaks for every judge; else raw ones, which rank all the same. */
const scaleOf = ({ tasks, calibration }: FamilyEvidence): Scale => {
  const judges = tasks.map(({ template, fingerprint, parts }) => ({
    task: template.task,
    fingerprint,
    parts,
  }));
  const used = calibration !== null && judges.every((judge) => fits(calibration, judge)) ? calibration : null;
  return {
    calibration: used,
    of: (task, raw) => (raw === null ? null : calibrated({ calibrate: calibrationOf(used, task) }, raw)),
  };
};

const isClean = ({ criterion, flagged }: ObservedVeto, wanted: string): boolean =>
  criterion === wanted && !flagged;

const vetoOutcome = (
  criterion: string,
  samples: readonly Observed[],
  answered: readonly Observed[],
  scale: Scale,
  plan: CertificationPlan,
): VetoOutcome => {
  const verdictsOf = (those: readonly Observed[]) =>
    those.flatMap(({ task, vetoes }) =>
      vetoes.flatMap((veto) =>
        veto.criterion === criterion
          ? [{ confidence: scale.of(task, veto.raw), flagged: veto.flagged, violated: veto.violated }]
          : [],
      ),
    );
  const pool: readonly VetoVerdict[] = verdictsOf(samples);
  const audits = verdictsOf(answered).flatMap(({ violated, ...verdict }) =>
    violated === null ? [] : [{ ...verdict, violated }],
  );
  const certification = certifyVeto({ ...plan, pool, audits });
  return { criterion, certification, audits: audits.filter(({ flagged }) => !flagged).length };
};

const unitOf = (tasks: readonly JudgedTask[]): "sample" | "grade" =>
  tasks.every(({ template }) => template.fields.length === 0) ? "grade" : "sample";

interface Issue {
  readonly evidence: FamilyEvidence;
  readonly terms: ReturnType<typeof termsOf>;
  readonly index: number;
  readonly now: number;
  readonly samples: readonly Observed[];
  readonly calibration: Calibration | null;
}

const issuer =
  ({ evidence, terms, index, now, samples, calibration }: Issue) =>
  (
    proof: NonNullable<Certification["proof"]>,
    subject: {
      readonly unit: "sample" | "grade" | "veto";
      readonly criterion?: string;
      readonly alpha: number;
    },
    poolSize: number,
  ): HeldCertificate => {
    const moments = samples.map(({ decidedAt }) => decidedAt);
    return {
      certificate: issueCertificate({
        family: evidence.family,
        tasks: Object.fromEntries(
          evidence.tasks.map(({ template, fingerprint, parts }) => [template.task, { fingerprint, parts }]),
        ),
        ...subject,
        delta: terms.delta,
        index,
        proof,
        poolSize,
        window: { from: least(moments), to: most(moments) },
        calibration: calibration?.at ?? null,
        audits: { salt: auditSalt, ...terms.draw },
        issuedAt: now,
      }),
      calibration,
    };
  };

/** Each task's stream is drawn with the task's own name. */
const auditSalt = "<task>";

// Spread into Math.min, a window of many samples would not fit on the stack.
const least = (values: readonly number[]): number => values.reduce((low, value) => Math.min(low, value));
const most = (values: readonly number[]): number => values.reduce((high, value) => Math.max(high, value));
