/** Wires LEARN: verdicts and traffic from the learn queue. */
import { learnMessageSchema } from "@touchstone/core/schema/learn";
import type { ReviewHint } from "@touchstone/core/schema/review";
import { dynamoClient, s3Client, sqsClient } from "../_aws/clients.ts";
import { dynamoReviewStore } from "../_aws/dynamo-review-store.ts";
import { dynamoSampleStore } from "../_aws/dynamo-sample-store.ts";
import { dynamoTrustStore } from "../_aws/dynamo-trust-store.ts";
import { readEnvironment } from "../_aws/env.ts";
import { createLogger } from "../_aws/log.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../_aws/s3-template-store.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { eachMessage, sqsStage } from "../_aws/stage.ts";
import { voidMetrics } from "../_aws/trust-metrics.ts";
import { type LearnPorts, learn } from "./learn.ts";

const environment = readEnvironment(
  "UPLOADS_BUCKET",
  "SAMPLES_TABLE",
  "REVIEWS_TABLE",
  "TASKS_TABLE",
  "REVIEW_QUEUE_URL",
);
const logger = createLogger();
const client = dynamoClient();
const blobs = s3BlobStore(s3Client());

const ports: LearnPorts = {
  samples: dynamoSampleStore({ client, name: environment.SAMPLES_TABLE }),
  reviews: dynamoReviewStore({ client, name: environment.REVIEWS_TABLE }),
  trust: dynamoTrustStore({ client, name: environment.TASKS_TABLE }),
  templates: s3TemplateStore(blobs, environment.UPLOADS_BUCKET, Date.now),
  hints: sqsSender<ReviewHint>(sqsClient(), environment.REVIEW_QUEUE_URL),
  countVoid: voidMetrics(logger),
};

/** One after the other: messages of one task change the same record. */
export const handler = sqsStage({
  schema: learnMessageSchema,
  logger,
  run: eachMessage((message) => learn(message, ports), { concurrency: 1, logger }),
});
