/** The review store port on DynamoDB: the record behind the hints on the review queue; REVIEW, SETTLE and SWEEP call it. */
import { PutCommand, UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import type { ReviewStore } from "@touchstone/core/ports";
import type { ReviewTask } from "@touchstone/core/schema/review";
import { batchGet } from "./dynamo-batch-get.ts";
import {
  claimableIndex,
  claimShardOf,
  claimShards,
  createdAtOf,
  givenAtOf,
  parseReview,
  reviewItem,
  reviewKey,
  unheardRankOf,
} from "./dynamo-review-rows.ts";
import { type DynamoTable, getItem, queryItems, unlessConditionFailed } from "./dynamo-table.ts";
import { mergeOrdered } from "./merge-ordered.ts";
import { type Pace, realPace } from "./pace.ts";
import { jsonAttribute, maxVerdictBytes } from "./stored.ts";

/** Key attribute `pk`, the review id; the index `claimable` projects `task` and `leaseUntil` besides its keys. */
export const dynamoReviewStore = (table: DynamoTable, pace: Pace = realPace): ReviewStore => ({
  async open(task) {
    const put = new PutCommand({
      TableName: table.name,
      Item: reviewItem(task),
      ConditionExpression: "attribute_not_exists(#pk)",
      ExpressionAttributeNames: { "#pk": "pk" },
    });
    return (await unlessConditionFailed(table.client.send(put))) !== null;
  },

  get: (id) => getTask(table, id),

  async claimable({ task, now, limit }) {
    const found: ReviewTask[] = [];
    // While the index catches up with a claim, a task may stand in two shards.
    const seen = new Set<string>();
    let page: string[] = [];
    const take = async (): Promise<void> => {
      const tasks = await readTasks(table, page, pace);
      found.push(...tasks.filter((candidate) => canBeClaimed(candidate, now)));
      page = [];
    };
    for await (const row of claimableRows(table, task, now)) {
      if (seen.has(row.id)) continue;
      seen.add(row.id);
      page.push(row.id);
      // The index lags: rows that others took since are dropped, so a page may yield less than it holds.
      if (page.length >= limit - found.length) await take();
      if (found.length >= limit) break;
    }
    await take();
    return found.slice(0, limit);
  },

  async claim(id, lease, now) {
    const task = await update(table, id, {
      UpdateExpression:
        "SET #state = :claimed, #leaseReviewer = :reviewer, #leaseToken = :token, #leaseUntil = :until, #claimShard = :shard",
      ConditionExpression: "#state = :open OR (#state = :claimed AND #leaseUntil <= :now)",
      ExpressionAttributeNames: {
        "#state": "state",
        "#leaseReviewer": "leaseReviewer",
        "#leaseToken": "leaseToken",
        "#leaseUntil": "leaseUntil",
        "#claimShard": "claimShard",
      },
      ExpressionAttributeValues: {
        ":open": "open",
        ":claimed": "claimed",
        ":reviewer": lease.reviewer,
        ":token": lease.token,
        ":until": lease.expiresAt,
        ":shard": claimShardOf("claimed", id),
        ":now": now,
      },
    });
    if (task) return { kind: "claimed", task };
    const standing = await getTask(table, id);
    if (!standing) return { kind: "missing" };
    if (standing.state === "done") return { kind: "done" };
    // Our own token: the first answer was lost on the way and the SDK asked again.
    return standing.lease?.token === lease.token ? { kind: "claimed", task: standing } : { kind: "busy" };
  },

  async extend(id, token, expiresAt, now) {
    const task = await update(table, id, {
      UpdateExpression: "SET #leaseUntil = :until",
      ConditionExpression: "#state = :claimed AND #leaseToken = :token AND #leaseUntil > :now",
      ExpressionAttributeNames: {
        "#state": "state",
        "#leaseToken": "leaseToken",
        "#leaseUntil": "leaseUntil",
      },
      ExpressionAttributeValues: { ":claimed": "claimed", ":token": token, ":until": expiresAt, ":now": now },
    });
    return task !== null;
  },

  async release(id, token) {
    const task = await update(table, id, {
      UpdateExpression:
        "SET #state = :open, #claimShard = :shard REMOVE #leaseReviewer, #leaseToken, #leaseUntil",
      ConditionExpression: "#state = :claimed AND #leaseToken = :token",
      ExpressionAttributeNames: {
        "#state": "state",
        "#claimShard": "claimShard",
        "#leaseReviewer": "leaseReviewer",
        "#leaseToken": "leaseToken",
        "#leaseUntil": "leaseUntil",
      },
      ExpressionAttributeValues: {
        ":open": "open",
        ":claimed": "claimed",
        ":token": token,
        ":shard": claimShardOf("open", id),
      },
    });
    return task !== null;
  },

  // No look at the clock: an answer that comes late is still the reviewer's, unless somebody else took the task.
  async submit(id, token, verdict) {
    const task = await update(table, id, {
      UpdateExpression:
        "SET #state = :done, #verdict = :verdict, #claimShard = :shard, #rank = :rank REMOVE #leaseReviewer, #leaseToken, #leaseUntil",
      ConditionExpression: "#state = :claimed AND #leaseToken = :token",
      ExpressionAttributeNames: {
        "#state": "state",
        "#verdict": "verdict",
        "#leaseReviewer": "leaseReviewer",
        "#leaseToken": "leaseToken",
        "#leaseUntil": "leaseUntil",
        "#claimShard": "claimShard",
        "#rank": "rank",
      },
      ExpressionAttributeValues: {
        ":done": "done",
        ":claimed": "claimed",
        ":token": token,
        ":shard": claimShardOf("unheard", id),
        ":rank": unheardRankOf(verdict.at),
        ":verdict": jsonAttribute("verdict", verdict, maxVerdictBytes),
      },
    });
    if (task) return "accepted";
    const standing = await getTask(table, id);
    return standing?.state === "done" ? "already" : "lease-lost";
  },

  async markHeard(id) {
    await update(table, id, {
      UpdateExpression: "REMOVE #claimShard, #rank",
      ConditionExpression: "#state = :done AND attribute_exists(#claimShard)",
      ExpressionAttributeNames: { "#state": "state", "#claimShard": "claimShard", "#rank": "rank" },
      ExpressionAttributeValues: { ":done": "done" },
    });
  },

  async *unheard() {
    for (const { id, rank } of await rowsOf(table, claimShards("unheard")))
      yield { id, givenAt: givenAtOf(rank) };
  },

  undecided: () => undecided(table, pace),
});

const canBeClaimed = (task: ReviewTask, now: number): boolean =>
  task.state === "open" ||
  (task.state === "claimed" && task.lease !== undefined && task.lease.expiresAt <= now);

async function getTask(table: DynamoTable, id: string): Promise<ReviewTask | null> {
  const item = await getItem(table, reviewKey(id));
  return item && parseReview(item);
}

type ConditionalUpdate = Required<
  Pick<
    UpdateCommandInput,
    "UpdateExpression" | "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
  >
>;

/** The task after the update; null where the condition did not hold. */
async function update(
  table: DynamoTable,
  id: string,
  expressions: ConditionalUpdate,
): Promise<ReviewTask | null> {
  const command = new UpdateCommand({
    ...expressions,
    TableName: table.name,
    Key: reviewKey(id),
    ReturnValues: "ALL_NEW",
  });
  const answer = await unlessConditionFailed(table.client.send(command));
  return answer?.Attributes ? parseReview(answer.Attributes) : null;
}

/** In the order of `ids`; ids that are gone are left out. */
async function readTasks(table: DynamoTable, ids: readonly string[], pace: Pace): Promise<ReviewTask[]> {
  const items = await batchGet(table, ids.map(reviewKey), pace);
  const byId = new Map(items.map((item) => [item.pk, item]));
  return ids.flatMap((id) => {
    const item = byId.get(id);
    return item ? [parseReview(item)] : [];
  });
}

interface IndexRow {
  readonly id: string;
  readonly rank: string;
}

async function* shardRows(
  table: DynamoTable,
  shard: string,
  filter: { readonly task?: string | undefined; readonly lapsedBy?: number | undefined },
): AsyncGenerator<IndexRow> {
  const { task, lapsedBy } = filter;
  const conditions = [
    ...(task === undefined ? [] : ["#task = :task"]),
    ...(lapsedBy === undefined ? [] : ["#leaseUntil <= :now"]),
  ];
  const rows = queryItems(table, {
    IndexName: claimableIndex,
    KeyConditionExpression: "#claimShard = :shard",
    ...(conditions.length > 0 ? { FilterExpression: conditions.join(" AND ") } : {}),
    ExpressionAttributeNames: {
      "#claimShard": "claimShard",
      ...(task === undefined ? {} : { "#task": "task" }),
      ...(lapsedBy === undefined ? {} : { "#leaseUntil": "leaseUntil" }),
    },
    ExpressionAttributeValues: { ":shard": shard, ":task": task, ":now": lapsedBy },
    // A person wants a handful; a filter must look further to find one.
    Limit: conditions.length > 0 ? 500 : 50,
  });
  for await (const row of rows) yield { id: String(row.pk), rank: String(row.rank) };
}

const claimableRows = (table: DynamoTable, task: string | undefined, now: number): AsyncIterable<IndexRow> =>
  mergeOrdered(
    [
      ...claimShards("open").map((shard) => shardRows(table, shard, { task })),
      ...claimShards("claimed").map((shard) => shardRows(table, shard, { task, lapsedBy: now })),
    ],
    (left, right) => (left.rank < right.rank ? -1 : left.rank > right.rank ? 1 : 0),
  );

/** Index rows are small, so all of them are sorted by age in memory; the tasks are read a page at a time. */
async function* undecided(table: DynamoTable, pace: Pace): AsyncGenerator<ReviewTask> {
  const rows = await rowsOf(table, [...claimShards("open"), ...claimShards("claimed")]);
  rows.sort((left, right) => createdAtOf(left.rank) - createdAtOf(right.rank));
  const ids = [...new Set(rows.map((row) => row.id))];
  for (let start = 0; start < ids.length; start += 100) {
    const tasks = await readTasks(table, ids.slice(start, start + 100), pace);
    yield* tasks.filter((task) => task.state !== "done");
  }
}

async function rowsOf(table: DynamoTable, within: readonly string[]): Promise<IndexRow[]> {
  const rows: IndexRow[] = [];
  for (const shard of within) {
    for await (const row of shardRows(table, shard, {})) rows.push(row);
  }
  return rows;
}
