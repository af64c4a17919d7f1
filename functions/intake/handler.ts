/** Wires INTAKE: S3 notifications from the uploads queue. */
import { announcements } from "@touchstone/core/domain/intake/arrival";
import { type UploadsMessage, uploadsMessageSchema } from "@touchstone/core/schema/s3-notification";
import { dynamoClient, s3Client, sqsClient } from "../_aws/clients.ts";
import { dynamoLedger } from "../_aws/dynamo-ledger.ts";
import { readEnvironment } from "../_aws/env.ts";
import { createLogger } from "../_aws/log.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../_aws/s3-template-store.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { eachMessage, sqsStage } from "../_aws/stage.ts";
import { type IntakePorts, takeIn } from "./intake.ts";

const environment = readEnvironment(
  "UPLOADS_BUCKET",
  "RESULTS_BUCKET",
  "LEDGER_TABLE",
  "DESCRIBE_QUEUE_URL",
  "SCORE_QUEUE_URL",
  "SETTLE_QUEUE_URL",
);
const logger = createLogger();
const clock = Date.now;
const sqs = sqsClient();
const blobs = s3BlobStore(s3Client());

const ports: IntakePorts = {
  blobs,
  ledger: dynamoLedger({ client: dynamoClient(), name: environment.LEDGER_TABLE }),
  templates: s3TemplateStore(blobs, environment.UPLOADS_BUCKET, clock),
  describe: sqsSender(sqs, environment.DESCRIBE_QUEUE_URL),
  score: sqsSender(sqs, environment.SCORE_QUEUE_URL),
  settle: sqsSender(sqs, environment.SETTLE_QUEUE_URL),
  clock,
  resultsBucket: environment.RESULTS_BUCKET,
};

const one = async (message: UploadsMessage): Promise<void> => {
  for (const announcement of announcements(message, clock())) {
    switch (announcement.kind) {
      case "batch": {
        const batch = await takeIn(announcement.batch, ports);
        logger.info("taken in", { batch: batch.batch, sealed: batch.sealed, fault: batch.fault });
        break;
      }
      case "passed-over":
        logger.info("passed over", { why: announcement.why });
        break;
      case "unreadable":
        logger.error("unreadable upload event", { message: announcement.message });
        break;
      default:
        announcement satisfies never;
    }
  }
};

export const handler = sqsStage({
  schema: uploadsMessageSchema,
  logger,
  run: eachMessage(one, { concurrency: 1, logger }),
});
