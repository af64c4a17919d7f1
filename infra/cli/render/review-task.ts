/** A review task with all a person needs to answer it. */
import { type Language, reasonText } from "@touchstone/core/domain/decide/reason-text";
import { isBlind } from "@touchstone/core/domain/review/answer-review";
import type { FieldResult } from "@touchstone/core/schema/result";
import type { ClaimedReview } from "@touchstone/core/schema/review-api";
import type { Field } from "@touchstone/core/schema/template";
import type { Report } from "../report.ts";
import { resultWords } from "../words/result-words.ts";
import { reviewWords } from "../words/review-words.ts";
import { namedValue, standingProbability } from "./field-value.ts";
import { moment, probability } from "./figures.ts";
import { indented, printable, printableLine } from "./printable.ts";
import { undecided } from "./result.ts";
import { sampleSections } from "./sample-parts.ts";
import { shellQuoted } from "./shell-quoted.ts";

type Style = Pick<Report, "language" | "colors">;

/** Lines of the standard that are shown without `--full`. */
const standardLines = 12;

export const renderReview = (
  { task, fields, standard }: ClaimedReview,
  isFull: boolean,
  { language, colors }: Style,
): string => {
  const words = reviewWords[language];
  const answers = resultWords[language];
  const block = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", colors.bold(title), ...lines.map((line) => indented(line, 2))];
  const sample = task.payload && "sample" in task.payload ? task.payload.sample : null;
  const priority = probability(task.priority);
  return [
    `${colors.bold(printableLine(task.sampleId))}  ${words.kinds[task.kind]} · ${words.header(printableLine(task.task), priority, moment(task.dueAt))}`,
    ...(task.lease ? [words.held(printableLine(task.lease.reviewer), moment(task.lease.expiresAt))] : []),
    colors.dim(printableLine(task.id)),
    ...(isBlind(task) ? ["", words.blind] : []),
    ...block(
      words.why,
      task.reasons.map((reason) => printableLine(reasonText(reason, language))),
    ),
    ...(sample
      ? sampleSections(sample, task.gists, language).flatMap(({ title, text }) => block(title, [text]))
      : []),
    ...block(words.standard, shownStandard(standard, isFull, language)),
    ...block(answers.explanation, task.explanation === undefined ? [] : [printable(task.explanation)]),
    ...block(
      answers.evidence,
      (task.evidence ?? []).map(
        ({ quote, found }) => `“${printableLine(quote)}”  (${found ? answers.found : answers.notFound})`,
      ),
    ),
    ...block(words.questions, questionLines({ task, fields, standard }, language)),
  ].join("\n");
};

const shownStandard = (standard: string, isFull: boolean, language: Language): readonly string[] => {
  const lines = printable(standard).trim().split("\n");
  if (standard.trim() === "") return [];
  if (isFull || lines.length <= standardLines) return lines;
  return [...lines.slice(0, standardLines), reviewWords[language].moreLines(lines.length - standardLines)];
};

const questionLines = ({ task, fields }: ClaimedReview, language: Language): readonly string[] => {
  const asked = fields.filter((field) => task.questions.includes(field.id));
  const optional = fields.filter((field) => !field.required && !task.questions.includes(field.id));
  if (fields.length === 0) return [reviewWords[language].ownWords];
  return [...asked, ...optional].flatMap((field) => [
    ...oneQuestion(field, language),
    ...prefillLine(
      task.prefill.find(({ id }) => id === field.id),
      field,
      language,
    ),
  ]);
};

const oneQuestion = (field: Field, language: Language): readonly string[] => {
  const words = reviewWords[language];
  const how = [words.howTo[field.kind], ...(field.required ? [] : [words.optional])].join(", ");
  return [
    `${field.id}  ${printableLine(field.title)}  (${how})`,
    ...(field.question === undefined ? [] : [indented(printable(field.question), 2)]),
    ...("labels" in field
      ? field.labels.map(({ code, name, description }) => {
          const meaning = description === undefined ? "" : `: ${printableLine(description)}`;
          return `  ${code}  ${printableLine(name)}${meaning}`;
        })
      : []),
  ];
};

/** What the machine would say, with its probability and where that comes from. */
const prefillLine = (
  prefill: FieldResult | undefined,
  field: Field,
  language: Language,
): readonly string[] => {
  if (prefill === undefined) return [];
  const source = resultWords[language].sources[prefill.confidence.source];
  const share = standingProbability(prefill);
  const value =
    prefill.value === null
      ? undecided(prefill, field, language)
      : `${namedValue(prefill.value, field)}${share === null ? "" : ` ${probability(share)}`}`;
  return [`  → ${reviewWords[language].machine}: ${value} (${source})`];
};

/** The two commands by which a claimed task is answered or given back. */
export const renderHowToAnswer = ({ task, fields }: ClaimedReview, language: Language): string => {
  const words = reviewWords[language];
  const id = shellQuoted(task.sampleId);
  const asked = fields.filter((field) => task.questions.includes(field.id));
  const answers = asked.map((field) => `${field.id}=…`).join(" ") || "task=…";
  return [
    words.answerWith(`npm run touchstone -- review verdict ${id} ${answers}`),
    words.giveBackWith(`npm run touchstone -- review release ${id}`),
  ].join("\n");
};
