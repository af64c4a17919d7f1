/** The CLI's way into a deployment, embedded or on AWS: the pipeline's ports over its own adapters. */
import type { QueueName } from "@touchstone/core/pipeline";
import type {
  BlobStore,
  BreakerStore,
  BudgetStore,
  Ledger,
  ReviewStore,
  SampleStore,
  TemplateStore,
  TrustStore,
} from "@touchstone/core/ports";
import type { Gist } from "@touchstone/core/schema/gist";
import type { SampleKey } from "@touchstone/core/schema/identity";
import type { ReplayRequest } from "@touchstone/core/schema/replay";
import { type Timing, timing } from "@touchstone/core/timing";
import { dynamoClient, s3Client, sqsClient } from "../../functions/_aws/clients.ts";
import { dynamoBreakerStore } from "../../functions/_aws/dynamo-breaker-store.ts";
import { dynamoBudgetStore } from "../../functions/_aws/dynamo-budget-store.ts";
import { dynamoLedger } from "../../functions/_aws/dynamo-ledger.ts";
import { dynamoReviewStore } from "../../functions/_aws/dynamo-review-store.ts";
import { dynamoSampleStore } from "../../functions/_aws/dynamo-sample-store.ts";
import { dynamoTrustStore } from "../../functions/_aws/dynamo-trust-store.ts";
import { s3BlobStore } from "../../functions/_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../../functions/_aws/s3-template-store.ts";
import { sqsSender } from "../../functions/_aws/sqs-sender.ts";
import { type DeadLetter, peekDeadLetters, type Redriven, redriveDeadLetters } from "./dead-letters.ts";
import { findGist } from "./gist-texts.ts";
import { type OpenReviews, openReviews } from "./open-reviews.ts";
import { type Outputs, placesOf, readOutputs } from "./outputs.ts";
import { failure } from "./problem.ts";
import { deleteHint, type QueueDepths, queueDepths, type ReceivedHint, receiveHint } from "./queues.ts";
import { type SampleState, sampleStates } from "./sample-states.ts";
import { readSession, type Session, sessionPath } from "./session.ts";
import { type ApiReply, signedFetch } from "./signed-fetch.ts";
import { problemWords } from "./words/problem-words.ts";

export interface ConnectionOptions {
  /** What `cdk deploy --outputs-file` wrote; by default what TOUCHSTONE_OUTPUTS names. */
  readonly outputsFile?: string;
  /** The running embedded stack, whatever TOUCHSTONE_OUTPUTS says. */
  readonly embedded?: boolean;
  /** By default `.touchstone/session.json` of the project. */
  readonly sessionFile?: string;
}

export interface Connection {
  readonly uploadsBucket: string;
  readonly resultsBucket: string;
  readonly blobs: BlobStore;
  readonly ledger: Ledger;
  readonly samples: SampleStore;
  /** To read only: people answer through the review API. */
  readonly reviews: Pick<ReviewStore, "get" | "claimable" | "undecided">;
  readonly templates: TemplateStore;
  readonly breakers: Pick<BreakerStore, "read">;
  readonly budgets: Pick<BudgetStore, "read" | "setLimit">;
  readonly trust: TrustStore;
  readonly timing: Timing;
  /** In the order of the keys, as of `now` (epoch milliseconds). */
  sampleStates(keys: readonly SampleKey[], now: number): Promise<readonly SampleState[]>;
  queueDepths(): Promise<QueueDepths>;
  openReviews(): Promise<OpenReviews>;
  /** Null where the cache has no such gist any more. */
  gist(wanted: Pick<Gist, "hash" | "strategy">): Promise<Gist | null>;
  /** `path` begins with `/` and is percent-encoded already; the answer's status may be any. */
  reviewApi(method: "GET" | "POST", path: string, body?: unknown): Promise<ApiReply>;
  /** One message of the review queue, hidden from others for a while; null if there is none. */
  receiveHint(): Promise<ReceivedHint | null>;
  deleteHint(receipt: string): Promise<void>;
  sendReplay(request: ReplayRequest): Promise<void>;
  peekDeadLetters(queue: QueueName, most: number): Promise<readonly DeadLetter[]>;
  /** Tells after every step how many are back. */
  redrive(queue: QueueName, most: number, onMoved: (moved: number) => void): Promise<Redriven>;
  close(): void;
}

/** Throws a problem that says what to do where nothing runs, or where the outputs are not those of this project. */
export const openConnection = async (options: ConnectionOptions = {}): Promise<Connection> => {
  const outputsFile =
    options.outputsFile ?? (options.embedded === true ? undefined : process.env.TOUCHSTONE_OUTPUTS);
  if (outputsFile) return connect(await readOutputs(outputsFile));
  const session = await readSession(options.sessionFile ?? sessionPath());
  useSession(session);
  return connect(session.outputs);
};

/**
 * The adapters' clients read region, endpoints and credentials from the environment alone, which is what makes the
 * embedded stack and AWS the same to them. So this process is told where the embedded one is, once. A profile or a
 * session token of the caller would outrank the credentials, and belongs to another cloud.
 */
const useSession = ({ region, endpoints, credentials }: Session): void => {
  for (const name of ["AWS_PROFILE", "AWS_SESSION_TOKEN"]) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: endpoints.sagemaker,
  });
};

const connect = async (outputs: Outputs): Promise<Connection> => {
  const { uploadsBucket, resultsBucket, tables, queues, reviewApiUrl, timeScale } = placesOf(outputs);
  const s3 = s3Client();
  const sqs = sqsClient();
  const dynamo = dynamoClient();
  const { credentials } = s3.config;
  const region = await s3.config.region().catch((error: unknown) => {
    throw failure(problemWords.noRegion(), undefined, error);
  });
  const blobs = s3BlobStore(s3);
  return {
    uploadsBucket,
    resultsBucket,
    blobs,
    ledger: dynamoLedger({ client: dynamo, name: tables.ledger }),
    samples: dynamoSampleStore({ client: dynamo, name: tables.samples }),
    reviews: dynamoReviewStore({ client: dynamo, name: tables.reviews }),
    templates: s3TemplateStore(blobs, uploadsBucket, Date.now),
    breakers: dynamoBreakerStore({ client: dynamo, name: tables.tasks }),
    budgets: dynamoBudgetStore({ client: dynamo, name: tables.tasks }),
    trust: dynamoTrustStore({ client: dynamo, name: tables.tasks }),
    timing: timing(timeScale),
    sampleStates: (keys, now) => sampleStates({ client: dynamo, name: tables.samples }, keys, now),
    queueDepths: () => queueDepths(sqs, queues),
    openReviews: () => openReviews(dynamo, tables.reviews),
    gist: (wanted) => findGist(dynamo, tables.gists, wanted),
    reviewApi: (method, path, body) =>
      signedFetch({ url: reviewApiUrl, region, credentials }, method, path, body),
    receiveHint: () => receiveHint(sqs, queues.review.url),
    deleteHint: (receipt) => deleteHint(sqs, queues.review.url, receipt),
    peekDeadLetters: (queue, most) => peekDeadLetters(sqs, queue, queues[queue], most),
    redrive: (queue, most, onMoved) => redriveDeadLetters(sqs, queues[queue], most, onMoved),
    sendReplay: (request) => sqsSender<ReplayRequest>(sqs, queues.uploads.url).send([request]),
    close() {
      for (const client of [s3, sqs, dynamo]) client.destroy();
    },
  };
};
