/**
 * Single-item writes that are asked for in the same turn of the event loop go to DynamoDB in one call. Used by the
 * sample store: signing, sending and reading a call costs the function more than the write it carries.
 */
import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  type BatchStatementResponse,
  type DynamoDBClient,
} from "@aws-sdk/client-dynamodb";

export interface Write {
  /** Names the item that is written; no two writes of a call may name the same. */
  readonly item: string;
  /** PartiQL, with a question mark for each value. */
  readonly statement: string;
  readonly values: readonly AttributeValue[];
}

/**
 * True where the write was made. False says nothing: it was not tried, its condition failed, or nobody knows. The caller
 * then makes it by itself, in a way that recognises its own work.
 */
export type WriteTogether = (write: Write) => Promise<boolean>;

/** DynamoDB's limit for a call. */
const most = 25;

interface Asked {
  readonly write: Write;
  readonly settle: (written: boolean) => void;
}

/** `complain` hears why a whole call failed; its writes are then made one by one. */
export const writeTogether = (client: DynamoDBClient, complain: (error: unknown) => void): WriteTogether => {
  const send = async (asked: readonly Asked[]): Promise<void> => {
    const written = asked.length > 1 ? await ends(client, asked).catch(complain) : undefined;
    for (const [index, { settle }] of asked.entries()) settle(written?.[index] ?? false);
  };

  let gathered = new Map<string, Asked>();

  const flush = (): void => {
    const all = [...gathered.values()];
    gathered = new Map();
    for (let start = 0; start < all.length; start += most) void send(all.slice(start, start + most));
  };

  return (write) => {
    if (gathered.has(write.item)) return Promise.resolve(false);
    if (gathered.size === 0) setImmediate(flush);
    return new Promise((settle) => gathered.set(write.item, { write, settle }));
  };
};

const ends = async (client: DynamoDBClient, asked: readonly Asked[]): Promise<readonly boolean[]> => {
  const Statements = asked.map(({ write }) => ({
    Statement: write.statement,
    Parameters: [...write.values],
  }));
  const { Responses = [] } = await client.send(new BatchExecuteStatementCommand({ Statements }));
  return Responses.map(({ Error: failed }: BatchStatementResponse) => failed === undefined);
};
