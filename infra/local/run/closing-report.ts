/** What `npm start` says when everything is decided: the table, a few results, where things are. */
import { setTimeout } from "node:timers/promises";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { Result } from "@touchstone/core/schema/result";
import type { BatchView } from "../../cli/batch-view.ts";
import type { Connection } from "../../cli/connection.ts";
import { percent } from "../../cli/render/figures.ts";
import { renderTable } from "../../cli/render/table.ts";
import { readResults, type TaskRow, taskRows } from "./results.ts";
import { closingWords } from "./words.ts";

export interface Outcome {
  readonly views: readonly BatchView[];
  readonly results: readonly Result[];
  readonly openReviewTasks: number;
  readonly judgeCalls: number;
}

/** Reads everything once more from S3 and the ledger: what is printed is what is stored. */
export const gatherOutcome = async (
  connection: Connection,
  views: readonly BatchView[],
): Promise<Outcome> => {
  const results = (await Promise.all(views.map((view) => readResults(connection, view)))).flat();
  const expected = views.reduce((sum, { counts }) => sum + counts.review - counts.reviewed, 0);
  return {
    views,
    results,
    openReviewTasks: await openReviewTasks(connection, expected),
    judgeCalls: results.reduce((sum, { usage }) => sum + usage.judgeCalls, 0),
  };
};

/** What stands behind the machine's decisions; nothing of those that code compared exactly. */
export const trustLines = (results: Outcome["results"], language: "zh" | "en"): readonly string[] => {
  const { certified, uncertified } = closingWords[language];
  const count = (by: Outcome["results"][number]["vouchedBy"]): number =>
    results.filter(({ decision, vouchedBy }) => decision === "machine" && vouchedBy === by).length;
  const [proven, provisional] = [count("certificate"), count("provisional-threshold")];
  return [...(proven > 0 ? [certified(proven)] : []), ...(provisional > 0 ? [uncertified(provisional)] : [])];
};

/** The index that counts open tasks lags a little behind the tasks themselves. */
const openReviewTasks = async (connection: Connection, atLeast: number): Promise<number> => {
  for (let tries = 0; ; tries += 1) {
    const { open } = await connection.openReviews();
    if (open >= atLeast || tries === 5) return open;
    await setTimeout(200);
  }
};

/** The object that `--json` prints last. */
export const outcomeJson = ({ views, openReviewTasks, judgeCalls }: Outcome, durationMs: number): object => {
  const sum = (name: "total" | "machine" | "invalid"): number =>
    views.reduce((total, { counts }) => total + counts[name], 0);
  const valid = sum("total") - sum("invalid");
  return {
    batches: views.map(({ task, name, counts, decided, final }) => ({
      task,
      batch: name,
      total: counts.total,
      machine: counts.machine,
      review: counts.review,
      invalid: counts.invalid,
      failed: counts.failed,
      decided,
      final,
    })),
    machineReviewRate: valid > 0 ? sum("machine") / valid : null,
    openReviewTasks,
    judgeCalls,
    durationMs: Math.round(durationMs),
  };
};

export const taskTable = (results: readonly Result[], language: "zh" | "en"): string => {
  const words = closingWords[language];
  const rows = taskRows(results);
  const sum = (name: Exclude<keyof TaskRow, "task" | "machineReviewRate">): number =>
    rows.reduce((count, row) => count + row[name], 0);
  const total: TaskRow = {
    task: words.total,
    machineReviewRate: null,
    samples: sum("samples"),
    machine: sum("machine"),
    review: sum("review"),
    invalid: sum("invalid"),
    failed: sum("failed"),
    labelled: sum("labelled"),
    agreed: sum("agreed"),
    answers: sum("answers"),
    kept: sum("kept"),
  };
  const valid = total.samples - total.invalid;
  const all = [...rows, { ...total, machineReviewRate: valid > 0 ? total.machine / valid : null }];
  return renderTable(
    words.columns.map((title, index) => ({
      title,
      align: index === 0 ? ("left" as const) : ("right" as const),
    })),
    all.map((row) => [
      row.task,
      String(row.samples),
      String(row.machine),
      String(row.review),
      String(row.invalid),
      String(row.failed),
      percent(row.machineReviewRate),
      row.labelled === 0 ? "–" : `${percent(row.agreed / row.labelled)} (${row.agreed}/${row.labelled})`,
      row.answers === 0 ? "–" : percent(row.kept / row.answers),
    ]),
  );
};

/** Every place a person may want to go next. */
export const whereLines = (
  connection: Connection,
  { views, openReviewTasks }: Outcome,
  language: "zh" | "en",
): readonly string[] => {
  const words = closingWords[language];
  return [
    words.files,
    ...views.map((view) => `  s3://${connection.resultsBucket}/${resultFolder(view)}`),
    words.reviews(openReviewTasks),
    "  npm run touchstone -- review claim --reviewer me",
    "  npm run touchstone -- status",
  ];
};
