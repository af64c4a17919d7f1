/** A deployment for the CLI's tests: real services on loopback, the review routes behind a signature check, and two hops. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { DeleteMessageCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { announcements } from "@touchstone/core/domain/intake/arrival";
import { outcomeOf } from "@touchstone/core/domain/intake/entry-message";
import { encodeS3Key } from "@touchstone/core/domain/intake/upload-key";
import type { Gist } from "@touchstone/core/schema/gist";
import type { LearnMessage } from "@touchstone/core/schema/learn";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { DescribeRequest, ScoreRequest, SettleEntry } from "@touchstone/core/schema/messages";
import type { Result } from "@touchstone/core/schema/result";
import type { ReviewRequest } from "@touchstone/core/schema/review";
import { uploadsMessageSchema } from "@touchstone/core/schema/s3-notification";
import { dynamoGistStore } from "../../functions/_aws/dynamo-gist-store.ts";
import { dynamoLedger } from "../../functions/_aws/dynamo-ledger.ts";
import { dynamoReviewStore } from "../../functions/_aws/dynamo-review-store.ts";
import { dynamoSampleStore } from "../../functions/_aws/dynamo-sample-store.ts";
import { s3BlobStore } from "../../functions/_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../../functions/_aws/s3-template-store.ts";
import { sqsSender } from "../../functions/_aws/sqs-sender.ts";
import { unpackGists, unpackSample } from "../../functions/_batch/payload.ts";
import { takeIn } from "../../functions/intake/intake.ts";
import { type AnnouncedPorts, takeInAnnounced } from "../../functions/intake/take-in-announced.ts";
import { reviewRoutes } from "../../functions/review/routes.ts";
import { settleCheck, settleSplit } from "../../functions/settle/settle.ts";
import { openConnection } from "../../infra/cli/connection.ts";
import { runCli } from "../../infra/cli/run-cli.ts";
import { type Session, sessionPath, writeSession } from "../../infra/cli/session.ts";
import { verifySignature } from "../../infra/local/http-api/signature.ts";
import { readBody } from "../../infra/local/http-server.ts";
import { startDynamo } from "../contract/local-dynamo.ts";
import { startLocalS3 } from "../contract/local-s3.ts";
import { startSqs } from "../contract/local-sqs.ts";
import { listen } from "../contract/loopback.ts";
import { fresh, taskId } from "../contract/records.ts";
import { memorySender } from "../memory/memory-sender.ts";

export type World = Awaited<ReturnType<typeof startWorld>>;

export const startWorld = async () => {
  const [s3, sqs, dynamo] = [await startLocalS3(), await startSqs(), await startDynamo()];
  const root = await mkdtemp(path.join(tmpdir(), "touchstone-cli-"));
  const uploadsBucket = "contract";
  const resultsBucket = "plain";
  const blobs = s3BlobStore(s3.client);
  const ledger = dynamoLedger(dynamo.ledger);
  const samples = dynamoSampleStore(dynamo.samples);
  const reviews = dynamoReviewStore(dynamo.reviews);
  const templates = s3TemplateStore(blobs, uploadsBucket, Date.now);
  const queues = Object.fromEntries(
    ["Uploads", "Describe", "Score", "Settle", "Review", "Learn"].flatMap((name) => [
      [`${name}QueueUrl`, sqs.createQueue().url],
      [`${name}DlqUrl`, sqs.createQueue().url],
    ]),
  );
  const hints = sqsSender(sqs.client, queues.ReviewQueueUrl ?? "");
  const unsettled: SettleEntry[] = [];
  const senders = {
    describe: memorySender<DescribeRequest>(),
    score: memorySender<ScoreRequest>(),
    settle: { send: async (messages: readonly SettleEntry[]) => void unsettled.push(...messages) },
  };
  const intakePorts = { blobs, ledger, templates, resultsBucket, ...senders, clock: Date.now };
  const settlePorts = {
    ...{ ledger, samples, reviews, hints, blobs, resultsBucket },
    learn: memorySender<LearnMessage>(),
    clock: Date.now,
    count: () => undefined,
  };
  const settle = async (message: SettleEntry): Promise<void> =>
    message.kind === "check" ? settleCheck(message, settlePorts) : settleSplit([message], settlePorts);

  const routes = reviewRoutes(
    {
      ...{ reviews, templates },
      settle: { send: async (messages) => void (await Promise.all(messages.map(settle))) },
      unpack: (payload) => unpackSample(payload, blobs),
      unpackGists: (payload) => unpackGists(payload, blobs),
      clock: Date.now,
      token: () => fresh("token"),
      complain: (_, error) => console.error(error),
      leaseSeconds: 1800,
    },
    (error) => console.error(error),
  );
  const api = await listen(
    createServer(async (request, response) => {
      const body = await readBody(request);
      const [target = "", query = ""] = (request.url ?? "").split("?");
      const { method = "", headers } = request;
      const signed = { method, path: target, query, headers, body };
      const caller = await verifySignature(signed, "test", "eu-central-1", Date.now());
      // As API Gateway does it: the path that a function sees is decoded, but for what would change its meaning.
      const url = `http://function${decodeURI(target)}${query === "" ? "" : `?${query}`}`;
      const answer =
        caller === undefined
          ? Response.json({ message: "Forbidden" }, { status: 403 })
          : await routes.request(url, { method, ...(body.length > 0 ? { body: body.toString() } : {}) });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    }),
  );
  const session: Session = {
    schema: 1,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    region: "eu-central-1",
    endpoints: {
      s3: process.env.AWS_ENDPOINT_URL_S3 ?? "",
      sqs: process.env.AWS_ENDPOINT_URL_SQS ?? "",
      dynamodb: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? "",
      sagemaker: "http://127.0.0.1:1",
    },
    credentials: { accessKeyId: "operator", secretAccessKey: "test" },
    outputs: {
      storage: {
        ...queues,
        ...{ UploadsBucket: uploadsBucket, ResultsBucket: resultsBucket },
        ...{
          LedgerTable: "ledger",
          SamplesTable: "samples",
          ReviewsTable: "reviews",
          TasksTable: "tasks",
          GistsTable: "gists",
        },
      },
      pipeline: { ReviewApiUrl: `${api.url}/` },
    },
  };
  await writeSession(sessionPath(root), session);

  return {
    ...{ root, session, queues, sqs, dynamo, blobs, ledger, samples, reviews, settle, hints },
    connect: () => openConnection({ sessionFile: sessionPath(root), embedded: true }),

    async stored(key: string): Promise<string> {
      const { bytes } = await blobs.read({ bucket: uploadsBucket, key }, 1_000_000);
      return new TextDecoder().decode(bytes);
    },
    keys: async (prefix: string): Promise<string[]> =>
      (await Array.fromAsync(blobs.list(uploadsBucket, prefix))).map(({ key }) => key),
    queue: (name: string, message: object) =>
      sqsSender(sqs.client, queues[`${name}QueueUrl`] ?? "").send([message]),
    pin: async (task: string) => (await templates.current(taskId(task)))?.pin ?? null,
    putGist: (gist: Gist) =>
      dynamoGistStore(dynamo.gists, Date.now).put(`${gist.hash}:n1:zh:captioner`, gist),
    /** Makes the session name the queues as `queues` has them now. */
    useQueues: () =>
      writeSession(sessionPath(root), {
        ...session,
        outputs: { ...session.outputs, storage: { ...session.outputs.storage, ...queues } },
      }),
    /** Makes the session say that DynamoDB is elsewhere. */
    moveEndpoint: (dynamodb: string) =>
      writeSession(sessionPath(root), { ...session, endpoints: { ...session.endpoints, dynamodb } }),

    /** Writes the files of a folder to submit, and returns its path. */
    async folder(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
      const dir = path.join(root, fresh("in"), name);
      for (const [file, content] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(dir, file)), { recursive: true });
        await writeFile(path.join(dir, file), content);
      }
      return dir;
    },

    /** What S3's event would start: INTAKE reads the object, and SETTLE gets what INTAKE sends it. */
    async takeIn(key: string): Promise<BatchRecord> {
      const head = await blobs.head({ bucket: uploadsBucket, key });
      const object = {
        key: encodeS3Key(key),
        size: head?.bytes,
        versionId: head?.versionId,
        sequencer: "01",
      };
      const [arrived] = announcements(
        {
          Records: [
            {
              eventSource: "aws:s3",
              eventName: "ObjectCreated:Put",
              eventTime: new Date().toISOString(),
              s3: { bucket: { name: uploadsBucket }, object },
            },
          ],
        },
        Date.now(),
      );
      if (arrived?.kind !== "batch") throw new Error(`${key} is not announced as a batch`);
      const record = await takeIn(arrived.batch, intakePorts);
      for (const message of unsettled.splice(0)) await settle(message);
      return record;
    },

    /** INTAKE takes what lies on the uploads queue; resolves to what it took in. */
    async receiveUploads(): Promise<readonly BatchRecord[]> {
      const QueueUrl = queues.UploadsQueueUrl;
      const { Messages = [] } = await sqs.client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      const taken: BatchRecord[] = [];
      const tell: AnnouncedPorts["tell"] = (one) => void (one.kind === "taken-in" && taken.push(one.batch));
      for (const { Body = "", ReceiptHandle } of Messages) {
        await takeInAnnounced(uploadsMessageSchema.parse(JSON.parse(Body)), { ...intakePorts, tell });
        await sqs.client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      for (const message of unsettled.splice(0)) await settle(message);
      return taken;
    },

    /** What SCORE would send for the sample at `ordinal`. */
    async decide(record: BatchRecord, ordinal: number, result: Result, review: ReviewRequest | null = null) {
      const key = { batch: record.batch, run: record.run, split: 0, ordinal };
      await settle(outcomeOf(key, result, review));
    },

    /** Runs one command line against this deployment. */
    async cli(...args: readonly string[]) {
      const out: string[] = [];
      const err: string[] = [];
      const code = await runCli(args, {
        root,
        env: { USER: "amy", LANG: "en_GB.UTF-8" },
        now: Date.now,
        stdout: (line) => void out.push(line),
        stderr: (line) => void err.push(line),
        isColored: false,
        connect: (options) => openConnection({ ...options, sessionFile: sessionPath(root) }),
      });
      const last: unknown = args.includes("--json") ? JSON.parse(out.at(-1) ?? "null") : null;
      return { code, out: out.join("\n"), err: err.join("\n"), lines: out.length, json: last };
    },

    async close(): Promise<void> {
      for (const service of [s3, sqs, dynamo, api]) await service.close();
      await rm(root, { recursive: true, force: true });
    },
  };
};
