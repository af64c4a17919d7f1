/** The rules of form that a judge's answer is held to, each by itself. */

export const formatRules = [
  /** One JSON object and nothing around it but a thought. */
  "json",
  /** Every required field is answered. */
  "required",
  /** Values are of the kind and among the codes that the field allows. */
  "allowed",
  "length",
  /** What a list names is in the sample, each once and no more than the field takes. */
  "ids",
  "cross-field",
] as const;
export type FormatRule = (typeof formatRules)[number];
