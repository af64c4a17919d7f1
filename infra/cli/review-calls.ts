/** The calls of the review API, typed; whatever it refuses becomes a problem in words. */

import { reviewKinds } from "@touchstone/core/schema/review";
import {
  type ClaimedReview,
  claimedReviewSchema,
  reviewErrorSchema,
} from "@touchstone/core/schema/review-api";
import type { FieldValue } from "@touchstone/core/schema/sample";
import * as z from "zod";
import type { Connection } from "./connection.ts";
import { failure } from "./problem.ts";
import { reviewErrors, reviewProblems } from "./words/review-words.ts";

type Ports = Pick<Connection, "reviewApi">;

/** Loose, since the API may come to say more. */
const listedSchema = z.looseObject({
  reviews: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.enum(reviewKinds),
      sampleId: z.string(),
      task: z.string(),
      priority: z.number(),
      dueAt: z.number(),
    }),
  ),
});
export type ListedReview = z.infer<typeof listedSchema>["reviews"][number];

export const listReviews = async (connection: Ports, task?: string): Promise<readonly ListedReview[]> => {
  const query = task === undefined ? "" : `?task=${encodeURIComponent(task)}`;
  return (await call(connection, "GET", `/v1/reviews${query}`, listedSchema)).reviews;
};

export const showReview = (connection: Ports, id: string): Promise<ClaimedReview> =>
  call(connection, "GET", `/v1/reviews/${encodeURIComponent(id)}`, claimedReviewSchema);

export const claimReview = (
  connection: Ports,
  wish: {
    readonly reviewer: string;
    readonly reviewId?: string | undefined;
    readonly task?: string | undefined;
  },
): Promise<ClaimedReview> => call(connection, "POST", "/v1/reviews/claim", claimedReviewSchema, wish);

interface Lease {
  readonly reviewId: string;
  readonly token: string;
}

export const releaseReview = async (connection: Ports, { reviewId, token }: Lease): Promise<void> => {
  await call(connection, "POST", "/v1/reviews/release", z.looseObject({}), { reviewId, token });
};

export const giveVerdict = async (
  connection: Ports,
  { reviewId, token }: Lease,
  values: Readonly<Record<string, FieldValue>>,
  note: string | undefined,
): Promise<void> => {
  const body = { reviewId, token, values, note };
  await call(connection, "POST", "/v1/reviews/verdict", z.looseObject({}), body);
};

const call = async <Value>(
  connection: Ports,
  method: "GET" | "POST",
  path: string,
  schema: z.ZodType<Value>,
  body?: object,
): Promise<Value> => {
  const reply = await connection.reviewApi(method, path, body);
  if (reply.status === 200) {
    const parsed = schema.safeParse(reply.body);
    if (parsed.success) return parsed.data;
    throw failure(reviewProblems.strange(), undefined, parsed.error);
  }
  const refused = reviewErrorSchema.safeParse(reply.body);
  if (refused.success) {
    const { kind, message } = refused.data.error;
    throw failure(reviewErrors[kind](message), kind);
  }
  if (reply.status === 401 || reply.status === 403) throw failure(reviewProblems.forbidden(), "forbidden");
  throw failure(reviewProblems.failed(reply.status), "api-failed");
};
