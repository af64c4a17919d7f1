/** Claims the task that the next hint of the review queue names, as a reviewer's own tool would. */
import type { ClaimedReview } from "@touchstone/core/schema/review-api";
import type { Connection } from "./connection.ts";
import { CliProblem, failure } from "./problem.ts";
import { claimReview } from "./review-calls.ts";
import { reviewProblems } from "./words/review-words.ts";

/** Hints that lead to nothing are passed over, so many at a time. */
const mostHints = 50;

/**
 * The hint is deleted once the task is claimed: from then on the task's own record is what counts. A hint to a task
 * that is decided or gone is deleted too; one to a task that somebody holds is left, and shows again later.
 */
export const claimFromQueue = async (
  connection: Pick<Connection, "reviewApi" | "receiveHint" | "deleteHint">,
  reviewer: string,
  onPassedOver: (sampleId: string, problem: CliProblem) => void,
): Promise<ClaimedReview> => {
  for (let tries = 0; tries < mostHints; tries += 1) {
    const received = await connection.receiveHint();
    if (received === null) break;
    const { hint, receipt } = received;
    try {
      const claimed = await claimReview(connection, { reviewer, reviewId: hint.reviewId });
      await connection.deleteHint(receipt);
      return claimed;
    } catch (error) {
      if (!(error instanceof CliProblem)) throw error;
      const isOver = error.code === "already-decided" || error.code === "not-found";
      if (!isOver && error.code !== "lease-lost") throw error;
      if (isOver) await connection.deleteHint(receipt);
      onPassedOver(hint.sampleId, error);
    }
  }
  throw failure(reviewProblems.queueEmpty(), "queue-empty");
};
