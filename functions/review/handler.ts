/** Wires REVIEW: the IAM-authorised HTTP API. */
import { randomUUID } from "node:crypto";
import { timing } from "@touchstone/core/timing";
import { handle } from "hono/aws-lambda";
import { dynamoClient, s3Client, sqsClient } from "../_aws/clients.ts";
import { dynamoReviewStore } from "../_aws/dynamo-review-store.ts";
import { readEnvironment, timeScale } from "../_aws/env.ts";
import { createLogger, loggable } from "../_aws/log.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../_aws/s3-template-store.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { unpackGists, unpackSample } from "../_batch/payload.ts";
import { reviewRoutes } from "./routes.ts";

const environment = readEnvironment("UPLOADS_BUCKET", "REVIEWS_TABLE", "SETTLE_QUEUE_URL");
const logger = createLogger();
const blobs = s3BlobStore(s3Client());

export const handler = handle(
  reviewRoutes(
    {
      reviews: dynamoReviewStore({ client: dynamoClient(), name: environment.REVIEWS_TABLE }),
      templates: s3TemplateStore(blobs, environment.UPLOADS_BUCKET, Date.now),
      settle: sqsSender(sqsClient(), environment.SETTLE_QUEUE_URL),
      unpack: (payload) => unpackSample(payload, blobs),
      unpackGists: (payload) => unpackGists(payload, blobs),
      complain: (reviewId, error) => logger.error("task not shown", { reviewId, ...loggable(error) }),
      clock: Date.now,
      token: randomUUID,
      leaseSeconds: timing(timeScale()).lease.review,
    },
    (error) => logger.error("request failed", loggable(error)),
  ),
);
