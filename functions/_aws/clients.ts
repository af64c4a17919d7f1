/**
 * The AWS clients, made once per function by its handler. Region, endpoint and credentials come from the
 * environment alone, which is all that differs between a laptop and the cloud.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SageMakerRuntimeClient } from "@aws-sdk/client-sagemaker-runtime";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { KeyedSha256 } from "./keyed-sha256.ts";

interface Patience {
  /** First attempt included. */
  readonly attempts: number;
  /** Until the answer's head has arrived. */
  readonly requestMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
}

/** 50 judge calls in flight touch three services each; a smaller pool would queue them behind one another. */
const agent = { keepAlive: true, maxSockets: 256 };

const common = (patience: Patience) => ({
  // "standard" and not "adaptive": one throttled partition must not slow every other one down.
  retryMode: "standard",
  maxAttempts: patience.attempts,
  sha256: KeyedSha256,
  requestHandler: {
    connectionTimeout: 3_000,
    requestTimeout: patience.requestMs,
    // Without this the SDK only logs a warning when the request time-out passes.
    throwOnRequestTimeout: true,
    socketTimeout: patience.idleMs,
    httpAgent: agent,
    httpsAgent: agent,
  },
});

/**
 * Objects. `forcePathStyle` stays unset: the SDK uses path style by itself where the endpoint is an IP
 * address, as the embedded one is, and AWS prefers the bucket in the host name.
 */
export const s3Client = (): S3Client =>
  new S3Client(common({ attempts: 4, requestMs: 30_000, idleMs: 20_000 }));

/**
 * Queues. The queue URL names the queue and not the endpoint: an emulator's URL carries a host name that
 * not every laptop resolves.
 */
export const sqsClient = (): SQSClient =>
  new SQSClient({
    ...common({ attempts: 4, requestMs: 10_000, idleMs: 10_000 }),
    useQueueUrlAsEndpoint: false,
    // Composed once an operation, not once a call; the document client of the tables cannot do without.
    cacheMiddleware: true,
  });

/** Tables. Numbers beyond 2^53 are read back as the doubles they were, never as a surprise BigInt. */
export const dynamoClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient(common({ attempts: 5, requestMs: 10_000, idleMs: 10_000 })),
    {
      marshallOptions: { removeUndefinedValues: true, allowImpreciseNumbers: true },
      unmarshallOptions: { wrapNumbers: Number },
    },
  );

/**
 * Model endpoints. One attempt: a second one behind a slow model only lengthens its queue, and the
 * pipeline has its own way of coming back later. SageMaker itself ends a call after 60 s.
 */
export const sageMakerClient = (): SageMakerRuntimeClient =>
  new SageMakerRuntimeClient(common({ attempts: 1, requestMs: 62_000, idleMs: 62_000 }));
