/** `touchstone review list` and `review show`: look without claiming. */
import type { Command } from "commander";
import { chooseClaim, claimsPath, readClaims } from "../claims.ts";
import type { Connection } from "../connection.ts";
import { moment, probability } from "../render/figures.ts";
import { printableLine } from "../render/printable.ts";
import { renderReview } from "../render/review-task.ts";
import { renderTable } from "../render/table.ts";
import { connected, type ReportOptions, withReportOptions } from "../report.ts";
import { listReviews, showReview } from "../review-calls.ts";
import type { Shell } from "../shell.ts";
import { reviewWords } from "../words/review-words.ts";

/** The API lists no more than this. */
const listLimit = 100;

interface ListOptions extends ReportOptions {
  readonly task?: string;
}
interface ShowOptions extends ReportOptions {
  readonly full?: boolean;
}

export const addReviewLooks = (review: Command, shell: Shell): void => {
  withReportOptions(
    review
      .command("list")
      .description("list the open review tasks, most useful first")
      .option("--task <task>", "only of this task"),
  )
    .addHelpText("after", "\nExample:\n  npm run touchstone -- review list --task shop-dialogue")
    .action((options: ListOptions) =>
      connected(shell, options, async (connection, report) => {
        const reviews = await listReviews(connection, options.task);
        const { columns, kinds, noneOpen, listCut } = reviewWords[report.language];
        const rows = reviews.map(({ sampleId, task, kind, priority, dueAt, id }) => [
          printableLine(sampleId),
          printableLine(task),
          kinds[kind],
          probability(priority),
          moment(dueAt),
          printableLine(id),
        ]);
        const titles = [
          columns.sample,
          columns.task,
          columns.kind,
          columns.priority,
          columns.due,
          columns.id,
        ];
        report.say(
          rows.length === 0
            ? noneOpen
            : renderTable(
                titles.map((title) => ({ title })),
                rows,
                report.colors.dim,
              ),
        );
        if (reviews.length === listLimit) report.say(listCut(listLimit));
        report.answer({ reviews });
      }),
    );

  withReportOptions(
    review
      .command("show")
      .description("show a review task without claiming it")
      .argument("<id>", "its id; for a task claimed from here, its sample id will do")
      .option("--full", "the whole standard"),
  )
    .addHelpText("after", "\nExample:\n  npm run touchstone -- review show dlg-017 --full")
    .action((id: string, options: ShowOptions) =>
      connected(shell, options, async (connection, report) => {
        const shown = await showReview(connection, await fullId(connection, shell, id));
        report.say(renderReview(shown, options.full === true, report));
        report.answer(shown);
      }),
    );
};

/** The id of a claimed or open task that goes by this name; the name itself where there is none. */
const fullId = async (connection: Connection, shell: Shell, name: string): Promise<string> => {
  if (/#\d+#\d+#\d+#(review|audit)$/.test(name)) return name;
  const claims = await readClaims(claimsPath(shell.root));
  if (claims.some(({ reviewId, sampleId }) => sampleId === name || reviewId.includes(name)))
    return chooseClaim(claims, name).reviewId;
  const open = await listReviews(connection);
  return open.find(({ sampleId }) => sampleId === name)?.id ?? name;
};
