/** After an alarm only what was judged since then may certify again: what came before is what the alarm refuted. */
import type { VoidReason } from "../../schema/certificate.ts";
import type { FamilyTrust } from "../../schema/trust.ts";
import type { FamilyEvidence } from "./certify-family.ts";
import { answerCertificate } from "./family-trust.ts";

const refuting: ReadonlySet<VoidReason> = new Set([
  "error-alarm",
  "confidence-drift",
  "missing-logprobs",
  "canary-flips",
]);

/** The evidence itself where the newest certificate stands, or ended for a cause that says nothing of its samples. */
export const sinceAlarm = (evidence: FamilyEvidence, trust: FamilyTrust): FamilyEvidence => {
  const state = answerCertificate(trust)?.certificate.state;
  if (state?.kind !== "void" || !refuting.has(state.reason)) return evidence;
  const { at } = state;
  return {
    ...evidence,
    tasks: evidence.tasks.map((task) => ({
      ...task,
      samples: task.samples.filter(({ decidedAt }) => decidedAt > at),
    })),
  };
};
