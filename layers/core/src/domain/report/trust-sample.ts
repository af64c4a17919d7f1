/** What the trust report knows of one sample: what the machine did with it, and what people said. */
import type { Outcome, Reason } from "../../schema/outcome.ts";
import type { Result } from "../../schema/result.ts";

export interface TrustSample {
  readonly id: string;
  /** Alike for near copies; they count once as evidence. */
  readonly likeness?: string | undefined;
  readonly decision: Outcome;
  readonly reasons: readonly Reason[];
  readonly vouchedBy: Result["vouchedBy"];
  /** Probability that the answer as a whole is right, raw and calibrated; null where none could be measured. */
  readonly raw: number | null;
  readonly calibrated: number | null;
  /** Accepted, and drawn for a blind check. */
  readonly isAudit: boolean;
  /** Whether the machine's answer is right by people's; null while nobody has said, or where it cannot be told. */
  readonly isRight: boolean | null;
  /** People have answered, whatever can be told from it. */
  readonly isChecked: boolean;
  /** Part of the uniform random stream, accepted or not, and what its label may be used for; null: not drawn. */
  readonly drawn: "fit" | "certify" | null;
  /** Name and value of what the sample belongs to, e.g. `difficulty: hard`. */
  readonly strata: Readonly<Record<string, string>>;
  /** Characters of what was judged; null where it is not known. */
  readonly length: number | null;
  /** Epoch milliseconds. */
  readonly decidedAt: number;
}

/** Calibrated where it can be: what is compared with a threshold. */
export const confidenceOf = ({ raw, calibrated }: TrustSample): number | null => calibrated ?? raw;

/** Samples that a judge was, or should have been, asked about; code alone answers the others. */
export const isJudged = ({ decision, vouchedBy }: TrustSample): boolean =>
  decision !== "invalid" && vouchedBy !== "exact";

/** The labelled part of the random stream over judged samples, one of each group of near copies. */
export const randomLabels = (samples: readonly TrustSample[]): readonly TrustSample[] => {
  const seen = new Set<string>();
  return samples.filter((sample) => {
    if (sample.drawn === null || sample.isRight === null || !isJudged(sample)) return false;
    const name = sample.likeness ?? `id ${sample.id}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
};
