/** Batches and queues as tables. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { queueNames } from "@touchstone/core/pipeline";
import type { BatchView } from "../batch-view.ts";
import type { QueueDepths } from "../queues.ts";
import type { Report } from "../report.ts";
import { batchWords } from "../words/batch-words.ts";
import { percent } from "./figures.ts";
import { printableLine } from "./printable.ts";
import { type Column, renderTable } from "./table.ts";

type Style = Pick<Report, "language" | "colors">;

const right = (title: string): Column => ({ title, align: "right" });

/** One row per batch. */
export const renderBatches = (views: readonly BatchView[], { language, colors }: Style): string => {
  const { columns, outcomes, states } = batchWords[language];
  return renderTable(
    [
      { title: columns.task },
      { title: columns.batch },
      { title: columns.state },
      right(columns.total),
      right(outcomes.machine),
      right(outcomes.review),
      right(outcomes.invalid),
      right(outcomes.failed),
      right(columns.reviewed),
      right(columns.rate),
    ],
    views.map((view) => [
      printableLine(view.task),
      batchTitle(view, language),
      stateColor(view, colors)(states[view.state]),
      String(view.counts.total),
      String(view.counts.machine),
      String(view.counts.review),
      String(view.counts.invalid),
      view.counts.failed > 0 ? colors.red(String(view.counts.failed)) : "0",
      String(view.counts.reviewed),
      percent(view.machineReviewRate),
    ]),
    colors.dim,
  );
};

/** The short name, and the run where it is not the first. */
export const batchTitle = ({ name, run }: BatchView, language: Language): string =>
  run === 1 ? printableLine(name) : `${printableLine(name)} (${batchWords[language].run(run)})`;

const stateColor = ({ state }: BatchView, colors: Style["colors"]): ((text: string) => string) => {
  switch (state) {
    case "final":
      return colors.green;
    case "waiting":
      return colors.yellow;
    case "unreadable":
    case "empty":
      return colors.red;
    case "reading":
    case "describing":
    case "scoring":
    case "closing":
      return colors.cyan;
    default:
      return state satisfies never;
  }
};

/** One row per queue of the pipeline. */
export const renderQueues = (depths: QueueDepths, { language, colors }: Style): string => {
  const { queueColumns, queues } = batchWords[language];
  return renderTable(
    [
      { title: queueColumns.queue },
      right(queueColumns.waiting),
      right(queueColumns.inFlight),
      right(queueColumns.delayed),
      right(queueColumns.dead),
    ],
    queueNames.map((name) => {
      const { waiting, inFlight, delayed, dead } = depths[name];
      return [
        queues[name],
        String(waiting),
        String(inFlight),
        String(delayed),
        dead > 0 ? colors.red(String(dead)) : "0",
      ];
    }),
    colors.dim,
  );
};
