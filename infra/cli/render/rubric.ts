/** The rubric of a result: grade and points, then what was found of each criterion. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { gradeOf } from "@touchstone/core/domain/rubric/score";
import type { RubricResult } from "@touchstone/core/schema/rubric";
import type { Template } from "@touchstone/core/schema/template";
import { rubricWords } from "../words/rubric-words.ts";
import { cutToWidth } from "./display-width.ts";
import { probability } from "./figures.ts";
import { printableLine } from "./printable.ts";
import { renderTable } from "./table.ts";

const textWidth = 48;

export const rubricLines = (
  rubric: RubricResult | undefined,
  template: Template | null,
  language: Language,
): readonly string[] => {
  if (rubric === undefined) return [];
  const words = rubricWords[language];
  const rows = rubric.criteria.map(({ id, met, credit, confidence, evidence, by }) => [
    printableLine(id),
    cutToWidth(printableLine(template?.rubric.find((one) => one.id === id)?.text ?? ""), textWidth),
    met === null ? words.noVerdict : words.met[met],
    signed(credit),
    by === undefined ? probability(confidence) : "",
    by === undefined ? (evidence ? words.evidence[evidence] : "") : words.by[by],
    rubric.open?.includes(id) ? words.open : "",
  ]);
  const columns = ["", "", "", "", "", "", ""].map((title, index) => ({
    title,
    align: index === 3 || index === 4 ? ("right" as const) : ("left" as const),
  }));
  // The header would say nothing that the cells do not.
  return [headLine(rubric, template, language), ...renderTable(columns, rows).split("\n").slice(1)];
};

/** `grade B · 14 points, 0.70 of what can be reached`. */
const headLine = (rubric: RubricResult, template: Template | null, language: Language): string => {
  const words = rubricWords[language];
  const { grade, points, norm, range, vetoed, open } = rubric;
  const named = (score: number): string => {
    const band = gradeOf(score, template?.grading.bands ?? []);
    return band === null ? probability(score) : `${band} (${probability(score)})`;
  };
  return [
    ...(open && range ? [words.openBetween(named(range[0]), named(range[1]))] : []),
    ...(grade === null ? [] : [words.grade(grade)]),
    ...(points === null ? [] : [words.points(points, probability(norm))]),
    ...(vetoed ? [words.vetoed(vetoed.join(", "))] : []),
  ].join(" · ");
};

const signed = (credit: number): string => (credit > 0 ? `+${credit}` : String(credit));
