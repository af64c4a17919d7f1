/** Two runs over the same frozen samples: how many answers became wrong, and how many right. `touchstone canary` asks. */
import type { Result } from "../../schema/result.ts";
import type { Verdict } from "../../schema/review.ts";
import type { Template } from "../../schema/template.ts";
import { agreesWithMachine } from "../trust/machine-answer.ts";
import { mcnemarP } from "./mcnemar.ts";

export interface CanaryRun {
  readonly result: Result;
  readonly verdict: Verdict | null;
}

export interface CanaryPair {
  readonly before: CanaryRun;
  readonly after: CanaryRun;
}

export interface CanaryComparison {
  /** Samples with a human answer to hold both runs against. */
  readonly samples: number;
  readonly rightBefore: number;
  readonly rightAfter: number;
  /** Right before and wrong now; and the reverse. */
  readonly broke: number;
  readonly mended: number;
  /** McNemar's exact p. */
  readonly p: number;
  /** Ids of those that broke, in order. */
  readonly brokeIds: readonly string[];
}

/** One truth for both runs: the newest verdict that people gave in either, else the labels that came with the sample. */
export const compareCanaries = (
  pairs: readonly CanaryPair[],
  template: Pick<Template, "fields" | "rubric" | "grading">,
): CanaryComparison => {
  const compared = pairs.flatMap(({ before, after }) => {
    const verdict = [after.verdict, before.verdict]
      .filter((one) => one !== null)
      .reduce<Verdict | null>((newest, one) => (newest && newest.at >= one.at ? newest : one), null);
    const [was, is] = [before, after].map(({ result }) => isRight(result, verdict, template));
    return was == null || is == null ? [] : [{ id: after.result.sampleId, was, is }];
  });
  const broken = compared.filter(({ was, is }) => was && !is);
  const mended = compared.filter(({ was, is }) => !was && is).length;
  return {
    samples: compared.length,
    rightBefore: compared.filter(({ was }) => was).length,
    rightAfter: compared.filter(({ is }) => is).length,
    broke: broken.length,
    mended,
    p: mcnemarP(broken.length, mended),
    brokeIds: broken.map(({ id }) => id),
  };
};

const isRight = (
  result: Result,
  verdict: Verdict | null,
  template: Pick<Template, "fields" | "rubric" | "grading">,
): boolean | null => {
  if (verdict !== null) return agreesWithMachine(template, result, verdict);
  const agrees = Object.values(result.agrees ?? {});
  return agrees.length === 0 ? null : agrees.every(Boolean);
};
