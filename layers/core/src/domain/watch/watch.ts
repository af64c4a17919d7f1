/** The watch over a certificate: every change of its record, each harmless when it is applied twice. */
import type { TaskId } from "../../schema/identity.ts";
import type { Watch } from "../../schema/watch.ts";
import { cusum, cusumThreshold, watchedRates } from "./cusum.ts";
import { judgeWatch } from "./judge-watch.ts";
import { mcnemarP } from "./mcnemar.ts";
import { nothingRemembered, remember } from "./remember.ts";
import { binCounts, tenthEdges } from "./stability-index.ts";

/** What a new certificate says about itself, as far as its watch needs it. */
export interface WatchedCertificate {
  readonly task: TaskId;
  readonly certificate: string;
  readonly fingerprint: string;
  /** Errors `k` among `n` certifying audits, and the error rate promised. */
  readonly n: number;
  readonly k: number;
  readonly alpha: number;
  /** Share of the judged samples that its threshold accepts. */
  readonly coverage: number;
  /** Confidences of the judged samples it was given on. */
  readonly confidences: readonly number[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Audits and slices of traffic that a watch remembers by name. */
const memories = 1_000;

/** Samples after which traffic counts half: about a day of a busy task. */
const halfLife = 2_000;

/** Messages carry four decimals: both sides are counted alike, or rounding itself would look like a drift. */
const coarse = (confidence: number): number => Math.round(confidence * 1e4) / 1e4;

/** All above it are one bin: whether a sure judge says 0.9996 or 0.9999 is no news. */
const surest = 0.999;

/** The watch that begins with a certificate. */
export const newWatch = (certificate: WatchedCertificate): Watch => {
  const rates = watchedRates(certificate);
  const confidences = certificate.confidences.map(coarse);
  const edges = tenthEdges(confidences).map((edge) => Math.min(edge, surest));
  return {
    schema: 1,
    task: certificate.task,
    certificate: certificate.certificate,
    fingerprint: certificate.fingerprint,
    version: 0,
    startedAt: certificate.at,
    audits: {
      ...rates,
      h: cusumThreshold(rates),
      score: 0,
      count: 0,
      errors: 0,
      remembered: nothingRemembered,
    },
    traffic: {
      edges,
      reference: binCounts(confidences, edges),
      recent: edges.map(() => 0).concat(0),
      halfLife,
      judged: 0,
      missing: 0,
      certifiedAcceptRate: certificate.coverage,
      acceptRate: certificate.coverage,
      remembered: nothingRemembered,
    },
    canary: null,
    alarm: null,
  };
};

/** The adjudicated verdict on one audited, accepted sample. */
export interface AuditEvent {
  readonly reviewId: string;
  /** The machine's answer was wrong. */
  readonly isError: boolean;
  readonly at: number;
}

/** With one more audit; the same watch if it was counted before. */
export const withAudit = (watch: Watch, { reviewId, isError, at }: AuditEvent): Watch => {
  const { audits } = watch;
  const { isNew, memory } = remember(audits.remembered, { id: reviewId, at }, memories);
  if (!isNew)
    return memory === audits.remembered
      ? watch
      : changed(watch, at, { audits: { ...audits, remembered: memory } });
  return changed(watch, at, {
    audits: {
      ...audits,
      score: cusum(audits.score, isError, audits),
      count: audits.count + 1,
      errors: audits.errors + (isError ? 1 : 0),
      remembered: memory,
    },
  });
};

/** Some judged samples of the task: those of a split, or of a batch. */
export interface TrafficSlice {
  /** The same for the same samples. */
  readonly id: string;
  /** Calibrated confidences of the samples that have one. */
  readonly confidences: readonly number[];
  readonly judged: number;
  /** Judged samples without logprobs. */
  readonly missing: number;
  /** Samples whose confidence reaches the certificate's threshold. */
  readonly accepted: number;
  readonly at: number;
}

/** With these samples; the same watch if they were counted before. Older traffic fades. */
export const withTraffic = (watch: Watch, slice: TrafficSlice): Watch => {
  const { traffic } = watch;
  const { isNew, memory } = remember(traffic.remembered, slice, memories);
  if (!isNew)
    return memory === traffic.remembered
      ? watch
      : changed(watch, slice.at, { traffic: { ...traffic, remembered: memory } });
  const kept = 0.5 ** (slice.judged / traffic.halfLife);
  const added = binCounts(slice.confidences.map(coarse), traffic.edges);
  return changed(watch, slice.at, {
    traffic: {
      ...traffic,
      recent: traffic.recent.map((count, bin) => count * kept + (added[bin] ?? 0)),
      judged: traffic.judged * kept + slice.judged,
      missing: traffic.missing * kept + slice.missing,
      acceptRate:
        slice.judged === 0
          ? traffic.acceptRate
          : traffic.acceptRate * kept + (slice.accepted / slice.judged) * (1 - kept),
      remembered: memory,
    },
  });
};

/** A replay of the frozen samples. */
export interface CanaryReplay {
  readonly samples: number;
  /** Right before and wrong now; and the reverse. */
  readonly broke: number;
  readonly mended: number;
  readonly at: number;
}

/** With the newest replay; an older one than it has changes nothing. */
export const withCanary = (watch: Watch, replay: CanaryReplay): Watch =>
  watch.canary !== null && watch.canary.at >= replay.at
    ? watch
    : changed(watch, replay.at, { canary: { ...replay, p: mcnemarP(replay.broke, replay.mended) } });

/** The next version. An alarm stays although the figures may recover: only a new certificate ends it. */
const changed = (watch: Watch, at: number, part: Partial<Watch>): Watch => {
  const next = { ...watch, ...part, version: watch.version + 1 };
  const { alarm } = judgeWatch(next, watch.fingerprint);
  return { ...next, alarm: next.alarm ?? (alarm && { ...alarm, at }) };
};
