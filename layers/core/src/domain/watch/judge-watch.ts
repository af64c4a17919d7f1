/** What a watch has to say: an alarm voids the certificate, a concern deserves a look. */
import type { AlarmKind, ConcernKind, Watch } from "../../schema/watch.ts";
import { canaryLevel } from "./mcnemar.ts";
import { stabilityIndex, stabilityLevels } from "./stability-index.ts";

/** Details are figures alone, so that they read the same in every language; `kind` says what they are about. */
export interface WatchJudgement {
  readonly alarm: { readonly kind: AlarmKind; readonly detail: string } | null;
  readonly concerns: readonly { readonly kind: ConcernKind; readonly detail: string }[];
}

/** Samples needed before their shares are read: the index of two like samples of 500 is about 0.04. */
export const fewestSamples = { stability: 500, logprobs: 200, acceptRate: 500 } as const;

/** Most judged samples that may lack logprobs. */
export const mostMissing = 0.01;

/** An accept rate this far from the certified one deserves a look. */
export const acceptRateDrift = 0.05;

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

/** Judges the figures, and whether the judge that runs is the certified one. A recorded alarm stands. */
export const judgeWatch = (watch: Watch, fingerprint: string): WatchJudgement => ({
  alarm: watch.alarm ?? changedJudge(watch, fingerprint) ?? alarmOf(watch),
  concerns: concernsOf(watch),
});

const changedJudge = (watch: Watch, fingerprint: string): WatchJudgement["alarm"] =>
  fingerprint === watch.fingerprint
    ? null
    : { kind: "fingerprint-changed", detail: `${watch.fingerprint} → ${fingerprint}` };

const alarmOf = ({ audits, traffic, canary }: Watch): WatchJudgement["alarm"] => {
  if (audits.score >= audits.h)
    return {
      kind: "error-alarm",
      detail: `CUSUM ${audits.score.toFixed(2)} ≥ ${audits.h.toFixed(2)} (${audits.errors} / ${audits.count})`,
    };
  const missing = traffic.judged >= fewestSamples.logprobs ? traffic.missing / traffic.judged : 0;
  if (missing > mostMissing)
    return {
      kind: "missing-logprobs",
      detail: `${percent(missing)} > ${percent(mostMissing)}`,
    };
  const index = stabilityOf(traffic) ?? 0;
  if (index > stabilityLevels.stop)
    return {
      kind: "confidence-drift",
      detail: `PSI ${index.toFixed(3)} > ${stabilityLevels.stop}`,
    };
  if (canary !== null && canary.broke > canary.mended && canary.p < canaryLevel)
    return {
      kind: "canary-flips",
      detail: `${canary.broke} : ${canary.mended} / ${canary.samples}, p ${canary.p.toPrecision(2)} < ${canaryLevel}`,
    };
  return null;
};

const concernsOf = ({ audits, traffic }: Watch): WatchJudgement["concerns"] => {
  const index = stabilityOf(traffic) ?? 0;
  const { acceptRate, certifiedAcceptRate } = traffic;
  const drift = traffic.judged >= fewestSamples.acceptRate ? Math.abs(acceptRate - certifiedAcceptRate) : 0;
  return [
    ...(index > stabilityLevels.watch
      ? [
          {
            kind: "confidence-drift" as const,
            detail: `PSI ${index.toFixed(3)} > ${stabilityLevels.watch}`,
          },
        ]
      : []),
    ...(drift > acceptRateDrift
      ? [
          {
            kind: "accept-rate" as const,
            detail: `${percent(certifiedAcceptRate)} → ${percent(acceptRate)}`,
          },
        ]
      : []),
    ...(audits.remembered.late > 0
      ? [{ kind: "audits-late" as const, detail: String(audits.remembered.late) }]
      : []),
  ];
};

/** The index of recent confidences against the certified ones; null of too few to tell. */
export const stabilityOf = ({ reference, recent }: Watch["traffic"]): number | null => {
  const size = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  return Math.min(size(reference), size(recent)) < fewestSamples.stability
    ? null
    : stabilityIndex(reference, recent);
};
