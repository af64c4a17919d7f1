/** What stands behind answers in tests of decisions: nothing but the template's word, unless a trust record says more. */
import { type Vouching, vouchingOf } from "@touchstone/core/domain/decide/vouching";
import type { Template } from "@touchstone/core/schema/template";
import type { FamilyTrust } from "@touchstone/core/schema/trust";

export const judge = (task = "t", fingerprint = "f") => ({
  task,
  fingerprint,
  parts: { model: "m", quantisation: null, prompt: "v1", rubric: task, decoding: "{}", server: null },
});

/** The parts of a decision's evidence that are about trust. */
export const vouched = (
  template: Template,
  trust: FamilyTrust | null = null,
): {
  readonly vouching: Vouching;
  readonly uncleared: readonly string[];
  readonly confidence: number | null;
} => ({
  vouching: vouchingOf(template, judge(template.task), trust),
  uncleared: [],
  confidence: null,
});
