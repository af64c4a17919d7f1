/** Honest coverage: what the machine answered, what people had to do all the same, and why the rest was lost. */
import type { Reason, ReasonCode } from "../../schema/outcome.ts";
import type { Result } from "../../schema/result.ts";
import { type LostCause, lostCauses, type ResultTallies } from "../../schema/tallies.ts";

/** Null for reasons that lose nothing, or where no machine could have answered. */
const causeOf = {
  confident: null,
  exact: null,
  "low-confidence": "low-confidence",
  "missing-confidence": "missing-logprobs",
  "no-vouching-policy": "no-certificate",
  "answer-unreadable": "format",
  "answer-cut": "format",
  "answer-looped": "format",
  "answer-refused": "format",
  "value-not-allowed": "format",
  "rule-broken": "format",
  "field-missing": "format",
  "criterion-unsure": "low-confidence",
  "criterion-unverified": "format",
  "veto-uncertified": "veto",
  "context-cut": "policy",
  "answer-ambiguous": "policy",
  "media-missing": "policy",
  "media-unreadable": "policy",
  "media-undescribed": "policy",
  unrouted: "policy",
  "bad-line": null,
  "duplicate-id": null,
  "no-reference": "policy",
  "injection-suspected": "policy",
  "gave-up": null,
  lost: null,
} as const satisfies Record<ReasonCode, LostCause | null>;

/** The one cause of a sample that went to people: what no better threshold and no certificate could have mended comes first. */
export const lostTo = ({ decision, reasons }: Pick<Result, "decision" | "reasons">): LostCause | null => {
  if (decision !== "review") return null;
  const causes = new Set(reasons.map(reasonCause));
  return lostCauses.find((cause) => causes.has(cause)) ?? null;
};

/** A criterion that was not measured is open for another cause than one that was. */
const reasonCause = ({ code, detail }: Reason): LostCause | null => {
  if (code !== "criterion-unsure") return causeOf[code];
  if (detail === "no probability") return "missing-logprobs";
  return detail === "no verdict" ? "format" : "low-confidence";
};

/** What one result adds to the tallies. */
export const coverageOf = (result: Result): ResultTallies["coverage"] => {
  const cause = lostTo(result);
  return {
    certified: result.certified ? 1 : 0,
    audits: result.audit ? 1 : 0,
    lost: cause === null ? {} : { [cause]: 1 },
  };
};

export interface CoverageSummary {
  /** Samples that are not invalid. */
  readonly valid: number;
  /** Share of them whose final answer is the machine's, and of those that a certificate stands behind. */
  readonly gross: number;
  readonly certified: number;
  /** What people have to do: reviews and audits, and their share; null of nothing. */
  readonly human: { readonly reviews: number; readonly audits: number; readonly share: number };
  /** Share of the valid samples by cause. */
  readonly lost: Partial<Record<LostCause, number>>;
}

/** Null where nothing valid was submitted. */
export const coverageSummary = ({
  counts,
  coverage,
}: Pick<ResultTallies, "counts" | "coverage">): CoverageSummary | null => {
  const valid = counts.total - counts.invalid;
  if (valid <= 0) return null;
  const { certified, audits, lost } = coverage;
  return {
    valid,
    gross: counts.machine / valid,
    certified: certified / valid,
    human: { reviews: counts.review, audits, share: (counts.review + audits) / valid },
    lost: Object.fromEntries(Object.entries(lost).map(([cause, count]) => [cause, count / valid])),
  };
};

/** Of several batches together; null of none. */
export const mergeCoverage = (parts: readonly CoverageSummary[]): CoverageSummary | null => {
  const valid = parts.reduce((sum, part) => sum + part.valid, 0);
  if (valid === 0) return null;
  const mean = (of: (part: CoverageSummary) => number): number =>
    parts.reduce((sum, part) => sum + of(part) * part.valid, 0) / valid;
  const total = (of: (part: CoverageSummary) => number): number =>
    parts.reduce((sum, part) => sum + of(part), 0);
  return {
    valid,
    gross: mean(({ gross }) => gross),
    certified: mean(({ certified }) => certified),
    human: {
      reviews: total(({ human }) => human.reviews),
      audits: total(({ human }) => human.audits),
      share: mean(({ human }) => human.share),
    },
    lost: Object.fromEntries(
      lostCauses.flatMap((cause) => {
        const share = mean(({ lost }) => lost[cause] ?? 0);
        return share > 0 ? [[cause, share]] : [];
      }),
    ),
  };
};
