/** One batch in full: its row, its file, what is missing, and where its results are. */
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { BatchView } from "../batch-view.ts";
import type { MissingSample } from "../missing-samples.ts";
import type { Report } from "../report.ts";
import type { ResultFile } from "../result-files.ts";
import { batchWords } from "../words/batch-words.ts";
import { renderBatches } from "./batch-table.ts";
import { moment, size } from "./figures.ts";
import { renderOtherRuns } from "./other-runs.ts";
import { printableLine } from "./printable.ts";

export interface BatchDetail {
  readonly view: BatchView;
  readonly record: BatchRecord;
  readonly missing: readonly MissingSample[];
  readonly files: readonly ResultFile[];
  /** Newest first. */
  readonly otherRuns: readonly BatchRecord[];
}

export const renderBatchDetail = (
  { view, record, missing, files, otherRuns }: BatchDetail,
  style: Pick<Report, "language" | "colors">,
): string => {
  const words = batchWords[style.language];
  const times = [
    `${words.arrived} ${moment(view.arrivedAt)}`,
    ...(view.decidedAt === null ? [] : [`${words.decided} ${moment(view.decidedAt)}`]),
    ...(view.finalAt === null ? [] : [`${words.final} ${moment(view.finalAt)}`]),
  ];
  return [
    renderBatches([view], style),
    "",
    printableLine(view.batch),
    `${printableLine(`s3://${record.source.bucket}/${record.source.key}`)}  ${size(record.bytes)}`,
    times.join(" · "),
    ...(record.replays ? [words.repeats(record.replays.run, record.replays.only ?? [])] : []),
    ...(otherRuns.length > 0 ? [renderOtherRuns(otherRuns, style)] : []),
    ...(view.fault === null ? [] : [style.colors.red(words.fault(printableLine(view.fault)))]),
    ...missingLines(view, missing, style),
    "",
    ...(files.length === 0
      ? [words.noFiles]
      : [words.files, ...files.map(({ uri, bytes }) => `  ${printableLine(uri)}  ${size(bytes)}`)]),
  ].join("\n");
};

const missingLines = (
  view: BatchView,
  missing: readonly MissingSample[],
  { language }: Pick<Report, "language">,
): readonly string[] => {
  const words = batchWords[language];
  if (view.undecided === 0) return [];
  const more = view.undecided - missing.length;
  return [
    "",
    words.missing(view.undecided),
    ...missing.map(
      ({ line, exact, sampleId }) =>
        `  ${words.missingLine(line, exact, sampleId === null ? null : printableLine(sampleId))}`,
    ),
    ...(more > 0 ? [`  ${words.andMore(more)}`] : []),
  ];
};
