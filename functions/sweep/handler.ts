/** Wires SWEEP: a schedule starts it. */
import type { DescribeRequest, ScoreRequest, SettleMessage } from "@touchstone/core/schema/messages";
import type { ReviewHint } from "@touchstone/core/schema/review";
import type { UploadsMessage } from "@touchstone/core/schema/s3-notification";
import { timing } from "@touchstone/core/timing";
import { dynamoClient, s3Client, sqsClient } from "../_aws/clients.ts";
import { dynamoBreakerStore } from "../_aws/dynamo-breaker-store.ts";
import { dynamoBudgetStore } from "../_aws/dynamo-budget-store.ts";
import { dynamoLedger } from "../_aws/dynamo-ledger.ts";
import { dynamoReviewStore } from "../_aws/dynamo-review-store.ts";
import { dynamoSampleStore } from "../_aws/dynamo-sample-store.ts";
import { readEnvironment, timeScale } from "../_aws/env.ts";
import { createLogger, loggable } from "../_aws/log.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../_aws/s3-template-store.ts";
import { sqsDepth } from "../_aws/sqs-depth.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { outcomeSender } from "../_batch/outcome-sender.ts";
import { type SweepPorts, type SweepReport, sweep } from "./sweep.ts";

const environment = readEnvironment(
  "UPLOADS_BUCKET",
  "RESULTS_BUCKET",
  "LEDGER_TABLE",
  "SAMPLES_TABLE",
  "REVIEWS_TABLE",
  "TASKS_TABLE",
  "UPLOADS_QUEUE_URL",
  "DESCRIBE_QUEUE_URL",
  "SCORE_QUEUE_URL",
  "SETTLE_QUEUE_URL",
  "REVIEW_QUEUE_URL",
);
const logger = createLogger();
const client = dynamoClient();
const sqs = sqsClient();
const blobs = s3BlobStore(s3Client());
const tasks = { client, name: environment.TASKS_TABLE };

const ports: SweepPorts = {
  blobs,
  ledger: dynamoLedger({ client, name: environment.LEDGER_TABLE }),
  samples: dynamoSampleStore({ client, name: environment.SAMPLES_TABLE }),
  reviews: dynamoReviewStore({ client, name: environment.REVIEWS_TABLE }),
  breakers: dynamoBreakerStore(tasks),
  budgets: dynamoBudgetStore(tasks),
  templates: s3TemplateStore(blobs, environment.UPLOADS_BUCKET, Date.now),
  uploads: sqsSender<UploadsMessage>(sqs, environment.UPLOADS_QUEUE_URL),
  describe: sqsSender<DescribeRequest>(sqs, environment.DESCRIBE_QUEUE_URL),
  score: sqsSender<ScoreRequest>(sqs, environment.SCORE_QUEUE_URL),
  settle: outcomeSender(sqsSender<SettleMessage>(sqs, environment.SETTLE_QUEUE_URL)),
  hints: sqsSender<ReviewHint>(sqs, environment.REVIEW_QUEUE_URL),
  uploadsDepth: sqsDepth(sqs, environment.UPLOADS_QUEUE_URL),
  samplesDepth: sqsDepth(
    sqs,
    environment.DESCRIBE_QUEUE_URL,
    environment.SCORE_QUEUE_URL,
    environment.SETTLE_QUEUE_URL,
  ),
  clock: Date.now,
  timing: timing(timeScale()),
  uploadsBucket: environment.UPLOADS_BUCKET,
  resultsBucket: environment.RESULTS_BUCKET,
  complain: (what, error) => logger.error("not swept", { what, ...loggable(error) }),
};

export const handler = async (): Promise<SweepReport> => {
  const report = await sweep(ports);
  logger.info("swept", { ...report });
  return report;
};
