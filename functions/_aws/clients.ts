/**
 * The AWS clients, made once per function by its handler. Region, endpoint and credentials come from the
 * environment alone, which is all that differs between a laptop and the cloud.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SageMakerRuntimeClient } from "@aws-sdk/client-sagemaker-runtime";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { jsonRequestHandler } from "./json-request-handler.ts";
import { KeyedSha256 } from "./keyed-sha256.ts";

interface Patience {
  /** First attempt included. */
  readonly attempts: number;
  /** Until the answer has arrived, or its head where the body may be a stream. */
  readonly requestMs: number;
}

/** Many calls are in flight at once; a smaller pool would queue them behind one another. */
const agent = { keepAlive: true, maxSockets: 256 };

const connectMs = 3_000;

const common = ({ attempts }: Patience) => ({
  // "standard" and not "adaptive": one throttled partition must not slow every other one down.
  retryMode: "standard",
  maxAttempts: attempts,
  sha256: KeyedSha256,
});

/** For services that speak JSON. */
const json = (patience: Patience) => ({
  ...common(patience),
  requestHandler: jsonRequestHandler({ connectMs, requestMs: patience.requestMs }),
});

/** For services whose bodies are bytes, and may be streams. */
const bytes = (patience: Patience & { readonly idleMs: number }) => ({
  ...common(patience),
  requestHandler: {
    connectionTimeout: connectMs,
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
  new S3Client(bytes({ attempts: 4, requestMs: 30_000, idleMs: 20_000 }));

/**
 * Queues. The queue URL names the queue and not the endpoint: an emulator's URL carries a host name that
 * not every laptop resolves.
 */
export const sqsClient = (): SQSClient =>
  new SQSClient({
    ...json({ attempts: 4, requestMs: 10_000 }),
    useQueueUrlAsEndpoint: false,
    // Middleware is composed once an operation, not once a call; a document client cannot do without.
    cacheMiddleware: true,
  });

/** Tables. Numbers beyond 2^53 are read back as the doubles they were, never as a surprise BigInt. */
export const dynamoClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient(json({ attempts: 5, requestMs: 10_000 })), {
    marshallOptions: { removeUndefinedValues: true, allowImpreciseNumbers: true },
    unmarshallOptions: { wrapNumbers: Number },
  });

/** Tables, for commands in DynamoDB's own form that are sent for every sample. */
export const plainDynamoClient = (): DynamoDBClient =>
  new DynamoDBClient({ ...json({ attempts: 5, requestMs: 10_000 }), cacheMiddleware: true });

/**
 * Model endpoints. One attempt: a second one behind a slow model only lengthens its queue, and the
 * pipeline has its own way of coming back later. SageMaker itself ends a call after 60 s.
 */
export const sageMakerClient = (): SageMakerRuntimeClient =>
  new SageMakerRuntimeClient(bytes({ attempts: 1, requestMs: 62_000, idleMs: 62_000 }));
