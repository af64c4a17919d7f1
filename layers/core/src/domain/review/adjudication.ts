/** A second, blind look at an audit by somebody else: when there is one, and what is asked. LEARN opens it. */
import type { ReviewTask, Verdict } from "../../schema/review.ts";
import { hash64 } from "../intake/id-set.ts";
import { reviewIdOf } from "./answer-review.ts";

/** Share of agreements that are looked at again: two who err alike would else never be found out (science: one in ten). */
const agreementsAgain = 0.1;

/** Every disagreement with the machine, and some agreements, drawn by the sample's id alone. */
export const needsSecondLook = (agrees: boolean, sampleId: string, task: string): boolean => {
  if (!agrees) return true;
  const [high] = hash64(`second-look\u0000${task}\u0000${sampleId}`);
  return high / 2 ** 32 < agreementsAgain;
};

/** Made of the audit and its verdict alone, so that it is the same at every redelivery. */
export const adjudicationOf = (audit: ReviewTask, verdict: Verdict): ReviewTask => {
  const { lease: _lease, verdict: _verdict, explanation: _e, evidence: _q, rubric: _r, ...asked } = audit;
  return {
    ...asked,
    id: reviewIdOf(audit.key, "adjudicate"),
    kind: "adjudicate",
    reasons: [],
    prefill: [],
    notBy: [verdict.reviewer],
    state: "open",
    createdAt: verdict.at,
    dueAt: verdict.at + Math.round(audit.slaHours * 3_600_000),
  };
};
