/** How a review task lies in its table and in the index people are served from; used by dynamo-review-store.ts. */
import { type ReviewTask, reviewTaskSchema, verdictSchema } from "@touchstone/core/schema/review";
import { type Item, partitionKey } from "./dynamo-table.ts";
import { shardOf } from "./shard.ts";
import { jsonAttribute, maxVerdictBytes, parseJsonAttribute, parseStored } from "./stored.ts";

/** Sparse index over tasks that wait for somebody: `claimShard`, then `rank`; it also carries `task` and `leaseUntil`. */
export const claimableIndex = "claimable";

const shards = 4;
/** `unheard`: answered, and waiting for SETTLE to take note of the verdict. */
type WaitState = "open" | "claimed" | "unheard";

/** Claimed tasks have shards of their own, so that a hundred reviewers at work do not stand before the open ones. */
export const claimShards = (state: WaitState): readonly string[] =>
  Array.from({ length: shards }, (_, shard) => `${state}#${shard}`);

export const claimShardOf = (state: WaitState, id: string): string => `${state}#${shardOf(id, shards)}`;

const timeText = (at: number): string => String(at).padStart(15, "0");

/** Sorts as people should work: highest priority first (to a millionth), then oldest first. */
export const rankOf = (priority: number, createdAt: number): string =>
  `${String(Math.round((1 - priority) * 1_000_000)).padStart(7, "0")}#${timeText(createdAt)}`;

export const createdAtOf = (rank: string): number => Number(rank.slice(rank.indexOf("#") + 1));

/** Of an unheard task: when the verdict was given, so that nobody needs to read the task for it. */
export const unheardRankOf = (givenAt: number): string => timeText(givenAt);

export const givenAtOf = (rank: string): number => Number(rank);

export const reviewKey = (id: string) => ({ pk: partitionKey(id) });

/** `body` is all of the task that never changes, as JSON; the rest are attributes that conditions look at. */
export const reviewItem = ({ state, lease, verdict, ...body }: ReviewTask) => ({
  ...reviewKey(body.id),
  body: jsonAttribute("body", body),
  task: body.task,
  rank: state === "done" ? undefined : rankOf(body.priority, body.createdAt),
  claimShard: state === "done" ? undefined : claimShardOf(state, body.id),
  state,
  leaseReviewer: lease?.reviewer,
  leaseToken: lease?.token,
  leaseUntil: lease?.expiresAt,
  verdict: verdict && jsonAttribute("verdict", verdict, maxVerdictBytes),
});

const leaseOf = (item: Item) =>
  item.state === "claimed"
    ? { reviewer: item.leaseReviewer, token: item.leaseToken, expiresAt: item.leaseUntil }
    : undefined;

export const parseReview = (item: Item): ReviewTask => {
  const where = `review task ${String(item.pk)}`;
  const body: unknown = typeof item.body === "string" ? JSON.parse(item.body) : undefined;
  const verdict =
    item.verdict === undefined ? undefined : parseJsonAttribute(verdictSchema, item.verdict, where);
  const whole = {
    ...(typeof body === "object" ? body : {}),
    state: item.state,
    lease: leaseOf(item),
    verdict,
  };
  return parseStored(reviewTaskSchema, whole, where);
};
