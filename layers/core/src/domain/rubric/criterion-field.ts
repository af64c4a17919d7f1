/** A criterion as a question for a person: a field with the labels Y, N and, where allowed, NA. REVIEW calls it. */
import type { Criterion } from "../../schema/rubric.ts";
import type { Field, Template } from "../../schema/template.ts";
import { codesOf, judgedCriteria } from "./asked-criteria.ts";

type Language = Template["judge"]["language"];

const codeNames = {
  zh: { Y: "成立", N: "不成立", NA: "不适用" },
  en: { Y: "holds", N: "does not hold", NA: "does not apply" },
} as const;

const kindNames = {
  zh: { positive: "加分项", negative: "扣分项：问题出现才选 Y", veto: "否决项：问题出现才选 Y" },
  en: {
    positive: "earns points",
    negative: "a fault: Y if it is there",
    veto: "a veto: Y if the fault is there",
  },
} as const;

const longestTitle = 200;

/** The template's fields and, after them, its judged criteria as fields. */
export const questionFields = (template: Pick<Template, "fields" | "rubric" | "judge">): readonly Field[] => [
  ...template.fields,
  ...judgedCriteria(template.rubric).map((criterion) => criterionField(criterion, template.judge.language)),
];

/** One criterion; where to look and what Y means stand in its question. */
export const criterionField = (criterion: Criterion, language: Language): Field => {
  const { id, text, kind, points, deliverable } = criterion;
  const weight = points === 0 ? "" : ` ${points > 0 ? "+" : ""}${points}`;
  const isLong = text.length > longestTitle;
  const where =
    deliverable === undefined
      ? []
      : [[deliverable.file, deliverable.locator].filter((part) => part !== undefined).join(" · ")];
  return {
    kind: "label",
    id,
    title: isLong ? `${text.slice(0, longestTitle - 1)}…` : text,
    question: [...(isLong ? [text] : []), `${kindNames[language][kind]}${weight}`, ...where].join("\n"),
    required: true,
    labels: codesOf(criterion).map((code) => ({ code, name: codeNames[language][code] })),
  };
};
