/** AWS::SQS::Queue: standard queues with delays, visibility and redrive. */
import * as z from "zod";
import { boolean, inert, integer, tags } from "./property.ts";
import { defineResource } from "./resource.ts";

export const sqsQueue = defineResource({
  type: "AWS::SQS::Queue",
  properties: z.strictObject({
    QueueName: z.string().optional(),
    VisibilityTimeout: integer(0, 43_200).default(30),
    DelaySeconds: integer(0, 900).default(0),
    MessageRetentionPeriod: integer(60, 1_209_600).default(345_600),
    ReceiveMessageWaitTimeSeconds: integer(0, 20).default(0),
    MaximumMessageSize: integer(1_024, 1_048_576).default(1_048_576),
    RedrivePolicy: z
      .strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: integer(1, 1_000) })
      .optional(),
    RedriveAllowPolicy: inert,
    SqsManagedSseEnabled: boolean.optional(),
    KmsMasterKeyId: z.literal("alias/aws/sqs", "customer keys are not simulated: use SSE-SQS").optional(),
    Tags: tags,
  }),
  create(properties, { world, generatedName }) {
    const { QueueName: name = generatedName.slice(0, 80), RedrivePolicy: redrive } = properties;
    const { url, arn } = world.sqs.ensureQueue(name, {
      VisibilityTimeout: String(properties.VisibilityTimeout),
      DelaySeconds: String(properties.DelaySeconds),
      MessageRetentionPeriod: String(properties.MessageRetentionPeriod),
      ReceiveMessageWaitTimeSeconds: String(properties.ReceiveMessageWaitTimeSeconds),
      MaximumMessageSize: String(properties.MaximumMessageSize),
      ...(redrive === undefined ? {} : { RedrivePolicy: JSON.stringify(redrive) }),
    });
    return { ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } };
  },
});
