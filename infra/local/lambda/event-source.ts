/** An SQS event source mapping: gathers batches from a queue, invokes the function, deletes what succeeded. */
import { setTimeout } from "node:timers/promises";
import type { SqsMessage, SqsQueue } from "../sqs/fauxqs-internals.ts";
import type { ServiceCall } from "../tap.ts";
import type { JoinedTap } from "../taps.ts";
import { failedMessages } from "./batch-response.ts";
import type { FunctionPool } from "./function-pool.ts";
import { type SqsRecord, sqsRecord } from "./sqs-record.ts";

export interface EventSourceSettings {
  readonly queueArn: string;
  readonly queueName: string;
  readonly pool: FunctionPool;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly maximumConcurrency: number;
  readonly reportsItemFailures: boolean;
  readonly region: string;
  /** Finds the queue, and that of its redrive policy; asked each time, since a restarted SQS has other objects. */
  readonly queueByArn: (arn: string) => SqsQueue | undefined;
  readonly tap: JoinedTap;
  readonly log: (line: string) => void;
}

export interface EventSource {
  pause(): void;
  resume(): void;
  /** Takes no further message; resolves when the last invocation under way has ended. */
  stop(): Promise<void>;
}

const longPollMs = 20_000;
const receiveLimit = 10;
const deleteLimit = 10;
/** Lambda cuts a batch at its payload limit; attributes and JSON take part of it. */
const batchByteLimit = 5.5 * 1024 * 1024;
/** After a refused call: long enough not to spin, short enough not to matter. */
const retryMs = 1_000;

export function startEventSource(settings: EventSourceSettings): EventSource {
  const { pool, queueArn, queueName } = settings;
  let state: "polling" | "paused" | "stopped" = "polling";
  let active = 0;
  let left: SqsRecord[] = [];
  let stopWaiting: () => void = () => {};
  let stateOrSlotsChanged: () => void = () => {};

  const queueNow = (): SqsQueue => {
    const queue = settings.queueByArn(queueArn);
    if (queue === undefined) throw new Error(`there is no queue ${queueArn}`);
    return queue;
  };

  /** Until a message may be there, `milliseconds` have passed, or the state changes. */
  const messages = async (milliseconds: number): Promise<void> => {
    await new Promise<void>((resolve) => {
      stopWaiting = resolve;
      void queueNow()
        .waitForMessages(milliseconds / 1000)
        .then(resolve);
    });
  };
  const change = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      stateOrSlotsChanged = resolve;
    });
  };

  const call = (operation: string, requestBytes: number): ServiceCall => ({
    service: "sqs",
    operation,
    resource: queueName,
    caller: `${pool.functionId}/poller`,
    requestBytes,
  });

  const receive = async (most: number): Promise<SqsRecord[]> => {
    const receiving = call("ReceiveMessage", 200);
    await settings.tap.before(receiving);
    const queue = queueNow();
    const received = queue.dequeue(Math.min(most, receiveLimit), undefined, settings.queueByArn);
    const records = received.map(({ ReceiptHandle }) =>
      sqsRecord(messageOf(queue, ReceiptHandle), ReceiptHandle, queueArn, settings.region),
    );
    await settings.tap.after(receiving, { status: 200, responseBytes: bytesOf(records) });
    return records;
  };

  const gather = async (): Promise<SqsRecord[]> => {
    const batch = left;
    left = [];
    let bytes = bytesOf(batch);
    let closesAt = performance.now() + (batch.length > 0 ? settings.windowMs : Number.POSITIVE_INFINITY);
    while (state === "polling" && batch.length < settings.batchSize && bytes < batchByteLimit) {
      const records = await receive(settings.batchSize - batch.length);
      if (records.length > 0 && batch.length === 0) closesAt = performance.now() + settings.windowMs;
      batch.push(...records);
      bytes += bytesOf(records);
      if (batch.length > 0 && settings.windowMs === 0) break;
      if (records.length > 0) continue;
      const remaining = Math.min(closesAt - performance.now(), longPollMs);
      if (remaining <= 0) break;
      await messages(remaining);
    }
    while (batch.length > 1 && bytes > batchByteLimit) {
      left.unshift(...batch.splice(-1));
      bytes -= bytesOf(left.slice(0, 1));
    }
    return batch;
  };

  const remove = async (records: readonly SqsRecord[]): Promise<void> => {
    for (let start = 0; start < records.length; start += deleteLimit) {
      const group = records.slice(start, start + deleteLimit);
      const deleting = call("DeleteMessageBatch", group.length * 100);
      await settings.tap.before(deleting);
      const queue = queueNow();
      for (const record of group) queue.deleteMessage(record.receiptHandle);
      await settings.tap.after(deleting, { status: 200, responseBytes: group.length * 50 });
    }
  };

  const handle = async (records: readonly SqsRecord[]): Promise<void> => {
    const outcome = await pool.invoke(JSON.stringify({ Records: records }));
    if (outcome.kind === "failure") return;
    const ids = new Set(records.map(({ messageId }) => messageId));
    const failed = failedMessages(JSON.parse(outcome.payload), ids, settings.reportsItemFailures);
    await remove(records.filter(({ messageId }) => !failed.has(messageId)));
  };

  const report = (error: unknown): void => {
    settings.log(`polling ${queueName} failed: ${error instanceof Error ? error.message : String(error)}`);
  };

  const poll = async (): Promise<void> => {
    while (state !== "stopped") {
      if (state === "paused" || active >= settings.maximumConcurrency) {
        await change();
        continue;
      }
      try {
        const batch = await gather();
        if (batch.length === 0) continue;
        active++;
        void handle(batch)
          .catch(report)
          .finally(() => {
            active--;
            stateOrSlotsChanged();
          });
      } catch (error) {
        report(error);
        await setTimeout(retryMs);
      }
    }
  };

  const polling = poll();
  const turn = (to: typeof state): void => {
    if (state === "stopped") return;
    state = to;
    stopWaiting();
    stateOrSlotsChanged();
  };
  return {
    pause: () => turn("paused"),
    resume: () => turn("polling"),
    async stop() {
      turn("stopped");
      await polling;
      while (active > 0) await change();
    },
  };
}

function messageOf(queue: SqsQueue, receiptHandle: string): SqsMessage {
  const entry = queue.inflightMessages.get(receiptHandle);
  if (entry === undefined) throw new Error(`${queue.name} forgot the message it just gave out`);
  return entry.message;
}

function bytesOf(records: readonly SqsRecord[]): number {
  return records.reduce((total, { body }) => total + Buffer.byteLength(body), 0);
}
