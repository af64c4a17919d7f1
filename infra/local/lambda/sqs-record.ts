/** Turns a received message into the record that Lambda hands to a function. Used by the event source. */
import type { SqsMessage } from "../sqs/fauxqs-internals.ts";

export interface SqsRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, MessageAttribute>>;
  readonly md5OfBody: string;
  readonly eventSource: "aws:sqs";
  readonly eventSourceARN: string;
  readonly awsRegion: string;
}

interface MessageAttribute {
  readonly stringValue?: string;
  readonly binaryValue?: string;
  readonly stringListValues: readonly string[];
  readonly binaryListValues: readonly string[];
  readonly dataType: string;
}

export function sqsRecord(
  message: SqsMessage,
  receiptHandle: string,
  queueArn: string,
  region: string,
): SqsRecord {
  return {
    messageId: message.messageId,
    receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.approximateReceiveCount),
      SentTimestamp: String(message.sentTimestamp),
      SenderId: "000000000000",
      ApproximateFirstReceiveTimestamp: String(
        message.approximateFirstReceiveTimestamp ?? message.sentTimestamp,
      ),
      ...(message.sequenceNumber === undefined ? {} : { SequenceNumber: message.sequenceNumber }),
      ...(message.messageGroupId === undefined ? {} : { MessageGroupId: message.messageGroupId }),
      ...(message.messageDeduplicationId === undefined
        ? {}
        : { MessageDeduplicationId: message.messageDeduplicationId }),
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.messageAttributes).map(([name, value]) => [
        name,
        {
          ...(value.StringValue === undefined ? {} : { stringValue: value.StringValue }),
          ...(value.BinaryValue === undefined ? {} : { binaryValue: value.BinaryValue }),
          stringListValues: [],
          binaryListValues: [],
          dataType: value.DataType,
        },
      ]),
    ),
    md5OfBody: message.md5OfBody,
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}
