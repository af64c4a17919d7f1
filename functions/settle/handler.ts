/** Wires SETTLE: outcomes, checks and verdicts from the settle queue. */
import type { LearnMessage } from "@touchstone/core/schema/learn";
import { settleMessageSchema } from "@touchstone/core/schema/messages";
import type { ReviewHint } from "@touchstone/core/schema/review";
import { dynamoClient, s3Client, sqsClient } from "../_aws/clients.ts";
import { dynamoLedger } from "../_aws/dynamo-ledger.ts";
import { dynamoReviewStore } from "../_aws/dynamo-review-store.ts";
import { dynamoSampleStore } from "../_aws/dynamo-sample-store.ts";
import { readEnvironment } from "../_aws/env.ts";
import { createLedgerMetrics } from "../_aws/ledger-metrics.ts";
import { createLogger, loggable } from "../_aws/log.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { sqsStage } from "../_aws/stage.ts";
import { type MessagePorts, settleMessages } from "./settle-messages.ts";

const environment = readEnvironment(
  "RESULTS_BUCKET",
  "LEDGER_TABLE",
  "SAMPLES_TABLE",
  "REVIEWS_TABLE",
  "REVIEW_QUEUE_URL",
  "LEARN_QUEUE_URL",
);
const logger = createLogger();
const metrics = createLedgerMetrics();
const client = dynamoClient();
const sqs = sqsClient();

const ports: MessagePorts = {
  ledger: dynamoLedger({ client, name: environment.LEDGER_TABLE }),
  samples: dynamoSampleStore({ client, name: environment.SAMPLES_TABLE }),
  reviews: dynamoReviewStore({ client, name: environment.REVIEWS_TABLE }),
  hints: sqsSender<ReviewHint>(sqs, environment.REVIEW_QUEUE_URL),
  learn: sqsSender<LearnMessage>(sqs, environment.LEARN_QUEUE_URL),
  blobs: s3BlobStore(s3Client()),
  clock: Date.now,
  resultsBucket: environment.RESULTS_BUCKET,
  count: metrics.count,
  complain: (group, messages, error) =>
    logger.error("split not settled", { group, messages, ...loggable(error) }),
};

export const handler = sqsStage({
  schema: settleMessageSchema,
  logger,
  run: async (received) => {
    const failed = await settleMessages(received, ports);
    metrics.publish();
    return failed;
  },
});
