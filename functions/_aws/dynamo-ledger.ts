/** The ledger port on one DynamoDB table; INTAKE, SETTLE and SWEEP are its callers. */
import { PutCommand, ScanCommand, type ScanCommandInput, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { isOpen } from "@touchstone/core/domain/ledger/batch";
import { permanent } from "@touchstone/core/errors";
import type { Ledger } from "@touchstone/core/ports";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { batchGet } from "./dynamo-batch-get.ts";
import {
  batchItem,
  batchKey,
  inboxMarkKey,
  openIndex,
  openShardOf,
  openShards,
  parseBatch,
  parseSplit,
  resendKey,
  splitItem,
  splitKey,
} from "./dynamo-ledger-rows.ts";
import { type DynamoTable, getItem, type Item, queryItems, unlessConditionFailed } from "./dynamo-table.ts";
import { mergeOrdered } from "./merge-ordered.ts";
import { type Pace, realPace } from "./pace.ts";

/** Key attributes `pk` and `sk`; the index `open` may project keys only. All writes are single-item and conditional. */
export const dynamoLedger = (table: DynamoTable, pace: Pace = realPace): Ledger => ({
  async open(batch) {
    const put = new PutCommand({
      TableName: table.name,
      Item: batchItem(batch),
      ConditionExpression: "attribute_not_exists(#pk)",
      ExpressionAttributeNames: { "#pk": "pk" },
    });
    const written = await unlessConditionFailed(table.client.send(put));
    return written ? batch : standing(table, batch.batch, batch.run);
  },

  batch: (batch, run) => readBatch(table, batch, run),

  async putSplit(split) {
    await unlessConditionFailed(
      table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: splitItem(split),
          ConditionExpression: "attribute_not_exists(#pk)",
          ExpressionAttributeNames: { "#pk": "pk" },
        }),
      ),
    );
  },

  async split(batch, run, split) {
    const item = await getItem(table, splitKey(batch, run, split));
    return item && parseSplit(item);
  },

  async writeSplit(split) {
    const put = new PutCommand({
      TableName: table.name,
      Item: splitItem(split),
      ConditionExpression: "#version = :before",
      ExpressionAttributeNames: { "#version": "version" },
      ExpressionAttributeValues: { ":before": split.version - 1 },
    });
    return (await unlessConditionFailed(table.client.send(put))) !== null;
  },

  // Never lowers the mark: a slow first delivery may report after a redelivery that went further.
  markSent: (batch, run, splits) =>
    updateOnce(table, batch, run, {
      UpdateExpression: "SET #splitsSent = :splits",
      ConditionExpression: "#splitsSent < :splits",
      ExpressionAttributeNames: { "#splitsSent": "splitsSent" },
      ExpressionAttributeValues: { ":splits": splits },
    }),

  seal: (batch, run, sealed, fault) =>
    updateOnce(table, batch, run, {
      UpdateExpression:
        fault === undefined ? "SET #sealed = :sealed" : "SET #sealed = :sealed, #fault = :fault",
      ConditionExpression: "attribute_exists(#pk) AND attribute_not_exists(#sealed)",
      ExpressionAttributeNames: {
        "#pk": "pk",
        "#sealed": "sealed",
        ...(fault === undefined ? {} : { "#fault": "fault" }),
      },
      ExpressionAttributeValues: { ":sealed": sealed, ":fault": fault },
    }),

  async addSplit(batch, run, split, set) {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: batchKey(batch, run),
      UpdateExpression: "ADD #set :split",
      ConditionExpression: "attribute_exists(#pk)",
      ExpressionAttributeNames: { "#pk": "pk", "#set": set },
      ExpressionAttributeValues: { ":split": new Set([split]) },
      ReturnValues: "ALL_NEW",
    });
    const answer = await unlessConditionFailed(table.client.send(update));
    if (!answer?.Attributes) throw notInLedger(batch, run);
    return parseBatch(answer.Attributes);
  },

  close: (batch, run, { kind, at, revision }) =>
    updateOnce(table, batch, run, {
      UpdateExpression: `SET #closedAt = :at, #revision = :revision${kind === "final" ? " REMOVE #openShard" : ""}`,
      ConditionExpression: "attribute_exists(#pk) AND attribute_not_exists(#closedAt)",
      ExpressionAttributeNames: {
        "#pk": "pk",
        "#closedAt": kind === "final" ? "finalAt" : "decidedAt",
        "#revision": "revision",
        ...(kind === "final" ? { "#openShard": "openShard" } : {}),
      },
      ExpressionAttributeValues: { ":at": at, ":revision": revision },
    }),

  addLate: (batch, run, split, at) =>
    updateOnce(table, batch, run, {
      UpdateExpression:
        "ADD #splits :split, #verdicts :one SET #since = if_not_exists(#since, :at), #openShard = :shard",
      ConditionExpression: "attribute_exists(#pk)",
      ExpressionAttributeNames: {
        "#pk": "pk",
        "#splits": "lateSplits",
        "#verdicts": "lateVerdicts",
        "#since": "lateSince",
        "#openShard": "openShard",
      },
      ExpressionAttributeValues: {
        ":split": new Set([split]),
        ":one": 1,
        ":at": at,
        ":shard": openShardOf(batch),
      },
    }),

  revise: (batch, run, { revision, lateVerdicts }) =>
    updateOnce(table, batch, run, {
      UpdateExpression: "SET #revision = :revision REMOVE #splits, #verdicts, #since, #openShard",
      ConditionExpression: "#verdicts = :seen",
      ExpressionAttributeNames: {
        "#revision": "revision",
        "#splits": "lateSplits",
        "#verdicts": "lateVerdicts",
        "#since": "lateSince",
        "#openShard": "openShard",
      },
      ExpressionAttributeValues: { ":revision": revision, ":seen": lateVerdicts },
    }),

  openBatches: () => openBatches(table, pace),
  allBatches: () => allBatches(table),

  async resends(batch, run, split) {
    const item = await getItem(table, resendKey(batch, run, split));
    return { count: Number(item?.count ?? 0), lastAt: Number(item?.lastAt ?? 0) };
  },

  async noteResend(batch, run, split, count, at) {
    const Item = { ...resendKey(batch, run, split), count, lastAt: at };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  },

  async inboxMark() {
    const item = await getItem(table, inboxMarkKey);
    return typeof item?.key === "string" ? item.key : null;
  },

  async markInbox(key) {
    const Item = { ...inboxMarkKey, ...(key === null ? {} : { key }) };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  },
});

