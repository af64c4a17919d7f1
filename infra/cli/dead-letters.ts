/** The messages that lie in a dead-letter queue: a look at them, and the way back to their queue. Part of a connection. */
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { QueueName } from "@touchstone/core/pipeline";
import { escapeForSqs, maxSqsBytes, packBatches } from "../../functions/_aws/sqs-batches.ts";
import { messageSubject } from "./message-subject.ts";

/** What may be shown of a message: never the text of a sample. */
export interface DeadLetter {
  readonly messageId: string;
  /** How often it was received, dead or alive. */
  readonly receives: number;
  /** Epoch milliseconds; null where SQS does not say. */
  readonly sentAt: number | null;
  readonly firstReceivedAt: number | null;
  readonly bytes: number;
  /** Which sample, batch or file it is about; null where it is no message of this version. */
  readonly about: string | null;
}

export interface Redriven {
  readonly moved: number;
  /** Still in the dead-letter queue, and why. */
  readonly refused: readonly { readonly messageId: string; readonly code: string }[];
  /** Sent back, and yet not deleted: these will be delivered twice, which every hop allows for. */
  readonly twice: number;
}

interface Places {
  readonly url: string;
  readonly deadLetters: string;
}

/** Long enough to send ten large messages, short enough for an interrupted redrive to be begun anew. */
const heldSeconds = 60;
/** SQS may answer with nothing though there is something. */
const emptyAnswers = 2;
const deleteTries = 3;

/** Looks at up to `most` messages and lets go of them at once. */
export const peekDeadLetters = async (
  client: SQSClient,
  name: QueueName,
  { deadLetters: url }: Places,
  most: number,
): Promise<readonly DeadLetter[]> => {
  const seen = new Map<string, Message>();
  try {
    for await (const messages of received(client, url, () => most - seen.size))
      for (const message of messages) seen.set(message.MessageId ?? "", message);
  } finally {
    await letGo(client, url, [...seen.values()]);
  }
  return [...seen.values()].map((message) => deadLetter(name, message));
};

/**
 * Moves up to `most` messages. Each is deleted only once its queue has accepted the copy, so an end at any moment
 * repeats messages and loses none; attributes go with the body.
 */
export const redriveDeadLetters = async (
  client: SQSClient,
  { url, deadLetters }: Places,
  most: number,
  onMoved: (moved: number) => void,
): Promise<Redriven> => {
  const refused = new Map<string, string>();
  let moved = 0;
  let twice = 0;
  for await (const messages of received(client, deadLetters, () => most - moved)) {
    const fresh = messages.filter(({ MessageId = "" }) => !refused.has(MessageId));
    // Only what was refused comes round again: the rest is through.
    if (fresh.length === 0) break;
    for (const batch of packBatches(fresh.map(copyOf), maxSqsBytes)) {
      const { accepted, failed } = await sendCopies(client, url, batch);
      for (const { id, code } of failed) refused.set(id, code);
      twice += await deleteAll(client, deadLetters, accepted);
      moved += accepted.length;
    }
    onMoved(moved);
  }
  return { moved, twice, refused: [...refused].map(([messageId, code]) => ({ messageId, code })) };
};

async function* received(
  client: SQSClient,
  url: string,
  wanted: () => number,
): AsyncGenerator<readonly Message[]> {
  for (let empty = 0; empty < emptyAnswers && wanted() > 0; ) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: Math.min(10, wanted()),
        VisibilityTimeout: heldSeconds,
        WaitTimeSeconds: 1,
        MessageAttributeNames: ["All"],
        MessageSystemAttributeNames: ["All"],
      }),
    );
    empty = Messages.length === 0 ? empty + 1 : 0;
    if (Messages.length > 0) yield Messages;
  }
}

interface Copy {
  readonly message: Message;
  readonly body: string;
  /** As SQS counts them: body, and name, type and value of each attribute. */
  readonly bytes: number;
}

