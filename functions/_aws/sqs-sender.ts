/** The message sender port on SQS; every hop sends to the next through one of these. */
import { type BatchResultErrorEntry, SendMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { permanent, transient } from "@touchstone/core/errors";
import type { MessageSender } from "@touchstone/core/ports";
import { inParallel } from "../_batch/in-parallel.ts";
import { backoffMs, type Pace, realPace } from "./pace.ts";
import { type Entry, maxSqsBytes, packBatches, toEntries } from "./sqs-batches.ts";

/** At 15 ms a call, as many as INTAKE needs for ten thousand lines a second. */
const callsAtOnce = 16;
const maxRounds = 6;
/** Errors of a whole call that the same messages would meet again. */
const refusals: readonly string[] = ["InvalidMessageContents", "BatchRequestTooLong"];

interface Outcome {
  readonly refused: readonly string[];
  readonly again: readonly Entry[];
  readonly cause?: unknown;
}

/**
 * Sends JSON. What SQS reports in `Failed[]` is sent again, and only that, up to six times; then the error is
 * the transient `send-incomplete`. What SQS blames on the sender is the permanent `refused`, thrown once
 * everything else has gone out. A message over `bytesLimit` is refused before anything is sent.
 */
export const sqsSender = <Message>(
  client: SQSClient,
  queueUrl: string,
  bytesLimit: number = maxSqsBytes,
  pace: Pace = realPace,
): MessageSender<Message> => ({
  async send(messages, delaySeconds) {
    const refused: string[] = [];
    let entries = toEntries(messages, bytesLimit);
    let cause: unknown;
    for (let round = 1; entries.length > 0 && round <= maxRounds; round += 1) {
      if (round > 1) await pace.sleep(backoffMs(round - 1, 100, 5_000, pace.random));
      const outcomes = await inParallel(packBatches(entries, bytesLimit), callsAtOnce, (batch) =>
        sendBatch(client, queueUrl, batch, delaySeconds),
      );
      refused.push(...outcomes.flatMap((outcome) => outcome.refused));
      entries = outcomes.flatMap((outcome) => outcome.again);
      cause = outcomes.find((outcome) => outcome.cause !== undefined)?.cause ?? cause;
    }
    const queue = queueUrl.slice(queueUrl.lastIndexOf("/") + 1);
    if (entries.length > 0) {
      const left = `${entries.length} of ${messages.length} messages`;
      throw transient("send-incomplete", `queue ${queue} did not take ${left}`, { cause });
    }
    if (refused.length > 0) {
      const codes = [...new Set(refused)].join(", ");
      throw permanent(
        "refused",
        `queue ${queue} refused ${refused.length} of ${messages.length} messages: ${codes}`,
      );
    }
  },
});

async function sendBatch(
  client: SQSClient,
  queueUrl: string,
  batch: readonly Entry[],
  delaySeconds: number | undefined,
): Promise<Outcome> {
  const command = new SendMessageBatchCommand({
    QueueUrl: queueUrl,
    Entries: batch.map(({ id, body }) => ({ Id: id, MessageBody: body, DelaySeconds: delaySeconds })),
  });
  try {
    const { Failed = [] } = await client.send(command);
    const again = Failed.filter((failure) => !isRefusal(failure));
    return {
      refused: Failed.filter(isRefusal).map((failure) => failure.Code ?? "no code"),
      again: batch.filter((entry) => again.some((failure) => failure.Id === entry.id)),
    };
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : "";
    return refusals.includes(name)
      ? { refused: batch.map(() => name), again: [], cause }
      : { refused: [], again: batch, cause };
  }
}

/** A throttled encryption key is reported as the sender's fault, though the sender can only wait. */
const isRefusal = (failure: BatchResultErrorEntry): boolean =>
  failure.SenderFault === true && !/thrott/i.test(failure.Code ?? "");
