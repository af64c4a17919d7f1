/** Wires SCORE: samples from the score queue, many in flight at once, since the judge is what takes time. */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { mostOutcomes } from "@touchstone/core/domain/ledger/pack-outcomes";
import { type ScoreRequest, type SettleMessage, scoreRequestSchema } from "@touchstone/core/schema/messages";
import { breakerWitnesses, timing } from "@touchstone/core/timing";
import { chatModel } from "../_aws/chat-model.ts";
import { streamScheme } from "../_aws/chat-stream.ts";
import { dynamoClient, plainDynamoClient, s3Client, sageMakerClient, sqsClient } from "../_aws/clients.ts";
import { dynamoBreakerStore } from "../_aws/dynamo-breaker-store.ts";
import { dynamoBudgetStore } from "../_aws/dynamo-budget-store.ts";
import { dynamoSampleStore } from "../_aws/dynamo-sample-store.ts";
import { writeTogether } from "../_aws/dynamo-together.ts";
import { dynamoTrustStore } from "../_aws/dynamo-trust-store.ts";
import { readEnvironment, timeScale } from "../_aws/env.ts";
import { gatheringSender } from "../_aws/gathering-sender.ts";
import { createLogger, loggable } from "../_aws/log.ts";
import { rememberedTrust } from "../_aws/remembered-trust.ts";
import { s3BlobStore } from "../_aws/s3-blob-store.ts";
import { s3JudgeProbe } from "../_aws/s3-judge-probe.ts";
import { s3TemplateStore } from "../_aws/s3-template-store.ts";
import { sqsSender } from "../_aws/sqs-sender.ts";
import { eachMessage, sqsStage } from "../_aws/stage.ts";
import { outcomeSender } from "../_batch/outcome-sender.ts";
import { callPurse } from "../_pressure/call-budget.ts";
import { endpointGate } from "../_pressure/endpoint-gate.ts";
import { type ScorePorts, scoreSample } from "./score.ts";

const environment = readEnvironment(
  "UPLOADS_BUCKET",
  "RESULTS_BUCKET",
  "SAMPLES_TABLE",
  "TASKS_TABLE",
  "SCORE_QUEUE_URL",
  "SETTLE_QUEUE_URL",
  "JUDGE_URL",
  "JUDGE_MODEL",
);
const logger = createLogger();
const table = timing(timeScale());
const isStreamed = environment.JUDGE_URL.startsWith(streamScheme);
const judgeTimeoutMs = (isStreamed ? table.streamedJudge : table.modelTimeout.judge) * 1000;
const sqs = sqsClient();
const blobs = s3BlobStore(s3Client());
const client = dynamoClient();
const tasks = { client, name: environment.TASKS_TABLE };
const score = sqsSender<ScoreRequest>(sqs, environment.SCORE_QUEUE_URL);
/** Every message of an invocation at once: the batch size of the mapping is the limit. */
const concurrency = 100;
/** Calls asked for within this time are taken from a budget together. */
const gatherCallsMs = 20;
const settle = gatheringSender(outcomeSender(sqsSender<SettleMessage>(sqs, environment.SETTLE_QUEUE_URL)), {
  most: mostOutcomes,
  mostMs: table.gatherOutcomes * 1000,
});
const complain = (error: unknown) => logger.error("pressure not noted", loggable(error));
const plain = plainDynamoClient();
const together = writeTogether(plain, (error) => logger.error("writes not made together", loggable(error)));

const ports: ScorePorts = {
  blobs,
  samples: dynamoSampleStore({ client, plain, together, name: environment.SAMPLES_TABLE }),
  templates: s3TemplateStore(blobs, environment.UPLOADS_BUCKET, Date.now),
  judge: chatModel(environment.JUDGE_URL, environment.JUDGE_MODEL, {
    sageMaker: sageMakerClient,
    timeoutMs: judgeTimeoutMs,
    clock: Date.now,
    apiKey: process.env.JUDGE_API_KEY || undefined,
  }),
  judgeProbe: s3JudgeProbe(
    blobs,
    environment.UPLOADS_BUCKET,
    { url: environment.JUDGE_URL, model: environment.JUDGE_MODEL },
    Date.now,
  ),
  trust: rememberedTrust(dynamoTrustStore(tasks), table.trustFresh, Date.now),
  gate: endpointGate(
    {
      endpoint: "judge",
      policy: { ...table.breaker, witnesses: breakerWitnesses },
      most: concurrency,
      complain,
    },
    { store: dynamoBreakerStore(tasks), clock: Date.now, token: randomUUID },
  ),
  purse: callPurse(dynamoBudgetStore(tasks), () => setTimeout(gatherCallsMs), complain),
  score,
  settle,
  clock: Date.now,
  token: randomUUID,
  random: Math.random,
  timing: table,
  judgeTimeoutMs,
  resultsBucket: environment.RESULTS_BUCKET,
  complain: (request, error) =>
    logger.warn("sample comes back", { sampleId: request.sampleId, ...loggable(error) }),
};

/** What is left of an invocation when its last call has been given up: results are stored, messages sent. */
const wrapUpMs = (table.functionTimeout.score * 1000) / 60;

export const handler = sqsStage({
  schema: scoreRequestSchema,
  logger,
  run: eachMessage(
    (request, context) => {
      const deadline = Date.now() + context.getRemainingTimeInMillis() - wrapUpMs;
      return settle.during(() => scoreSample(request, deadline, ports));
    },
    {
      concurrency,
      logger,
      neededMs: judgeTimeoutMs,
      sendAgain: (requests) => score.send(requests, table.retryDelay.first),
    },
  ),
});
