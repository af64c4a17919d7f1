/** Wires INTAKE: S3 notifications from the uploads queue. */
import { uploadsMessageSchema } from "@touchstone/core/schema/s3-notification";
import { dynamoClient, s3Client, sqsClient } from "../_aws/clients.ts";
import { dynamoLedger } from "../_aws/dynamo-ledger.ts";
import { readEnvironment } from "../_aws/env.ts";
import { createLogger } from "../_aws/log.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../_aws/s3-template-store.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { eachMessage, sqsStage } from "../_aws/stage.ts";
import { outcomeSender } from "../_batch/outcome-sender.ts";
import { type AnnouncedPorts, takeInAnnounced } from "./take-in-announced.ts";

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

const ports: AnnouncedPorts = {
  blobs,
  ledger: dynamoLedger({ client: dynamoClient(), name: environment.LEDGER_TABLE }),
  templates: s3TemplateStore(blobs, environment.UPLOADS_BUCKET, clock),
  describe: sqsSender(sqs, environment.DESCRIBE_QUEUE_URL),
  score: sqsSender(sqs, environment.SCORE_QUEUE_URL),
  settle: outcomeSender(sqsSender(sqs, environment.SETTLE_QUEUE_URL)),
  clock,
  resultsBucket: environment.RESULTS_BUCKET,
  tell: (announced) => {
    switch (announced.kind) {
      case "taken-in": {
        const { batch, sealed, fault } = announced.batch;
        return logger.info("taken in", { batch, sealed, fault });
      }
      case "passed-over":
        return logger.info("passed over", { why: announced.why });
      case "unreadable":
        return logger.error("unreadable upload event", { message: announced.message });
      default:
        return announced satisfies never;
    }
  },
};

export const handler = sqsStage({
  schema: uploadsMessageSchema,
  logger,
  run: eachMessage((message) => takeInAnnounced(message, ports), { concurrency: 1, logger }),
});
