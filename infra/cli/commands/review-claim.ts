/** `touchstone review claim`: takes the most useful open task, a named one, or the next hint of the queue. */
import type { Command } from "commander";
import { claimFromQueue } from "../claim-from-queue.ts";
import { claimsPath, rememberClaim } from "../claims.ts";
import { usage } from "../problem.ts";
import { printableLine } from "../render/printable.ts";
import { renderHowToAnswer, renderReview } from "../render/review-task.ts";
import { connected, type ReportOptions, withReportOptions } from "../report.ts";
import { claimReview } from "../review-calls.ts";
import type { Shell } from "../shell.ts";
import { reviewProblems, reviewWords } from "../words/review-words.ts";

interface ClaimOptions extends ReportOptions {
  readonly task?: string;
  readonly id?: string;
  readonly reviewer?: string;
  readonly fromQueue?: boolean;
  readonly full?: boolean;
}

export const addReviewClaim = (review: Command, shell: Shell): void => {
  withReportOptions(
    review
      .command("claim")
      .description("claim a review task and show all that is needed to answer it")
      .option("--task <task>", "the most useful open task of this one")
      .option("--id <id>", "this very task")
      .option("--from-queue", "the task that the next message of the review queue names")
      .option("--reviewer <name>", "who you are (default: $USER)")
      .option("--full", "the whole standard"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- review claim
  npm run touchstone -- review claim --task shop-dialogue --reviewer 李雷 --lang zh
  npm run touchstone -- review claim --from-queue --json`,
    )
    .action(async (options: ClaimOptions) => {
      const { task, id: reviewId, fromQueue } = options;
      if (fromQueue && (task !== undefined || reviewId !== undefined))
        throw usage(reviewProblems.taskAndQueue());
      const reviewer = reviewerOf(options.reviewer, shell.env);
      await connected(shell, options, async (connection, report) => {
        const words = reviewWords[report.language];
        const claimed = fromQueue
          ? await claimFromQueue(connection, reviewer, (sampleId, { text }) =>
              report.note(words.passedOver(printableLine(sampleId), text[report.language])),
            )
          : await claimReview(connection, { reviewer, reviewId, task });
        await rememberClaim(claimsPath(shell.root), claimed, shell.now());
        report.say(renderReview(claimed, options.full === true, report));
        report.say("");
        report.say(renderHowToAnswer(claimed, report.language));
        report.answer(claimed);
      });
    });
};

const reviewerOf = (asked: string | undefined, env: Shell["env"]): string => {
  const name = (asked ?? env.USER ?? env.USERNAME ?? "").trim();
  if (name === "") throw usage(reviewProblems.noReviewer());
  return name;
};
