/** One result in full: what was decided and why, field by field, with the evidence and what the pictures show. */
import { type Language, reasonText } from "@touchstone/core/domain/decide/reason-text";
import { standingRubric } from "@touchstone/core/domain/results/result-files";
import { voidTexts } from "@touchstone/core/domain/trust/void-text";
import { type Gist, strategies } from "@touchstone/core/schema/gist";
import type { FieldResult, Result } from "@touchstone/core/schema/result";
import type { Field, Template } from "@touchstone/core/schema/template";
import { shortBatchName } from "../batch-name.ts";
import type { FoundSample } from "../find-sample.ts";
import type { Report } from "../report.ts";
import { batchWords } from "../words/batch-words.ts";
import { certificateWords } from "../words/certificate-words.ts";
import { resultWords } from "../words/result-words.ts";
import { rubricWords } from "../words/rubric-words.ts";
import { namedDistribution, namedValue, standingProbability } from "./field-value.ts";
import { moment, probability } from "./figures.ts";
import { indented, printable, printableLine } from "./printable.ts";
import { rubricLines } from "./rubric.ts";
import { renderTable } from "./table.ts";

export interface ShownResult {
  readonly found: FoundSample;
  /** The version by which it was scored; null where no template took the sample. */
  readonly template: Template | null;
  /** By picture hash; null where the cache has forgotten it. */
  readonly gists: ReadonlyMap<string, Gist | null>;
}

type Style = Pick<Report, "language" | "colors">;

export const renderResult = ({ found, template, gists }: ShownResult, style: Style): string => {
  const { result, verdict } = found.stored;
  const { language, colors } = style;
  const words = resultWords[language];
  const block = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [colors.bold(title), ...lines.map((line) => indented(line, 2))];
  return [
    `${colors.bold(printableLine(result.sampleId))}  ${printableLine(shortBatchName(found.batch.batch))}, ${words.line(result.line)}`,
    decisionLine(result, style),
    ...(result.certificate ? [certificateLine(result.certificate, language)] : []),
    result.template
      ? words.template(result.template.task, result.template.version)
      : `${printableLine(result.task)}: ${words.noTemplate}`,
    ...block(
      words.reasons,
      result.reasons.map((reason) => printableLine(reasonText(reason, language))),
    ),
    ...block(words.fields, fieldLines(result.fields, template, language)),
    ...block(rubricWords[language].rubric, rubricLines(standingRubric(found.stored), template, language)),
    ...block(words.explanation, result.explanation === undefined ? [] : [printable(result.explanation)]),
    ...block(
      words.evidence,
      (result.evidence ?? []).map(
        ({ quote, found: isFound }) =>
          `“${printableLine(quote)}”  (${isFound ? words.found : words.notFound})`,
      ),
    ),
    ...block(words.pictures, [
      ...(result.gists ?? []).map((gist) => pictureLines(gist, gists, language)),
      ...integrationLines(result, language),
    ]),
    ...block(words.labels, agreementLines(result, language)),
    ...block(words.judge, [judgeLine(result, language)]),
    ...(verdict
      ? block(words.verdict(printableLine(verdict.reviewer), moment(verdict.at)), [
          ...Object.entries(verdict.values).map(
            ([id, value]) => `${printableLine(id)} = ${namedValue(value, fieldOf(template, id))}`,
          ),
          ...(verdict.note === undefined ? [] : [words.note(printableLine(verdict.note))]),
        ])
      : []),
  ].join("\n");
};

/** `machine · by the provisional threshold · uncertified`. */
const decisionLine = (result: Result, { language, colors }: Style): string => {
  const words = resultWords[language];
  const color = result.decision === "machine" ? colors.green : colors.yellow;
  return [
    color(batchWords[language].outcomes[result.decision]),
    ...(result.vouchedBy === null
      ? []
      : [words.vouchers[result.vouchedBy], result.certified ? words.certified : words.uncertified]),
    ...(result.audit ? [words.audit] : []),
    moment(result.decidedAt),
  ].join(" · ");
};

const certificateLine = ({ id, why }: NonNullable<Result["certificate"]>, language: Language): string => {
  const words = certificateWords[language];
  if (why === undefined) return words.covered(id);
  return words.uncovered(id, why === "new-task" ? words.newTask : voidTexts[why][language]);
};

export const fieldOf = (template: Template | null, id: string): Field | undefined =>
  template?.fields.find((field) => field.id === id);

const fieldLines = (
  fields: readonly FieldResult[],
  template: Template | null,
  language: Language,
): readonly string[] => {
  if (fields.length === 0) return [];
  const words = resultWords[language];
  const rows = fields.map((field) => {
    const asked = fieldOf(template, field.id);
    const calibrated = field.confidence.calibrated === null ? "" : ` (${words.calibrated})`;
    const value = field.value === null ? undecided(field, asked, language) : namedValue(field.value, asked);
    return [
      printableLine(asked?.title ?? field.id),
      value,
      `${probability(standingProbability(field))}${calibrated}`,
      words.sources[field.confidence.source],
    ];
  });
  // The header would say nothing that the cells do not.
  return renderTable([{ title: "" }, { title: "" }, { title: "", align: "right" }, { title: "" }], rows)
    .split("\n")
    .slice(1);
};

/** `undecided: B 基本有用 0.52, A 很有用 0.44`. */
export const undecided = (field: FieldResult, asked: Field | undefined, language: Language): string => {
  const { undecided: word } = resultWords[language];
  return field.distribution ? `${word}: ${namedDistribution(field.distribution, asked)}` : word;
};

const pictureLines = (
  { ref, hash, strategy, flags }: NonNullable<Result["gists"]>[number],
  gists: ReadonlyMap<string, Gist | null>,
  language: Language,
): string => {
  const words = resultWords[language];
  const marks = [words.strategies[strategy], ...flags.map((flag) => words.flags[flag])].join(", ");
  const text = gists.get(hash)?.text ?? words.noGist;
  return `${printableLine(ref)} (${marks})\n${indented(printable(text), 2)}`;
};

/** How several pictures were put together, and what it saved. */
const integrationLines = ({ integration }: Result, language: Language): readonly string[] => {
  if (integration === undefined) return [];
  const words = resultWords[language];
  const saved = Object.values(integration.savedTokens).reduce((sum, tokens) => sum + tokens, 0);
  const parts = strategies.flatMap((strategy) => {
    const tokens = integration.savedTokens[strategy];
    return tokens === 0 ? [] : [`${words.strategies[strategy]} ${tokens}`];
  });
  return [words.integration(words.patterns[integration.pattern], saved, parts.join(", "))];
};

const agreementLines = ({ agrees }: Result, language: Language): readonly string[] => {
  const compared = Object.values(agrees ?? {});
  if (compared.length === 0) return [];
  const right = compared.filter(Boolean).length;
  const wrong = Object.keys(agrees ?? {}).filter((id) => agrees?.[id] === false);
  const names = wrong.length === 0 ? "" : ` (≠ ${wrong.map(printableLine).join(", ")})`;
  return [`${resultWords[language].agrees(right, compared.length)}${names}`];
};

const judgeLine = ({ judge, usage, latencyMs }: Result, language: Language): string => {
  const words = resultWords[language];
  if (judge === null) return words.noJudge;
  const { judgeCalls, promptTokens, completionTokens } = usage;
  return `${printableLine(judge)}: ${words.usage(judgeCalls, promptTokens, completionTokens, latencyMs.judge)}`;
};
