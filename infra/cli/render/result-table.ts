/** Many results at a glance: one row each. */
import { reasonText } from "@touchstone/core/domain/decide/reason-text";
import { standingValues } from "@touchstone/core/domain/results/result-files";
import type { Template } from "@touchstone/core/schema/template";
import type { FoundSample } from "../find-sample.ts";
import type { Report } from "../report.ts";
import { batchWords } from "../words/batch-words.ts";
import { resultWords } from "../words/result-words.ts";
import { cutToWidth } from "./display-width.ts";
import { namedValue, standingProbability } from "./field-value.ts";
import { probability } from "./figures.ts";
import { printableLine } from "./printable.ts";
import { fieldOf } from "./result.ts";
import { renderTable } from "./table.ts";

const widths = { sample: 32, answers: 60, why: 60 } as const;

/** `templateOf` gives the version by which a sample was scored, or null. */
export const renderResults = <Row extends Pick<FoundSample, "stored">>(
  samples: readonly Row[],
  templateOf: (found: Row) => Template | null,
  { language, colors }: Pick<Report, "language" | "colors">,
): string => {
  const { columns } = resultWords[language];
  return renderTable(
    [
      { title: columns.line, align: "right" },
      { title: columns.sample },
      { title: columns.decision },
      { title: columns.answers },
      { title: columns.why },
    ],
    samples.map((found) => {
      const { result } = found.stored;
      return [
        String(result.line),
        cutToWidth(printableLine(result.sampleId), widths.sample),
        batchWords[language].outcomes[result.decision],
        cutToWidth(answers(found, templateOf(found)), widths.answers),
        cutToWidth(
          result.reasons.map((reason) => printableLine(reasonText(reason, language))).join("; "),
          widths.why,
        ),
      ];
    }),
    colors.dim,
  );
};

/** The answers that stand, the machine's with their probability. */
const answers = ({ stored }: Pick<FoundSample, "stored">, template: Template | null): string => {
  const { result, verdict } = stored;
  return Object.entries(standingValues(stored))
    .map(([id, value]) => {
      const measured = result.fields.find((field) => field.id === id);
      const share = measured && !verdict ? standingProbability(measured) : null;
      const named = `${printableLine(id)}=${namedValue(value, fieldOf(template, id))}`;
      return share === null ? named : `${named} ${probability(share)}`;
    })
    .join(", ");
};
