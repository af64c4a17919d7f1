/** The whole pipeline over the memory ports: queues as arrays, time as a number, processes that may die. */
import { errorKind } from "@touchstone/core/errors";
import { type QueueName, queueSchemas } from "@touchstone/core/pipeline";
import type { ChatModel, MessageSender, StrategyModel } from "@touchstone/core/ports";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { LearnMessage } from "@touchstone/core/schema/learn";
import type { DescribeRequest, ScoreRequest, SettleMessage } from "@touchstone/core/schema/messages";
import type { EndpointName } from "@touchstone/core/schema/pressure";
import type { ReviewHint } from "@touchstone/core/schema/review";
import type { UploadsMessage } from "@touchstone/core/schema/s3-notification";
import { breakerWitnesses, timing, visibilityFactor } from "@touchstone/core/timing";
import { outcomeSender } from "../../functions/_batch/outcome-sender.ts";
import { unpackGists } from "../../functions/_batch/payload.ts";
import { callPurse } from "../../functions/_pressure/call-budget.ts";
import { endpointGate } from "../../functions/_pressure/endpoint-gate.ts";
import { describeSample } from "../../functions/describe/describe.ts";
import { takeInAnnounced } from "../../functions/intake/take-in-announced.ts";
import { learn } from "../../functions/learn/learn.ts";
import type { ReviewPorts } from "../../functions/review/review.ts";
import { scoreSample } from "../../functions/score/score.ts";
import { settleMessages } from "../../functions/settle/settle-messages.ts";
import { sweep } from "../../functions/sweep/sweep.ts";
import { markedNormaliser } from "../memory/marked-normaliser.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";
import { memoryBreakerStore } from "../memory/memory-breaker-store.ts";
import { memoryBudgetStore } from "../memory/memory-budget-store.ts";
import { memoryGistStore } from "../memory/memory-gist-store.ts";
import { memoryLedger } from "../memory/memory-ledger.ts";
import { memoryReviewStore } from "../memory/memory-review-store.ts";
import { memorySampleStore } from "../memory/memory-sample-store.ts";
import { memoryTemplateStore } from "../memory/memory-template-store.ts";
import { memoryTrustStore } from "../memory/memory-trust-store.ts";
import { type Mortal, mortal } from "./mortal.ts";

export const uploadsBucket = "uploads";
export const resultsBucket = "results";
const table = timing();

interface Models {
  readonly judge: ChatModel;
  readonly captioner: ChatModel;
  readonly strategy: StrategyModel;
}

export type World = ReturnType<typeof createWorld>;

