/** How much the machine answers by itself, what people have to do, and what coverage is lost to. */
import { outcomes } from "../../schema/outcome.ts";
import { type LostCause, lostCauses } from "../../schema/tallies.ts";
import { lostTo } from "../results/coverage.ts";
import { type Share, shareOf } from "./share.ts";
import type { TrustSample } from "./trust-sample.ts";

/** `failed`: nobody could answer, after several attempts. */
export type Loss = LostCause | "failed";

export interface CoverageFigures {
  readonly samples: number;
  readonly machine: number;
  readonly review: number;
  readonly invalid: number;
  readonly failed: number;
  /** All but the invalid ones. */
  readonly valid: number;
  /** Accepted samples that were drawn for a blind check. */
  readonly audits: number;
  /** Reviews and audits that have a verdict. */
  readonly reviewed: number;
  readonly audited: number;
  /** machine ÷ valid. */
  readonly gross: Share | null;
  /** (review + audits) ÷ valid: samples that people see. */
  readonly humanLoad: Share | null;
  /** In falling order; causes that lost nothing are left out. Shares are of the valid samples. */
  readonly lost: readonly { readonly cause: Loss; readonly samples: number; readonly share: number }[];
}

/** Counts over all samples of the window. */
export const coverageFigures = (samples: readonly TrustSample[]): CoverageFigures => {
  const count = (wanted: (sample: TrustSample) => boolean): number => samples.filter(wanted).length;
  const [machine, review, invalid, failed] = outcomes.map((outcome) =>
    count(({ decision }) => decision === outcome),
  ) as [number, number, number, number];
  const valid = samples.length - invalid;
  const audits = count(({ isAudit }) => isAudit);
  const causes = Map.groupBy(samples, (sample) =>
    sample.decision === "failed"
      ? "failed"
      : lostTo({ decision: sample.decision, reasons: [...sample.reasons] }),
  );
  return {
    samples: samples.length,
    ...{ machine, review, invalid, failed, valid, audits },
    reviewed: count(({ decision, isChecked }) => decision === "review" && isChecked),
    audited: count(({ isAudit, isChecked }) => isAudit && isChecked),
    gross: shareOf(machine, valid),
    humanLoad: shareOf(review + audits, valid),
    lost: ([...lostCauses, "failed"] as const)
      .map((cause) => ({ cause, samples: causes.get(cause)?.length ?? 0 }))
      .filter((lost) => lost.samples > 0)
      .map((lost) => ({ ...lost, share: lost.samples / valid }))
      .sort((left, right) => right.samples - left.samples),
  };
};
