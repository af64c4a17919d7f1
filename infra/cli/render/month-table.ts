/** The month's report as people read it. */
import type { MonthRow } from "@touchstone/core/domain/finance/month-report";
import { formatMonth } from "@touchstone/core/domain/finance/month-window";
import { noTask } from "@touchstone/core/schema/ledger";
import { type MonthFigures, monthCounts } from "../month-figures.ts";
import type { Report } from "../report.ts";
import { monthWords } from "../words/month-words.ts";
import { percent } from "./figures.ts";
import { type Column, renderTable } from "./table.ts";

/** Months without a replay need no column that says so. */
export const renderMonth = (
  { month, zone, window, isEnded, report }: MonthFigures,
  { language, colors }: Pick<Report, "language" | "colors">,
): string => {
  const words = monthWords[language];
  const { columns } = words;
  const hasReplays = report.total.runs > report.total.batches;
  const right = (title: string): Column => ({ title, align: "right" });
  const row = (task: string, figures: MonthRow): readonly string[] => [
    task,
    ...monthCounts.map((name) => String(figures[name])),
    percent(figures.grossMachineReviewRate),
    percent(figures.netHumanLoad),
    String(figures.batches),
    ...(hasReplays ? [String(figures.runs)] : []),
  ];
  const utc = (at: number): string => new Date(at).toISOString().replace(":00.000Z", "Z");
  return [
    words.title(formatMonth(month), zone, utc(window.start), utc(window.end)),
    "",
    renderTable(
      [
        { title: columns.task },
        ...monthCounts.map((name) => right(columns[name])),
        right(columns.grossMachineReviewRate),
        right(columns.netHumanLoad),
        right(columns.batches),
        ...(hasReplays ? [right(columns.runs)] : []),
      ],
      [
        ...report.tasks.map(({ task, ...figures }) => row(task === noTask ? words.noTask : task, figures)),
        row(words.sum, report.total),
      ],
      colors.dim,
    ),
    ...(report.undecided > 0 || !isEnded ? [""] : []),
    ...(isEnded ? [] : [colors.yellow(words.notEnded)]),
    ...(report.undecided > 0 ? [colors.yellow(words.undecided(report.undecided))] : []),
  ].join("\n");
};
