/** `touchstone review …`: what reviewers do, through the review API alone. */
import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { addReviewAnswers } from "./review-answer.ts";
import { addReviewClaim } from "./review-claim.ts";
import { addReviewLooks } from "./review-look.ts";

export const addReview = (program: Command, shell: Shell): void => {
  const review = program
    .command("review")
    .description("claim review tasks, look at them, and answer them")
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- review list
  npm run touchstone -- review claim --task shop-dialogue
  npm run touchstone -- review verdict dlg-017 helpful=B grounded=Y safe=Y`,
    );
  addReviewLooks(review, shell);
  addReviewClaim(review, shell);
  addReviewAnswers(review, shell);
};
