/** What the hops work on, handed from the stacks that own it to the functions that use it. */
import type { QueueName } from "@touchstone/core/pipeline";
import type { TableName } from "./access.ts";
import type { ItemTable } from "./item-table.ts";
import type { ObjectBucket } from "./object-bucket.ts";
import type { WorkQueue } from "./work-queue.ts";

export interface Resources {
  readonly uploads: ObjectBucket;
  readonly results: ObjectBucket;
  readonly tables: Readonly<Record<TableName, ItemTable>>;
  readonly queues: Readonly<Record<QueueName, WorkQueue>>;
  /** Deploy-time values; empty where a server asks for none. */
  readonly apiKeys: { readonly judge: string; readonly captioner: string };
  readonly strategyEndpoint: {
    readonly name: string;
    readonly arn: string;
    /** Changes with whatever the endpoint runs: its code, its weights or its settings. */
    readonly version: string;
  };
}
