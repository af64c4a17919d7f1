/** Wires SCORE: samples from the score queue, many in flight at once, since the judge is what takes time. */
import { randomUUID } from "node:crypto";
import { type ScoreRequest, type SettleMessage, scoreRequestSchema } from "@touchstone/core/schema/messages";
import { timing } from "@touchstone/core/timing";
import { chatModel } from "../_aws/chat-model.ts";
import { dynamoClient, s3Client, sageMakerClient, sqsClient } from "../_aws/clients.ts";
import { dynamoSampleStore } from "../_aws/dynamo-sample-store.ts";
import { readEnvironment, timeScale } from "../_aws/env.ts";
import { createLogger, loggable } from "../_aws/log.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../_aws/s3-template-store.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { eachMessage, sqsStage } from "../_aws/stage.ts";
import { type ScorePorts, scoreSample } from "./score.ts";

const environment = readEnvironment(
  "UPLOADS_BUCKET",
  "RESULTS_BUCKET",
  "SAMPLES_TABLE",
  "SCORE_QUEUE_URL",
  "SETTLE_QUEUE_URL",
  "JUDGE_URL",
  "JUDGE_MODEL",
);
const logger = createLogger();
const table = timing(timeScale());
const judgeTimeoutMs = table.modelTimeout.judge * 1000;
const sqs = sqsClient();
const blobs = s3BlobStore(s3Client());

const ports: ScorePorts = {
  blobs,
  samples: dynamoSampleStore({ client: dynamoClient(), name: environment.SAMPLES_TABLE }),
  templates: s3TemplateStore(blobs, environment.UPLOADS_BUCKET, Date.now),
  judge: chatModel(environment.JUDGE_URL, environment.JUDGE_MODEL, {
    sageMaker: sageMakerClient,
    timeoutMs: judgeTimeoutMs,
    clock: Date.now,
    apiKey: process.env.JUDGE_API_KEY || undefined,
  }),
  score: sqsSender<ScoreRequest>(sqs, environment.SCORE_QUEUE_URL),
  settle: sqsSender<SettleMessage>(sqs, environment.SETTLE_QUEUE_URL),
  clock: Date.now,
  token: randomUUID,
  random: Math.random,
  timing: table,
  judgeTimeoutMs,
  resultsBucket: environment.RESULTS_BUCKET,
  complain: (request, error) =>
    logger.warn("sample comes back", { sampleId: request.sampleId, ...loggable(error) }),
};

/** Every message of an invocation at once: the batch size of the mapping is the limit. */
const concurrency = 100;

export const handler = sqsStage({
  schema: scoreRequestSchema,
  logger,
  run: eachMessage((request) => scoreSample(request, ports), {
    concurrency,
    logger,
    neededMs: judgeTimeoutMs,
  }),
});