export const createWorld = ({ judge, captioner, strategy }: Models) => {
  const state = { now: Date.parse("2026-11-29T14:00:00Z"), tokens: 0, events: new Map<string, number>() };
  const queues: { [Name in QueueName]: unknown[] } = {
    uploads: [],
    describe: [],
    score: [],
    settle: [],
    review: [],
    learn: [],
  };
  const stores = {
    blobs: memoryBlobStore(() => state.now),
    ledger: memoryLedger(),
    samples: memorySampleStore(),
    reviews: memoryReviewStore(),
    gists: memoryGistStore(),
    templates: memoryTemplateStore(),
    breakers: memoryBreakerStore(),
    budgets: memoryBudgetStore(),
    trust: memoryTrustStore(),
  };
  const complaints: unknown[] = [];
  /** Certificates that were voided, and why. */
  const voids: string[] = [];
  /** Of every send, in order; the queues here do not wait for them. */
  const delays: number[] = [];

  const sender = <Message>(life: Mortal, queue: QueueName): MessageSender<Message> =>
    life.bind({
      // A round trip through JSON, as on the wire.
      send: async (messages: readonly Message[], delaySeconds = 0) => {
        queues[queue].push(...JSON.parse(JSON.stringify(messages)));
        if (messages.length > 0) delays.push(delaySeconds);
      },
    });
  const gateOf = (life: Mortal, endpoint: EndpointName) =>
    endpointGate(
      {
        endpoint,
        policy: { ...table.breaker, witnesses: breakerWitnesses },
        most: 25,
        complain: (error) => void complaints.push(error),
      },
      { store: life.bind(stores.breakers), clock: () => state.now, token: () => crypto.randomUUID() },
    );
  const common = (life: Mortal) => ({
    blobs: life.bind(stores.blobs),
    ledger: life.bind(stores.ledger),
    samples: life.bind(stores.samples),
    reviews: life.bind(stores.reviews),
    gists: life.bind(stores.gists),
    templates: life.bind(stores.templates),
    uploads: sender<UploadsMessage>(life, "uploads"),
    describe: sender<DescribeRequest>(life, "describe"),
    score: sender<ScoreRequest>(life, "score"),
    settle: outcomeSender(sender<SettleMessage>(life, "settle")),
    hints: sender<ReviewHint>(life, "review"),
    learn: sender<LearnMessage>(life, "learn"),
    judge: life.bind(judge),
    captioner: life.bind(captioner),
    strategy: life.bind(strategy),
    gate: gateOf(life, "judge"),
    gates: { strategy: gateOf(life, "strategy"), captioner: gateOf(life, "captioner") },
    purse: callPurse(
      life.bind(stores.budgets),
      async () => undefined,
      (error) => void complaints.push(error),
    ),
    breakers: life.bind(stores.breakers),
    budgets: life.bind(stores.budgets),
    normaliser: markedNormaliser(),
    fetchMedia: async () => new Uint8Array([0x89]),
    mediaBuckets: new Set<string>(["photos"]),
    judgeProbe: async () => null,
    uploadsDepth: async () => queues.uploads.length,
    samplesDepth: async () => queues.describe.length + queues.score.length + queues.settle.length,
    trust: (family: string) => life.bind(stores.trust).family(family),
    clock: () => state.now,
    token: () => {
      state.tokens += 1;
      return `token-${state.tokens}`;
    },
    random: () => 0.5,
    timing: table,
    judgeTimeoutMs: table.modelTimeout.judge * 1000,
    uploadsBucket,
    resultsBucket,
    tell: () => undefined,
    complain: (_: unknown, second: unknown, third?: unknown) => void complaints.push(third ?? second),
    countVoid: (_: string, id: string, reason: string) => void voids.push(`${id} ${reason}`),
    count: (event: string) =>
      void (!life.isDead() && state.events.set(event, (state.events.get(event) ?? 0) + 1)),
  });

  /** One invocation with the messages of a queue; true if all of them were acknowledged. */
  const invoke = async (queue: Exclude<QueueName, "review">, messages: readonly unknown[], life: Mortal) => {
    const ports = common(life);
    try {
      switch (queue) {
        case "uploads":
          for (const message of messages) await takeInAnnounced(queueSchemas.uploads.parse(message), ports);
          break;
        case "describe":
          for (const message of messages)
            await describeSample(queueSchemas.describe.parse(message), state.now + 120_000, ports);
          break;
        case "score":
          for (const message of messages)
            await scoreSample(queueSchemas.score.parse(message), state.now + 118_000, ports);
          break;
        case "settle": {
          const received = messages.map((message, index) => ({
            id: `${index}`,
            message: queueSchemas.settle.parse(message),
          }));
          if ((await settleMessages(received, ports)).length > 0) return false;
          break;
        }
        case "learn":
          for (const message of messages)
            await learn(queueSchemas.learn.parse(message), { ...ports, trust: life.bind(stores.trust) });
          break;
        default:
          queue satisfies never;
      }
    } catch (error) {
      complaints.push(error);
      return life.isDead() ? false : errorKind(error) === "permanent";
    }
    return !life.isDead();
  };

  const receive = async (
    queue: Exclude<QueueName, "review">,
    count = 1,
    life = mortal(0, "fails"),
  ): Promise<boolean> => {
    const messages = queues[queue].splice(0, count);
    if (messages.length === 0) return true;
    if (await invoke(queue, messages, life)) return true;
    queues[queue].push(...messages);
    state.now += visibilityFactor * table.functionTimeout.score * 1000;
    return false;
  };

  return {
    state,
    queues,
    stores,
    complaints,
    voids,
    delays,
    receive,
    /** The ports of a process that lives for ever; a test replaces some of them. */
    ports: () => common(mortal(0, "fails")),
    nextDescribe: (): DescribeRequest => queueSchemas.describe.parse(queues.describe.shift()),
    nextScore: (): ScoreRequest => queueSchemas.score.parse(queues.score.shift()),
    /** Runs every queue until all are empty. */
    async drain(settleAtOnce = 5): Promise<void> {
      for (let turn = 0; turn < 5_000; turn += 1) {
        if (queues.uploads.length > 0) await receive("uploads");
        else if (queues.describe.length > 0) await receive("describe");
        else if (queues.score.length > 0) await receive("score");
        else if (queues.settle.length > 0) await receive("settle", settleAtOnce);
        else if (queues.learn.length > 0) await receive("learn");
        else return;
        state.now += 1_000;
      }
      throw new Error("the queues never ran empty");
    },
    sweep: (life = mortal(0, "fails")) => sweep(common(life)),
    reviewPorts: (life = mortal(0, "fails")): ReviewPorts => ({
      ...common(life),
      unpack: async (payload) => ("sample" in payload ? payload.sample : { id: "pointed-at", output: "" }),
      unpackGists: (payload) => unpackGists(payload, stores.blobs),
      leaseSeconds: table.lease.review,
    }),
    batch: (id: BatchId) => stores.ledger.batch(id, 1),
  };
};
