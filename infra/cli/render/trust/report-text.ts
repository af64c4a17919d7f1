/** The trust report in a terminal: its sentences, the groups that lag, and what coverage was lost to. */
import { countText, percentText } from "@touchstone/core/domain/report/number-text";
import type { TrustReport } from "@touchstone/core/domain/report/trust-report";
import type { Report } from "../../report.ts";
import { reportWords } from "../../words/trust-report-words.ts";
import {
  alarmWords,
  lossWords,
  lostWords,
  strataName,
  strataWords,
} from "../../words/trust-section-words.ts";
import { printableLine } from "../printable.ts";
import { renderTable } from "../table.ts";

export const renderTrustReport = (
  report: TrustReport,
  { language, colors }: Pick<Report, "language" | "colors">,
): string => {
  const { standing, sentences, coverage, watch } = report;
  const badge = reportWords.standing[standing.kind][language];
  const colored = standing.kind === "certified" ? colors.green(badge) : colors.yellow(badge);
  return [
    `${colors.bold(printableLine(report.title[language]))} (${report.task})  ${colored}`,
    "",
    sentences.standing[language],
    sentences.coverage[language],
    sentences.forecast[language],
    ...(watch?.alarm
      ? ["", colors.red(`${alarmWords[watch.alarm.kind][language]}: ${watch.alarm.detail}`)]
      : []),
    ...(coverage.lost.length === 0
      ? []
      : [
          "",
          lostWords.title[language],
          renderTable(
            [{ title: "" }, { title: "", align: "right" }, { title: "", align: "right" }],
            coverage.lost.map(({ cause, samples, share }) => [
              lossWords[cause][language],
              percentText(share),
              countText(samples),
            ]),
            colors.dim,
          ),
        ]),
    ...lagging(report, { language, colors }),
  ].join("\n");
};

const lagging = (
  { strata }: TrustReport,
  { language, colors }: Pick<Report, "language" | "colors">,
): readonly string[] => {
  const { columns } = reportWords;
  const rows = strata.flatMap(({ by, values }) =>
    values
      .filter(({ lags }) => lags.length > 0)
      .map(({ value, samples, coverage, error, lags }) => [
        `${printableLine(strataName(by, language))}: ${printableLine(value)}`,
        countText(samples),
        percentText(coverage.rate),
        error === null ? "–" : percentText(error.rate),
        lags.map((lag) => strataWords[lag][language]).join(", "),
      ]),
  );
  if (rows.length === 0) return [];
  const right = (title: string) => ({ title, align: "right" as const });
  return [
    "",
    renderTable(
      [
        { title: strataWords.title[language] },
        right(columns.samples[language]),
        right(columns.answered[language]),
        right(columns.wrong[language]),
        { title: "" },
      ],
      rows,
      colors.dim,
    ),
  ];
};
