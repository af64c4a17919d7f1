/** The runs of a batch beside the one that is shown. */
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Report } from "../report.ts";
import { batchWords } from "../words/batch-words.ts";
import { moment } from "./figures.ts";

/** For programs. */
export const runSummary = ({ run, replays, openedAt, decidedAt, finalAt }: BatchRecord): object => ({
  ...{ run, replays: replays ?? null, openedAt },
  ...{ decidedAt: decidedAt ?? finalAt ?? null, finalAt: finalAt ?? null },
});

/** One line; `runs` are newest first. */
export const renderOtherRuns = (
  runs: readonly BatchRecord[],
  { language }: Pick<Report, "language">,
): string => {
  const words = batchWords[language];
  const list = runs.map((record) => {
    const at = record.decidedAt ?? record.finalAt;
    return `${words.run(record.run)}${at === undefined ? "" : ` (${words.decided} ${moment(at)})`}`;
  });
  return words.otherRuns(list.join(", "));
};