const notInLedger = (batch: string, run: number) =>
  permanent("object-missing", `batch ${batch} run ${run} is not in the ledger; INTAKE opens it first`);

async function readBatch(table: DynamoTable, batch: string, run: number): Promise<BatchRecord | null> {
  const item = await getItem(table, batchKey(batch, run));
  return item && parseBatch(item);
}

async function standing(table: DynamoTable, batch: string, run: number): Promise<BatchRecord> {
  const record = await readBatch(table, batch, run);
  if (!record) throw notInLedger(batch, run);
  return record;
}

/** Updates the batch row if its condition holds; if it does not, the row must at least be there. */
async function updateOnce(
  table: DynamoTable,
  batch: BatchId,
  run: number,
  update: Pick<
    UpdateCommand["input"],
    "UpdateExpression" | "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
  >,
): Promise<void> {
  const command = new UpdateCommand({ ...update, TableName: table.name, Key: batchKey(batch, run) });
  const written = await unlessConditionFailed(table.client.send(command));
  if (!written) await standing(table, batch, run);
}

interface OpenRow {
  readonly key: { readonly pk: string; readonly sk: string };
  readonly openedAt: number;
}

async function* openShard(table: DynamoTable, shard: string): AsyncGenerator<OpenRow> {
  const rows = queryItems(table, {
    IndexName: openIndex,
    KeyConditionExpression: "#openShard = :shard",
    ExpressionAttributeNames: { "#openShard": "openShard" },
    ExpressionAttributeValues: { ":shard": shard },
  });
  for await (const row of rows) {
    yield { key: { pk: String(row.pk), sk: String(row.sk) }, openedAt: Number(row.openedAt) };
  }
}

async function* openBatches(table: DynamoTable, pace: Pace): AsyncGenerator<BatchRecord> {
  const rows = mergeOrdered(
    openShards.map((shard) => openShard(table, shard)),
    (left, right) => left.openedAt - right.openedAt,
  );
  let page: OpenRow[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < 100) continue;
    yield* await stillOpen(table, page, pace);
    page = [];
  }
  yield* await stillOpen(table, page, pace);
}

/** The index lags behind the table: the rows themselves say what is open now. */
async function stillOpen(table: DynamoTable, rows: readonly OpenRow[], pace: Pace): Promise<BatchRecord[]> {
  if (rows.length === 0) return [];
  const items = await batchGet(
    table,
    rows.map((row) => row.key),
    pace,
  );
  return items
    .map(parseBatch)
    .filter(isOpen)
    .sort((left, right) => left.openedAt - right.openedAt);
}

async function* allBatches(table: DynamoTable): AsyncGenerator<BatchRecord> {
  let from: ScanCommandInput["ExclusiveStartKey"];
  do {
    const page = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        FilterExpression: "#sk = :batch",
        ExpressionAttributeNames: { "#sk": "sk" },
        ExpressionAttributeValues: { ":batch": "batch" },
        ExclusiveStartKey: from,
      }),
    );
    yield* (page.Items ?? []).map((item: Item) => parseBatch(item));
    from = page.LastEvaluatedKey;
  } while (from);
}
