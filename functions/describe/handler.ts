/** Wires DESCRIBE: samples with pictures from the describe queue. */
import { randomUUID } from "node:crypto";
import { readMediaHosts } from "@touchstone/core/domain/describe/media-url";
import {
  type DescribeRequest,
  describeRequestSchema,
  type ScoreRequest,
} from "@touchstone/core/schema/messages";
import type { EndpointName } from "@touchstone/core/schema/pressure";
import { breakerWitnesses, timing } from "@touchstone/core/timing";
import { chatModel } from "../_aws/chat-model.ts";
import { dynamoClient, s3Client, sageMakerClient, sqsClient } from "../_aws/clients.ts";
import { dynamoBreakerStore } from "../_aws/dynamo-breaker-store.ts";
import { dynamoGistStore } from "../_aws/dynamo-gist-store.ts";
import { readEnvironment, timeScale } from "../_aws/env.ts";
import { ffmpegVideoReader, findFfmpeg } from "../_aws/ffmpeg-video-reader.ts";
import { httpsMedia } from "../_aws/https-media.ts";
import { createLogger, loggable } from "../_aws/log.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../_aws/s3-template-store.ts";
import { sageMakerStrategyModel } from "../_aws/sagemaker-strategy-model.ts";
import { sharpNormaliser } from "../_aws/sharp-normaliser.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { eachMessage, sqsStage } from "../_aws/stage.ts";
import { endpointGate } from "../_pressure/endpoint-gate.ts";
import { type DescribePorts, describeSample } from "./describe.ts";

const environment = readEnvironment(
  "UPLOADS_BUCKET",
  "RESULTS_BUCKET",
  "GISTS_TABLE",
  "TASKS_TABLE",
  "DESCRIBE_QUEUE_URL",
  "SCORE_QUEUE_URL",
  "STRATEGY_ENDPOINT",
  "STRATEGY_VERSION",
  "CAPTIONER_URL",
  "CAPTIONER_MODEL",
  "MEDIA_HOSTS",
  "MEDIA_BUCKETS",
);
const logger = createLogger();
const table = timing(timeScale());
const sqs = sqsClient();
const sageMaker = sageMakerClient();
const blobs = s3BlobStore(s3Client());
const client = dynamoClient();
/** Pictures are decoded in memory; a few at a time keep the function inside its size. */
const concurrency = 4;
const ffmpeg = findFfmpeg();
/** Of one pass through a video: two long ones leave half of the time for its frames. */
const decodeMs = (table.functionTimeout.describe * 1000) / 4;
const breakers = dynamoBreakerStore({ client, name: environment.TASKS_TABLE });
const gateOf = (endpoint: EndpointName) =>
  endpointGate(
    {
      endpoint,
      policy: { ...table.breaker, witnesses: breakerWitnesses },
      most: concurrency,
      complain: (error) => logger.error("pressure not noted", loggable(error)),
    },
    { store: breakers, clock: Date.now, token: randomUUID },
  );
/** Empty where nobody but the captioner looks. */
const textReaderUrl = process.env.TEXT_READER_URL;

const ports: DescribePorts = {
  blobs,
  gists: dynamoGistStore({ client, name: environment.GISTS_TABLE }, Date.now),
  templates: s3TemplateStore(blobs, environment.UPLOADS_BUCKET, Date.now),
  normaliser: sharpNormaliser(),
  strategy: sageMakerStrategyModel(
    { client: sageMaker, name: environment.STRATEGY_ENDPOINT },
    environment.STRATEGY_VERSION,
  ),
  captioner: chatModel(environment.CAPTIONER_URL, environment.CAPTIONER_MODEL, {
    sageMaker: () => sageMaker,
    timeoutMs: table.modelTimeout.captioner * 1000,
    clock: Date.now,
    apiKey: process.env.CAPTIONER_API_KEY || undefined,
  }),
  textReader: textReaderUrl
    ? chatModel(textReaderUrl, "text-reader", {
        sageMaker: () => sageMaker,
        timeoutMs: table.modelTimeout.captioner * 1000,
        clock: Date.now,
        apiKey: undefined,
      })
    : undefined,
  gates: { strategy: gateOf("strategy"), captioner: gateOf("captioner") },
  videos: ffmpeg === null ? undefined : ffmpegVideoReader(ffmpeg, decodeMs, Date.now),
  fetchMedia: httpsMedia({ hosts: readMediaHosts(environment.MEDIA_HOSTS) }),
  mediaBuckets: new Set(environment.MEDIA_BUCKETS.split(",").filter((bucket) => bucket !== "")),
  describe: sqsSender<DescribeRequest>(sqs, environment.DESCRIBE_QUEUE_URL),
  score: sqsSender<ScoreRequest>(sqs, environment.SCORE_QUEUE_URL),
  clock: Date.now,
  token: randomUUID,
  random: Math.random,
  timing: table,
  resultsBucket: environment.RESULTS_BUCKET,
};

/** What is left of an invocation when its last call has been given up: gists are stored, messages sent. */
const wrapUpMs = (table.functionTimeout.describe * 1000) / 60;

export const handler = sqsStage({
  schema: describeRequestSchema,
  logger,
  run: eachMessage(
    (request, context) =>
      describeSample(request, Date.now() + context.getRemainingTimeInMillis() - wrapUpMs, ports),
    { concurrency, logger },
  ),
});
