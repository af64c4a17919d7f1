/** SQS: fauxqs on 127.0.0.1 with every call tapped, and direct access to the queues for the pollers. Started by the stack. */
import type { FastifyInstance } from "fastify";
import { buildApp } from "fauxqs";
import * as z from "zod";
import type { ServiceCall } from "../tap.ts";
import { callerOf, type JoinedTap, refusalMessage } from "../taps.ts";
import { openFauxqs, type SqsQueue } from "./fauxqs-internals.ts";

export interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

export interface SqsService {
  readonly url: string;
  /** Creates the queue, or gives an existing one (kept from an earlier run) these attributes. */
  ensureQueue(name: string, attributes: Readonly<Record<string, string>>): { url: string; arn: string };
  queueByArn(arn: string): SqsQueue | undefined;
  /** Puts a message on a queue on behalf of another service; rejects when there is no such queue. */
  deliver(queueArn: string, body: string): Promise<void>;
  counts(): Record<string, QueueCounts>;
  /** Makes messages in flight visible now, as if their visibility time-out had passed: all that were received by `upTo`. */
  lapse(name: string, upTo?: number): void;
  /** Delivers messages that are in flight once more, as SQS may; `isChosen` is asked once for each receipt. */
  repeat(name: string, isChosen: (body: string, receives: number) => boolean): void;
  close(): Promise<void>;
}

const account = "000000000000";
const bodySchema = z.looseObject({ QueueUrl: z.string().optional(), QueueName: z.string().optional() });

export async function startSqs(options: {
  readonly directory?: string | undefined;
  readonly port?: number | undefined;
  readonly region: string;
  readonly tap: JoinedTap;
  readonly log: (line: string) => void;
  /** Milliseconds after which messages come back that an earlier run held, where their visibility says later. */
  readonly heldReturnMs?: number | undefined;
}): Promise<SqsService> {
  const { stores, createMessage, persistence } = await openFauxqs(options.directory);
  const store = stores.sqsStore;
  if (options.heldReturnMs !== undefined) returnHeld([...store.allQueues()], options.heldReturnMs);
  store.region = options.region;
  // With no host of its own, fauxqs builds queue URLs from the request: an address, which every resolver knows.
  store.host = "";
  const app: FastifyInstance = buildApp({ logger: false, defaultRegion: options.region, stores });
  const calls = new WeakMap<object, ServiceCall>();

  app.addHook("onRequest", async (request, reply) => {
    if (request.method === "POST" && request.headers["x-amz-target"] !== undefined) return;
    options.log(
      `refused ${request.method} ${request.url}: only the JSON protocol of SQS is served on this port`,
    );
    return reply
      .status(501)
      .send({ __type: "NotImplemented", message: "This port serves the SQS JSON protocol only." });
  });
  app.addHook("preHandler", async (request, reply) => {
    const body = bodySchema.safeParse(request.body).data;
    const call: ServiceCall = {
      service: "sqs",
      operation: String(request.headers["x-amz-target"]).replace("AmazonSQS.", ""),
      resource: body?.QueueUrl?.split("/").at(-1) ?? body?.QueueName ?? "",
      caller: callerOf(request.headers.authorization),
      requestBytes: Number(request.headers["content-length"] ?? 0),
    };
    try {
      await options.tap.before(call);
    } catch (refusal) {
      return reply
        .status(403)
        .header("x-amzn-query-error", "AccessDenied;Sender")
        .send({ __type: "com.amazonaws.sqs#AccessDenied", message: refusalMessage(refusal) });
    }
    calls.set(request.raw, call);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const call = calls.get(request.raw);
    if (call === undefined) return payload;
    const text = String(payload);
    if (reply.statusCode === 400 && text.includes("Unknown action"))
      options.log(`SQS operation ${call.operation}, called by ${call.caller}, is not simulated`);
    await options.tap.after(call, { status: reply.statusCode, responseBytes: Buffer.byteLength(text) });
    return payload;
  });

  const url = await app.listen({ port: options.port ?? 0, host: "127.0.0.1" });
  const queueUrl = (name: string) => `${url}/${account}/${name}`;
  const named = (name: string): SqsQueue => {
    const queue = store.getQueueByName(name);
    if (queue === undefined) throw new Error(`there is no queue ${name}`);
    return queue;
  };
  const asked = new Set<string>();
  // A queue loaded from disk remembers the port of the run that created it.
  for (const queue of store.allQueues()) Object.assign(queue, { url: queueUrl(queue.name) });

  return {
    url,
    ensureQueue(name, attributes) {
      const arn = `arn:aws:sqs:${options.region}:${account}:${name}`;
      const existing = store.getQueueByArn(arn);
      if (existing === undefined) store.createQueue(name, queueUrl(name), arn, { ...attributes });
      else existing.setAttributes({ RedrivePolicy: "", ...attributes });
      return { url: queueUrl(name), arn };
    },
    queueByArn: (arn) => store.getQueueByArn(arn),
    async deliver(queueArn, body) {
      const queue = store.getQueueByArn(queueArn);
      if (queue === undefined) throw new Error(`there is no queue ${queueArn} to deliver to`);
      queue.enqueue(createMessage(body, {}, Number(queue.attributes.DelaySeconds)));
    },
    counts() {
      store.processAllTimers();
      const entries = Array.from(store.allQueues(), (queue): [string, QueueCounts] => [
        queue.name,
        {
          visible: queue.messages.length,
          inFlight: queue.inflightMessages.size,
          delayed: queue.delayedMessages.length,
        },
      ]);
      return Object.fromEntries(entries);
    },
    lapse(name, upTo = Date.now()) {
      const queue = named(name);
      const visibilityMs = Number(queue.attributes.VisibilityTimeout) * 1000;
      for (const { receiptHandle, visibilityDeadline } of [...queue.inflightMessages.values()])
        if (visibilityDeadline - visibilityMs <= upTo) queue.changeVisibility(receiptHandle, 0);
    },
    repeat(name, isChosen) {
      const queue = named(name);
      for (const { receiptHandle, message } of [...queue.inflightMessages.values()]) {
        if (asked.has(receiptHandle)) continue;
        asked.add(receiptHandle);
        if (isChosen(message.body, message.approximateReceiveCount)) queue.messages.push(message);
      }
      queue.processTimers();
    },
    async close() {
      await app.close();
      persistence?.close();
    },
  };
}

/** The holders ended with the run that started them; what they held need not stay hidden for as long as a live one's. */
function returnHeld(queues: readonly SqsQueue[], withinMs: number): void {
  const latest = Date.now() + withinMs;
  for (const queue of queues)
    for (const { receiptHandle, visibilityDeadline } of [...queue.inflightMessages.values()])
      if (visibilityDeadline > latest) queue.changeVisibility(receiptHandle, withinMs / 1000);
}
