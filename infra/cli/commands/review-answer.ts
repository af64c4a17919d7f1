/** `touchstone review verdict` and `review release`: end a claim, with an answer or without one. */
import type { Command } from "commander";
import { type Claim, chooseClaim, claimsPath, forgetClaim, readClaims } from "../claims.ts";
import { CliProblem } from "../problem.ts";
import { printableLine } from "../render/printable.ts";
import { connected, type ReportOptions, withReportOptions } from "../report.ts";
import { giveVerdict, releaseReview } from "../review-calls.ts";
import type { Shell } from "../shell.ts";
import { verdictValues } from "../verdict-values.ts";
import { reviewWords } from "../words/review-words.ts";

interface VerdictOptions extends ReportOptions {
  readonly note?: string;
}

const idHelp = "the task: its sample id, or a part of its review id";

export const addReviewAnswers = (review: Command, shell: Shell): void => {
  const file = claimsPath(shell.root);

  withReportOptions(
    review
      .command("verdict")
      .description("answer a task that was claimed from here")
      .argument("<id>", idHelp)
      .argument("<answers...>", "field=code for each question; several codes as field=A,B")
      .option("--note <text>", "a remark to go with it"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- review verdict dlg-017 helpful=B grounded=Y safe=Y
  npm run touchstone -- review verdict dlg-017 helpful=C --note "two questions left open"`,
    )
    .action(async (id: string, answers: string[], options: VerdictOptions) => {
      const claim = chooseClaim(await readClaims(file), id);
      const values = verdictValues(answers, claim.kinds);
      await connected(shell, options, async (connection, report) => {
        await endingClaim(file, claim, () => giveVerdict(connection, claim, values, options.note));
        report.say(reviewWords[report.language].accepted(printableLine(claim.sampleId)));
        report.answer({ reviewId: claim.reviewId, sampleId: claim.sampleId, values });
      });
    });

  withReportOptions(
    review.command("release").description("give a claimed task back unanswered").argument("<id>", idHelp),
  )
    .addHelpText("after", "\nExample:\n  npm run touchstone -- review release dlg-017")
    .action(async (id: string, options: ReportOptions) => {
      const claim = chooseClaim(await readClaims(file), id);
      await connected(shell, options, async (connection, report) => {
        await endingClaim(file, claim, () => releaseReview(connection, claim));
        report.say(reviewWords[report.language].released(printableLine(claim.sampleId)));
        report.answer({ reviewId: claim.reviewId, sampleId: claim.sampleId, released: true });
      });
    });
};

/** The claim is forgotten when the call went through, and when the API says that it is over anyway. */
const endingClaim = async (file: string, claim: Claim, call: () => Promise<void>): Promise<void> => {
  try {
    await call();
  } catch (error) {
    const isOver =
      error instanceof CliProblem && ["already-decided", "lease-lost", "not-found"].includes(error.code);
    if (isOver) await forgetClaim(file, claim.reviewId);
    throw error;
  }
  await forgetClaim(file, claim.reviewId);
};
