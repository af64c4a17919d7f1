/** `touchstone status`: what every batch is doing, what lies in the queues, and who is waited for. */
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Command } from "commander";
import { inParallel } from "../../../functions/_aws/in-parallel.ts";
import { batchView, readSplits } from "../batch-view.ts";
import type { Connection } from "../connection.ts";
import { batchesOf, matchingBatches } from "../find-batch.ts";
import { missingSamples } from "../missing-samples.ts";
import { renderBatchDetail } from "../render/batch-detail.ts";
import { renderBatches, renderQueues } from "../render/batch-table.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import { resultFiles } from "../result-files.ts";
import type { Shell } from "../shell.ts";
import { batchWords } from "../words/batch-words.ts";

interface StatusOptions extends ReportOptions {
  readonly batch?: string;
  readonly task?: string;
  readonly all?: boolean;
}

const missingShown = 20;

export const addStatus = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("status")
      .description("show what each batch is doing, the queues, and the open review tasks")
      .option(
        "--batch <part>",
        "one batch, by a unique part of its id: also missing samples and result files",
      )
      .option("--task <task>", "only batches of this task")
      .option("--all", "also batches that are final"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- status
  npm run touchstone -- status --all --task shop-dialogue --lang zh
  npm run touchstone -- status --batch demo/samples --json`,
    )
    .action((options: StatusOptions) =>
      connected(shell, options, async (connection, report) => {
        const batches = await askedFor(connection, options);
        const [only, ...others] = batches;
        if (options.batch !== undefined && only !== undefined && others.length === 0)
          await showOne(connection, report, only);
        else await showAll(connection, report, batches, options.all === true);
      }),
    );
};

/** A part that fits several batches shows all of them: a folder may hold several files. */
const askedFor = async (
  connection: Connection,
  { batch, task, all }: StatusOptions,
): Promise<readonly BatchRecord[]> => {
  if (batch !== undefined) return matchingBatches(await batchesOf(connection, task), batch);
  if (all === true) return batchesOf(connection, task);
  const open = await Array.fromAsync(connection.ledger.openBatches());
  return open.filter((record) => task === undefined || record.task === task);
};

const showAll = async (
  connection: Connection,
  report: Report,
  batches: readonly BatchRecord[],
  isEverything: boolean,
): Promise<void> => {
  const [depths, openReviews] = await Promise.all([connection.queueDepths(), connection.openReviews()]);
  const views = await inParallel(batches, 4, (record) => batchView(connection, record, depths));
  const words = batchWords[report.language];
  if (views.length > 0) report.say(renderBatches(views, report));
  else report.say(isEverything ? words.noBatches : words.noOpenBatches);
  report.say("");
  report.say(renderQueues(depths, report));
  report.say("");
  report.say(words.openReviews(openReviews.open, openReviews.claimed));
  if (Object.values(depths).some(({ dead }) => dead > 0)) report.say(report.colors.red(words.deadHint));
  report.answer({ batches: views, queues: depths, openReviews });
};

const showOne = async (connection: Connection, report: Report, record: BatchRecord): Promise<void> => {
  const [depths, openReviews, splits, files] = await Promise.all([
    connection.queueDepths(),
    connection.openReviews(),
    readSplits(connection, record),
    resultFiles(connection, record),
  ]);
  const view = await batchView(connection, record, depths);
  const missing = view.undecided > 0 ? await missingSamples(connection, record, splits, missingShown) : [];
  report.say(renderBatchDetail({ view, record, missing, files }, report));
  report.say("");
  report.say(renderQueues(depths, report));
  report.answer({ batches: [view], missing, files, queues: depths, openReviews });
};
