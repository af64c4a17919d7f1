/** Lint findings, by criterion: what is wrong and what to do about it. */
import type { LintFinding } from "@touchstone/core/domain/rubric/lint-finding";
import type { Criterion } from "@touchstone/core/schema/rubric";
import type { Report } from "../report.ts";
import { lintWords } from "../words/lint-words.ts";
import { cutToWidth } from "./display-width.ts";
import { printableLine } from "./printable.ts";

const shownWidth = 70;

export const renderLint = (
  rubric: readonly Criterion[],
  findings: readonly LintFinding[],
  { language, colors }: Pick<Report, "language" | "colors">,
): string => {
  const words = lintWords[language];
  const groups = Map.groupBy(findings, ({ criterion }) => criterion);
  return [...groups]
    .flatMap(([id, group]) => {
      const text = rubric.find((criterion) => criterion.id === id)?.text;
      const head =
        id === null
          ? words.wholeRubric
          : `${id}  ${colors.dim(cutToWidth(printableLine(text ?? ""), shownWidth))}`;
      return [
        colors.bold(head),
        ...group.map(({ severity, code, text: told, suggestion }) => {
          const color = severity === "error" ? colors.red : colors.yellow;
          return `  ${color(`${code} ${words.severities[severity]}`)}  ${printableLine(told[language])}\n      → ${printableLine(suggestion[language])}`;
        }),
      ];
    })
    .join("\n");
};
