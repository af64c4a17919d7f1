/** How batches, splits and re-send counts lie in the ledger table; read and written by dynamo-ledger.ts. */
import { isOpen } from "@touchstone/core/domain/ledger/batch";
import {
  type BatchRecord,
  batchRecordSchema,
  type SplitRecord,
  splitRecordSchema,
} from "@touchstone/core/schema/ledger";
import { type Item, partitionKey } from "./dynamo-table.ts";
import { shardOf } from "./shard.ts";
import { parseStored } from "./stored.ts";

/** Sparse index over batches that are open: `openShard`, then `openedAt`. */
export const openIndex = "open";
export const openShards: readonly string[] = Array.from({ length: 8 }, (_, shard) => `open#${shard}`);

export const openShardOf = (batch: string): string | undefined =>
  openShards[shardOf(batch, openShards.length)];

const batchPk = (batch: string, run: number): string => partitionKey(`${batch}#${run}`);
const numbered = (kind: string, split: number): string => `${kind}#${String(split).padStart(5, "0")}`;

export const batchKey = (batch: string, run: number) => ({ pk: batchPk(batch, run), sk: "batch" });
export const splitKey = (batch: string, run: number, split: number) => ({
  pk: batchPk(batch, run),
  sk: numbered("split", split),
});
export const resendKey = (batch: string, run: number, split: number) => ({
  pk: batchPk(batch, run),
  sk: numbered("resend", split),
});

/** A batch id has slashes, so no batch can be called so. */
export const inboxMarkKey = { pk: "inbox", sk: "mark" };

/** DynamoDB stores no empty set, so an empty one is an absent attribute. */
const setOrAbsent = (set: ReadonlySet<number>) => (set.size > 0 ? set : undefined);

export const batchItem = (record: BatchRecord) => ({
  ...batchKey(record.batch, record.run),
  ...record,
  doneSplits: setOrAbsent(record.doneSplits),
  finalSplits: setOrAbsent(record.finalSplits),
  openShard: isOpen(record) ? openShardOf(record.batch) : undefined,
});

export const parseBatch = ({ pk, sk: _sk, openShard: _openShard, ...record }: Item): BatchRecord =>
  parseStored(
    batchRecordSchema,
    { doneSplits: new Set(), finalSplits: new Set(), ...record },
    `ledger row ${String(pk)}`,
  );

export const splitItem = (record: SplitRecord) => ({
  ...splitKey(record.batch, record.run, record.split),
  ...record,
});

export const parseSplit = ({ pk, sk, ...record }: Item): SplitRecord =>
  parseStored(splitRecordSchema, record, `ledger row ${String(pk)} ${String(sk)}`);
