/** Wraps a hop for SQS: parses each record by itself, runs it, and reports only the failed ones. */
import type { Logger } from "@aws-lambda-powertools/logger";
import { errorKind } from "@touchstone/core/errors";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { loggable } from "./log.ts";

export interface Received<Message> {
  readonly id: string;
  readonly message: Message;
}

/** The part of a zod schema that a stage needs. */
export interface MessageSchema<Message> {
  safeParse(value: unknown): { success: true; data: Message } | { success: false; error: Error };
}

export interface StageOptions<Message> {
  readonly schema: MessageSchema<Message>;
  readonly logger: Logger;
  /** Handles all messages of an invocation; returns the ids of those that must come again. */
  run(messages: readonly Received<Message>[], context: Context): Promise<readonly string[]>;
}

/**
 * A body that is no message of ours is reported as failed: it reaches the DLQ, whose alarm a person reads. One bad
 * body never touches its neighbours.
 */
export const sqsStage =
  <Message>({ schema, logger, run }: StageOptions<Message>) =>
  async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const failed = new Set<string>();
    const received: Received<Message>[] = [];
    for (const record of event.Records) {
      const parsed = parseBody(record, schema);
      if (parsed.success) received.push({ id: record.messageId, message: parsed.data });
      else {
        failed.add(record.messageId);
        logger.error("unreadable message", { messageId: record.messageId, queue: record.eventSourceARN });
      }
    }
    for (const id of await run(received, context)) failed.add(id);
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };

const parseBody = <Message>(
  record: SQSRecord,
  schema: MessageSchema<Message>,
): ReturnType<MessageSchema<Message>["safeParse"]> => {
  try {
    return schema.safeParse(JSON.parse(record.body));
  } catch (error) {
    return { success: false, error: error instanceof Error ? error : new Error("not JSON") };
  }
};

export interface EachOptions<Message> {
  readonly concurrency: number;
  readonly logger: Logger;
  /** Milliseconds one message may need: none is begun with less left, it comes again instead. */
  readonly neededMs?: number;
  /** Brings those back at once; reported as failed, they would stay hidden for the whole visibility time-out. */
  readonly sendAgain?: (messages: readonly Message[]) => Promise<void>;
}

/**
 * Runs every message by itself, at most `concurrency` at a time; a permanent error is acknowledged (the hop has
 * recorded what it could), a transient one makes its message come again.
 */
export const eachMessage =
  <Message>(one: (message: Message, context: Context) => Promise<void>, options: EachOptions<Message>) =>
  async (messages: readonly Received<Message>[], context: Context): Promise<readonly string[]> => {
    const failed: string[] = [];
    const late: Received<Message>[] = [];
    const waiting = [...messages];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (context.getRemainingTimeInMillis() < (options.neededMs ?? 0)) {
          late.push(next);
          continue;
        }
        try {
          await one(next.message, context);
        } catch (error) {
          options.logger.error("message failed", { messageId: next.id, ...loggable(error) });
          if (errorKind(error) === "transient") failed.push(next.id);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(options.concurrency, waiting.length) }, worker));
    return [...failed, ...(await notSent(late, options))];
  };

/** Sends late messages again; the ids of those that must come back the slow way. */
const notSent = async <Message>(
  late: readonly Received<Message>[],
  { sendAgain, logger }: Pick<EachOptions<Message>, "sendAgain" | "logger">,
): Promise<readonly string[]> => {
  const ids = late.map(({ id }) => id);
  if (late.length === 0 || sendAgain === undefined) return ids;
  try {
    await sendAgain(late.map(({ message }) => message));
    return [];
  } catch (error) {
    logger.error("messages not sent again", { messageIds: ids, ...loggable(error) });
    return ids;
  }
};
