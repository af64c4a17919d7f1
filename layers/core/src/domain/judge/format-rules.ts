/** How well an answer keeps the form that was asked for: each rule by itself, in code. Called by `judging`. */
import { type FormatRule, formatRules } from "../../schema/format.ts";
import type { Template } from "../../schema/template.ts";
import { brokenRules } from "../decide/cross-field.ts";
import type { Answer } from "./answer.ts";
import { isPlainObject } from "./answer-json.ts";
import type { NoAnswer } from "./completion.ts";
import type { FieldProblem } from "./field-values.ts";

/** The rules that an answer broke, in their order; null where there is no answer whose form could be looked at. */
export function formatFaults(answer: Answer | NoAnswer, template: Template): readonly FormatRule[] | null {
  switch (answer.kind) {
    case "refused":
    case "filtered":
    case "too-long":
      return null;
    case "cut":
    case "looped":
    case "unreadable":
    case "ambiguous":
      return ["json"];
    case "answer": {
      const broken = new Set(answer.problems.map(({ kind }) => ruleOf(kind)));
      if (!isPlainObject(answer.content)) broken.add("json");
      const values = new Map([...answer.values].map(([id, { value }]) => [id, value]));
      if (brokenRules(template.rules, values).length > 0) broken.add("cross-field");
      return formatRules.filter((rule) => broken.has(rule));
    }
    default:
      return answer satisfies never;
  }
}

function ruleOf(kind: FieldProblem["kind"]): FormatRule {
  switch (kind) {
    case "missing":
      return "required";
    case "not-allowed":
      return "allowed";
    case "too-long":
      return "length";
    case "unknown-id":
      return "ids";
    default:
      return kind satisfies never;
  }
}
