/** The classes that fauxqs 2.4.1 keeps behind its `exports`: without them its queues can be neither polled in-process nor persisted. */
import { DatabaseSync } from "node:sqlite";
import type { BuildAppOptions } from "fauxqs";

type FauxqsStores = NonNullable<BuildAppOptions["stores"]>;
export type SqsStore = FauxqsStores["sqsStore"];
export type SqsQueue = ReturnType<SqsStore["createQueue"]>;
export type SqsMessage = Parameters<SqsQueue["enqueue"]>[0];
type Persistence = NonNullable<SqsStore["persistence"]>;

interface Fauxqs {
  readonly stores: FauxqsStores;
  readonly createMessage: (
    body: string,
    attributes?: Record<string, never>,
    delaySeconds?: number,
  ) => SqsMessage;
  readonly persistence: Persistence | undefined;
}

/** Makes a set of stores, loaded from and written through to `directory` when one is given. */
export async function openFauxqs(directory: string | undefined): Promise<Fauxqs> {
  const { SqsStore }: { SqsStore: (new () => SqsStore) & Pick<Fauxqs, "createMessage"> } =
    await internal("sqs/sqsStore.js");
  const { SnsStore }: { SnsStore: new () => FauxqsStores["snsStore"] } = await internal("sns/snsStore.js");
  const { S3Store }: { S3Store: new () => FauxqsStores["s3Store"] } = await internal("s3/s3Store.js");
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const createMessage: Fauxqs["createMessage"] = (...message) => SqsStore.createMessage(...message);
  if (directory === undefined) return { stores, createMessage, persistence: undefined };
  const { PersistenceManager }: { PersistenceManager: new (directory: string) => Persistence } =
    await internal("persistence.js");
  const persistence = new PersistenceManager(directory);
  const database = databaseOf(persistence);
  // A synced write per message would halve the throughput; what is given up is a power cut, not a crash.
  database.exec("PRAGMA synchronous = NORMAL");
  mendReleasedMessages(persistence, database);
  // Loading while the stores already wrote through would re-insert queues and cascade their messages away.
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  stores.sqsStore.persistence = persistence;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = persistence;
  return { stores, createMessage, persistence };
}

/**
 * fauxqs 2.4.1 clears the receive count of a message released with visibility 0, which its own schema forbids:
 * the call fails and the message is lost. Only the receipt must be cleared.
 */
function mendReleasedMessages(persistence: Persistence, database: DatabaseSync): void {
  const release = database.prepare(
    "UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?",
  );
  persistence.updateMessageReady = (messageId) => {
    release.run(messageId);
  };
}

function databaseOf(persistence: Persistence): DatabaseSync {
  const database: unknown = Reflect.get(persistence, "db");
  if (!(database instanceof DatabaseSync))
    throw new Error("fauxqs keeps its database elsewhere: pin fauxqs 2.4.1");
  return database;
}

function internal(file: string) {
  return import(new URL(file, import.meta.resolve("fauxqs")).href);
}
