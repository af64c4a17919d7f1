/** The trust report of a task as data: how far its machine answers may be trusted, and what more would take. */
import type { Calibration } from "../../schema/calibration.ts";
import type { Template } from "../../schema/template.ts";
import type { FamilyTrust } from "../../schema/trust.ts";
import type { AlarmKind, ConcernKind, Watch } from "../../schema/watch.ts";
import { spentDelta } from "../certificate/spending.ts";
import type { Judge } from "../decide/vouching.ts";
import { judgeWatch, stabilityOf } from "../watch/judge-watch.ts";
import { type AcceptedError, acceptedError } from "./accepted-error.ts";
import { type AuditPrice, auditForecast, type Forecast } from "./audit-forecast.ts";
import { type CoverageFigures, coverageFigures } from "./coverage.ts";
import { type Reliability, reliability } from "./reliability.ts";
import { type RiskCurve, riskCurve } from "./risk-curve.ts";
import type { Share } from "./share.ts";
import { standing as standingOf, type TrustStanding } from "./standing.ts";
import { type Stratification, stratify } from "./strata.ts";
import { randomLabels, type TrustSample } from "./trust-sample.ts";
import { coverageSentence, forecastSentence, type Sentences, standingSentence } from "./trust-sentences.ts";

export interface TrustReportInput {
  readonly template: Template;
  /** Who gave the newest result; null where no judge was asked yet. */
  readonly judge: (Judge & { readonly model: string }) | null;
  readonly trust: FamilyTrust | null;
  readonly watch: Watch | null;
  readonly samples: readonly TrustSample[];
  /** Coverage whose price is asked for, e.g. 0.97. */
  readonly target: number;
  /** Share of audits kept for fitting. */
  readonly fitShare: number;
  readonly price: AuditPrice;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface TrustReport {
  readonly schema: 1;
  readonly task: string;
  readonly title: Template["title"];
  readonly family: string;
  readonly template: number;
  readonly judge: { readonly model: string; readonly fingerprint: string } | null;
  /** Epoch milliseconds: when it was made, and when its first and last samples were decided. */
  readonly at: number;
  readonly window: { readonly from: number; readonly to: number } | null;
  readonly policy: {
    readonly alpha: number;
    readonly delta: number;
    readonly auditRate: number;
    readonly uncertified: Template["decision"]["uncertified"];
  };
  readonly standing: TrustStanding;
  readonly coverage: CoverageFigures;
  /** The machine's share of the valid samples decided since the certificate was given; null without one, or before any. */
  readonly sinceCertified: Share | null;
  readonly acceptedError: AcceptedError | null;
  readonly calibration: {
    readonly kind: Calibration["calibrator"]["kind"];
    readonly points: number;
    readonly at: number;
    /** Calibration error on labels that the fit had not seen. */
    readonly eceBefore: number | null;
    readonly eceAfter: number | null;
  } | null;
  readonly reliability: Reliability;
  readonly riskCurve: RiskCurve;
  readonly forecast: Forecast;
  readonly strata: readonly Stratification[];
  readonly watch: WatchFigures | null;
  readonly sentences: {
    readonly standing: Sentences;
    readonly coverage: Sentences;
    readonly forecast: Sentences;
  };
}

export interface WatchFigures {
  readonly alarm: { readonly kind: AlarmKind; readonly detail: string } | null;
  readonly concerns: readonly { readonly kind: ConcernKind; readonly detail: string }[];
  readonly audits: number;
  readonly errors: number;
  /** Of the CUSUM: the score, and where it raises the alarm. */
  readonly score: number;
  readonly limit: number;
  /** Of recent confidences against the certified ones; null of too few to tell. */
  readonly stabilityIndex: number | null;
  /** Share of recent answers without logprobs; null before the first. */
  readonly missingLogprobs: number | null;
}

/** Pure; every number of the page and of the JSON comes from here. */
export const trustReport = (input: TrustReportInput): TrustReport => {
  const { template, judge, trust, samples } = input;
  const { alpha, delta, auditRate, uncertified } = template.decision;
  const standing = standingOf(template, judge, trust);
  const coverage = coverageFigures(samples);
  const sinceCertified =
    standing.kind === "certified" ? shareSince(samples, standing.certificate.issuedAt) : null;
  const error = acceptedError(samples, delta);
  const curve = riskCurve(samples, delta);
  const window = windowOf(samples);
  const forecast = auditForecast({
    ...{ target: input.target, alpha, curve, price: input.price, certifyingShare: 1 - input.fitShare },
    delta: spentDelta(delta, (trust?.certifications ?? 0) + 1),
    certified: standing.kind === "certified" ? standing.certificate.coverage : null,
    usable: randomLabels(samples).filter(
      ({ drawn, decision }) => drawn === "certify" && decision === "machine",
    ).length,
    auditsPerDay: window && perDay(coverage.machine * auditRate, window),
  });
  return {
    schema: 1,
    ...{ task: template.task, title: template.title, family: template.family, template: template.version },
    judge: judge && { model: judge.model, fingerprint: judge.fingerprint },
    ...{ at: input.now, window, policy: { alpha, delta, auditRate, uncertified }, standing, coverage },
    sinceCertified,
    acceptedError: error,
    calibration: calibrationFigures(trust?.calibration ?? null),
    reliability: reliability(samples, auditRate),
    riskCurve: curve,
    forecast,
    strata: stratify(samples),
    watch: input.watch && watchFigures(input.watch, judge?.fingerprint ?? input.watch.fingerprint),
    sentences: {
      standing: standingSentence(standing, error),
      coverage: coverageSentence(coverage, sinceCertified),
      forecast: forecastSentence(forecast),
    },
  };
};

const shareSince = (samples: readonly TrustSample[], at: number): Share | null =>
  coverageFigures(samples.filter(({ decidedAt }) => decidedAt >= at)).gross;

const windowOf = (samples: readonly TrustSample[]): TrustReport["window"] => {
  const [first, ...others] = samples;
  if (first === undefined) return null;
  return others.reduce(
    ({ from, to }, { decidedAt }) => ({ from: Math.min(from, decidedAt), to: Math.max(to, decidedAt) }),
    { from: first.decidedAt, to: first.decidedAt },
  );
};

const dayMs = 86_400_000;

/** null for less than a day of traffic, which says little of the next. */
const perDay = (
  events: number,
  { from, to }: { readonly from: number; readonly to: number },
): number | null => (to - from < dayMs ? null : events / ((to - from) / dayMs));

const calibrationFigures = (calibration: Calibration | null): TrustReport["calibration"] =>
  calibration && {
    kind: calibration.calibrator.kind,
    points: calibration.fittedOn.points,
    at: calibration.at,
    eceBefore: calibration.metrics.before?.ece ?? null,
    eceAfter: calibration.metrics.after?.ece ?? null,
  };

const watchFigures = (watch: Watch, fingerprint: string): WatchFigures => {
  const { alarm, concerns } = judgeWatch(watch, fingerprint);
  const { audits, traffic } = watch;
  return {
    alarm: alarm && { kind: alarm.kind, detail: alarm.detail },
    concerns,
    ...{ audits: audits.count, errors: audits.errors, score: audits.score, limit: audits.h },
    stabilityIndex: stabilityOf(traffic),
    missingLogprobs: traffic.judged === 0 ? null : traffic.missing / traffic.judged,
  };
};
