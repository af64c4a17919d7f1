/** The month's report as programs and spreadsheets take it. */
import type { MonthReport, MonthRow } from "@touchstone/core/domain/finance/month-report";
import { formatMonth, type Month, type Window } from "@touchstone/core/domain/finance/month-window";
import { noTask } from "@touchstone/core/schema/ledger";
import { csvText } from "./render/csv.ts";
import type { MonthWords } from "./words/month-words.ts";

export interface MonthFigures {
  readonly month: Month;
  readonly zone: string;
  readonly window: Window;
  /** Whether the month was over when the ledger was read. */
  readonly isEnded: boolean;
  readonly report: MonthReport;
}

/** Counts in the order in which tables show them. */
export const monthCounts = [
  "total",
  "machine",
  "review",
  "invalid",
  "failed",
  "reviewed",
  "audited",
] as const satisfies readonly (keyof MonthRow)[];

export const monthJson = ({ month, zone, window, isEnded, report }: MonthFigures) => ({
  month: formatMonth(month),
  zone,
  start: new Date(window.start).toISOString(),
  end: new Date(window.end).toISOString(),
  ended: isEnded,
  undecided: report.undecided,
  tasks: report.tasks,
  total: report.total,
});

/** Month and zone stand in every row, so that files of several months can be put together. */
export const monthCsv = (
  { month, zone, report }: MonthFigures,
  { columns, noTask: without, sum }: MonthWords,
): string => {
  const row = (task: string, figures: MonthRow): readonly (string | number | null)[] => [
    formatMonth(month),
    zone,
    task,
    ...monthCounts.map((name) => figures[name]),
    shortened(figures.grossMachineReviewRate),
    shortened(figures.netHumanLoad),
    figures.batches,
    figures.runs,
  ];
  return csvText([
    [
      columns.month,
      columns.zone,
      columns.task,
      ...monthCounts.map((name) => columns[name]),
      columns.grossMachineReviewRate,
      columns.netHumanLoad,
      columns.batches,
      columns.runs,
    ],
    ...report.tasks.map(({ task, ...figures }) => row(task === noTask ? without : task, figures)),
    row(sum, report.total),
  ]);
};

/** To a millionth, and never written with an exponent. */
const shortened = (rate: number | null): number | null => (rate === null ? null : Number(rate.toFixed(6)));
