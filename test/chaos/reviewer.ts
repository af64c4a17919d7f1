/** A person who answers some of the reviews through the API, and sends a verdict again whenever an error came back. */
import { setTimeout } from "node:timers/promises";
import { claimedReviewSchema } from "@touchstone/core/schema/review-api";
import type { Connection } from "../../infra/cli/connection.ts";

export interface Reviewer {
  /** Review ids whose verdict was accepted. */
  readonly answered: ReadonlySet<string>;
  stop(): Promise<void>;
}

const pauseMs = 200;

export const startReviewer = (connection: Connection, most: number): Reviewer => {
  const answered = new Set<string>();
  let working = true;
  const answer = async (): Promise<void> => {
    const claim = await connection.reviewApi("POST", "/v1/reviews/claim", { reviewer: "ann" });
    if (claim.status !== 200) return;
    const { task } = claimedReviewSchema.parse(claim.body);
    const verdict = { reviewId: task.id, token: task.lease?.token ?? "", values: { ok: "N" } };
    for (let status = 0; status !== 200 && status !== 409; await setTimeout(pauseMs)) {
      ({ status } = await connection
        .reviewApi("POST", "/v1/reviews/verdict", verdict)
        .catch(() => ({ status: 0 })));
    }
    answered.add(task.id);
  };
  const work = async (): Promise<void> => {
    while (working && answered.size < most) {
      // Services that are stopped, or a function that was killed: the person looks again a little later.
      await answer().catch(() => {});
      await setTimeout(pauseMs);
    }
  };
  const done = work();
  return {
    answered,
    async stop() {
      working = false;
      await done;
    },
  };
};
