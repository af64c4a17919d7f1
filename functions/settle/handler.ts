/** Wires SETTLE: outcomes, checks and verdicts, grouped by split so that a split is written once an invocation. */

import { errorKind } from "@touchstone/core/errors";
import { formatSampleKey } from "@touchstone/core/schema/identity";
import { type SettleMessage, settleMessageSchema } from "@touchstone/core/schema/messages";
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
import { type Received, sqsStage } from "../_aws/stage.ts";
import { type SettlePorts, settleCheck, settleSplit } from "./settle.ts";

const environment = readEnvironment(
  "RESULTS_BUCKET",
  "LEDGER_TABLE",
  "SAMPLES_TABLE",
  "REVIEWS_TABLE",
  "REVIEW_QUEUE_URL",
);
const logger = createLogger();
const metrics = createLedgerMetrics();
const client = dynamoClient();

const ports: SettlePorts = {
  ledger: dynamoLedger({ client, name: environment.LEDGER_TABLE }),
  samples: dynamoSampleStore({ client, name: environment.SAMPLES_TABLE }),
  reviews: dynamoReviewStore({ client, name: environment.REVIEWS_TABLE }),
  hints: sqsSender<ReviewHint>(sqsClient(), environment.REVIEW_QUEUE_URL),
  blobs: s3BlobStore(s3Client()),
  clock: Date.now,
  resultsBucket: environment.RESULTS_BUCKET,
  count: metrics.count,
};

/** Messages that belong together: those of a split, and each check by itself. */
const groupOf = (message: SettleMessage): string =>
  message.kind === "check"
    ? `check ${message.batch}#${message.run}`
    : formatSampleKey({ ...message.key, ordinal: 0 });

const settleGroup = async (messages: readonly SettleMessage[]): Promise<void> => {
  const samples = messages.flatMap((message) => (message.kind === "check" ? [] : [message]));
  await settleSplit(samples, ports);
  for (const message of messages) if (message.kind === "check") await settleCheck(message, ports);
};

const run = async (received: readonly Received<SettleMessage>[]): Promise<readonly string[]> => {
  const groups = Map.groupBy(received, ({ message }) => groupOf(message));
  const failed: string[] = [];
  for (const [group, members] of groups) {
    try {
      await settleGroup(members.map(({ message }) => message));
    } catch (error) {
      logger.error("split not settled", { group, messages: members.length, ...loggable(error) });
      if (errorKind(error) === "transient") failed.push(...members.map(({ id }) => id));
    }
  }
  metrics.publish();
  return failed;
};

export const handler = sqsStage({ schema: settleMessageSchema, logger, run });
