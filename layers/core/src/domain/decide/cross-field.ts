/** Cross-field logic of an answer: checked in code, never left to the judge. */
import type { FieldValue } from "../../schema/sample.ts";
import type { Template } from "../../schema/template.ts";

/** Messages of the rules that the values break; an absent value meets no condition. */
export const brokenRules = (
  rules: Template["rules"],
  values: ReadonlyMap<string, FieldValue>,
): readonly string[] => {
  const holds = ({ field, in: allowed }: { field: string; in: readonly string[] }): boolean => {
    const value = values.get(field);
    if (value === undefined) return false;
    return (Array.isArray(value) ? value : [String(value)]).some((item) => allowed.includes(item));
  };
  return rules
    .filter((rule) => rule.when.every(holds) && !rule.require.every(holds))
    .map((rule) => rule.message);
};
