/** The queues as the operator sees them: how much lies where, and the hints that reviewers pull. Part of a connection. */
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { type QueueName, queueNames } from "@touchstone/core/pipeline";
import { type ReviewHint, reviewHintSchema } from "@touchstone/core/schema/review";
import type { Places } from "./outputs.ts";
import { failure } from "./problem.ts";
import { problemWords } from "./words/problem-words.ts";

export interface QueueDepth {
  readonly waiting: number;
  readonly inFlight: number;
  /** Sent, and to be seen later: waiting for a throttled model, for instance. */
  readonly delayed: number;
  /** In the dead-letter queue. */
  readonly dead: number;
}
export type QueueDepths = Readonly<Record<QueueName, QueueDepth>>;

export interface ReceivedHint {
  readonly hint: ReviewHint;
  readonly receipt: string;
}

/** SQS counts are approximate on AWS, and exact on the embedded one. */
export const queueDepths = async (client: SQSClient, queues: Places["queues"]): Promise<QueueDepths> => {
  const depths = await Promise.all(
    queueNames.map(async (name): Promise<[QueueName, QueueDepth]> => {
      const [alive, dead] = await Promise.all([
        countMessages(client, queues[name].url),
        countMessages(client, queues[name].deadLetters),
      ]);
      return [name, { ...alive, dead: dead.waiting + dead.inFlight + dead.delayed }];
    }),
  );
  // The object has the very keys of `queueNames`; fromEntries cannot say so in its type.
  return Object.fromEntries(depths) as QueueDepths;
};

const countMessages = async (client: SQSClient, url: string): Promise<Omit<QueueDepth, "dead">> => {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: [
        "ApproximateNumberOfMessages",
        "ApproximateNumberOfMessagesNotVisible",
        "ApproximateNumberOfMessagesDelayed",
      ],
    }),
  );
  return {
    waiting: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
    delayed: Number(Attributes?.ApproximateNumberOfMessagesDelayed ?? 0),
  };
};

/** One hint, which others then do not see for the queue's visibility time-out; null if there is none. */
export const receiveHint = async (client: SQSClient, url: string): Promise<ReceivedHint | null> => {
  const { Messages } = await client.send(
    new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 1, WaitTimeSeconds: 1 }),
  );
  const message = Messages?.[0];
  if (message === undefined) return null;
  const hint = parseHint(message.Body ?? "");
  if (hint === null) throw failure(problemWords.strangeHint(message.MessageId ?? "?"));
  return { hint, receipt: message.ReceiptHandle ?? "" };
};

export const deleteHint = async (client: SQSClient, url: string, receipt: string): Promise<void> => {
  await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receipt }));
};

const parseHint = (body: string): ReviewHint | null => {
  try {
    return reviewHintSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
};