const copyOf = (message: Message): Copy => {
  const body = isJson(message.Body ?? "") ? escapeForSqs(message.Body ?? "") : (message.Body ?? "");
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(
    ([name, { DataType = "", StringValue = "", BinaryValue }]) =>
      Buffer.byteLength(name + DataType + StringValue) + (BinaryValue?.byteLength ?? 0),
  );
  return { message, body, bytes: attributes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(body)) };
};

/** Escapes are for JSON alone; what else may lie there goes back as it is. */
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

interface Sent {
  readonly accepted: readonly Message[];
  readonly failed: readonly { readonly id: string; readonly code: string }[];
}

/** Errors by which one message spoils the whole call. */
const refusals: readonly string[] = [
  "InvalidMessageContents",
  "BatchRequestTooLong",
  "InvalidParameterValue",
];

const sendCopies = async (client: SQSClient, url: string, batch: readonly Copy[]): Promise<Sent> => {
  try {
    return await sendBatch(client, url, batch);
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (!refusals.includes(name)) throw error;
    const [only, ...others] = batch;
    if (only && others.length === 0)
      return { accepted: [], failed: [{ id: only.message.MessageId ?? "", code: name }] };
    const sent: Sent[] = [];
    for (const copy of batch) sent.push(await sendCopies(client, url, [copy]));
    return {
      accepted: sent.flatMap(({ accepted }) => accepted),
      failed: sent.flatMap(({ failed }) => failed),
    };
  }
};

const sendBatch = async (client: SQSClient, url: string, batch: readonly Copy[]): Promise<Sent> => {
  const { Successful = [], Failed = [] } = await client.send(
    new SendMessageBatchCommand({
      QueueUrl: url,
      Entries: batch.map(({ message, body }, index) => ({
        Id: String(index),
        MessageBody: body,
        MessageAttributes: message.MessageAttributes,
        MessageSystemAttributes: traceOf(message),
      })),
    }),
  );
  return {
    accepted: Successful.flatMap(({ Id }) => batch[Number(Id)]?.message ?? []),
    failed: Failed.map(({ Id, Code = "no code" }) => ({
      id: batch[Number(Id)]?.message.MessageId ?? "",
      code: Code,
    })),
  };
};

const traceOf = ({ Attributes }: Message) =>
  Attributes?.AWSTraceHeader === undefined
    ? undefined
    : { AWSTraceHeader: { DataType: "String", StringValue: Attributes.AWSTraceHeader } };

/** How many could not be deleted. */
const deleteAll = async (client: SQSClient, url: string, messages: readonly Message[]): Promise<number> => {
  let left = messages;
  for (let tries = 0; tries < deleteTries && left.length > 0; tries += 1) {
    const { Failed = [] } = await client.send(
      new DeleteMessageBatchCommand({ QueueUrl: url, Entries: receipts(left) }),
    );
    left = Failed.flatMap(({ Id }) => left[Number(Id)] ?? []);
  }
  return left.length;
};

const letGo = async (client: SQSClient, url: string, messages: readonly Message[]): Promise<void> => {
  for (let from = 0; from < messages.length; from += 10) {
    const Entries = receipts(messages.slice(from, from + 10)).map((entry) => ({
      ...entry,
      VisibilityTimeout: 0,
    }));
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
  }
};

const receipts = (messages: readonly Message[]) =>
  messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle: ReceiptHandle ?? "" }));

const deadLetter = (queue: QueueName, { MessageId = "", Body = "", Attributes }: Message): DeadLetter => {
  const moment = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
  return {
    messageId: MessageId,
    receives: Number(Attributes?.ApproximateReceiveCount ?? 0),
    sentAt: moment(Attributes?.SentTimestamp),
    firstReceivedAt: moment(Attributes?.ApproximateFirstReceiveTimestamp),
    bytes: Buffer.byteLength(Body),
    about: messageSubject(queue, Body),
  };
};
