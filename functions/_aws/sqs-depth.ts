/** How many messages a queue holds, as far as SQS knows; SWEEP asks before it takes something for lost. */
import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { QueueDepth } from "@touchstone/core/ports";

const counts = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
] as const;

/** Visible, in somebody's hands and delayed, of all the queues together. */
export const sqsDepth =
  (client: SQSClient, ...queueUrls: readonly string[]): QueueDepth =>
  async () => {
    const answers = await Promise.all(
      queueUrls.map((QueueUrl) =>
        client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] })),
      ),
    );
    return answers
      .flatMap(({ Attributes }) => counts.map((name) => Number(Attributes?.[name] ?? 0)))
      .reduce((sum, count) => sum + count, 0);
  };
