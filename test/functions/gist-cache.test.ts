/** One picture, many workers at the same moment: one captioner call, whatever cache, and whoever dies over it. */
import { setImmediate as turn } from "node:timers/promises";
import { transient } from "@touchstone/core/errors";
import { queueSchemas } from "@touchstone/core/pipeline";
import type { ChatModel, GistStore } from "@touchstone/core/ports";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import { timing } from "@touchstone/core/timing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamoGistStore } from "../../functions/_aws/dynamo-gist-store.ts";
import { type DescribePorts, describeSample } from "../../functions/describe/describe.ts";
import { type LocalDynamo, startDynamo } from "../contract/local-dynamo.ts";
import { fresh } from "../contract/records.ts";
import { markedNormaliser } from "../memory/marked-normaliser.ts";
import { memoryGistStore } from "../memory/memory-gist-store.ts";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld } from "./world.ts";

const noDeadline = Number.POSITIVE_INFINITY;

interface Spent {
  captions: number;
  strategies: number;
  decoded: number;
}

/** As many samples as asked for, each showing the same picture; every model and the decoder take a while. */
const start = async (samples: number, gists: GistStore, template: object = {}) => {
  const spent: Spent = { captions: 0, strategies: 0, decoded: 0 };
  const plain = plainCaptioner();
  const captioner: ChatModel = {
    model: fresh("captioner"),
    async complete(request, signal) {
      spent.captions += 1;
      await manyTurns();
      return plain.complete(request, signal);
    },
  };
  const strategy = mixedStrategy();
  const world = createWorld({ judge: readingJudge(), captioner, strategy });
  world.stores.templates.put(talkTemplate(template));
  const picture = { bucket: "uploads", key: "inbox/talk/b/a.png" };
  await world.stores.blobs.write(picture, new Uint8Array([0x89, 1]), "image/png");
  const lines = Array.from({ length: samples }, (_, index) =>
    JSON.stringify({ id: `s-${index}`, output: [{ type: "image", ref: "a.png" }] }),
  );
  await upload(world, "inbox/talk/b/s.jsonl", jsonl(lines));
  await world.receive("uploads");
  const decoder = markedNormaliser();
  const ports = (part: Partial<DescribePorts> = {}): DescribePorts => ({
    ...world.ports(),
    gists,
    strategy: {
      version: strategy.version,
      async choose(bytes, signal) {
        spent.strategies += 1;
        await manyTurns();
        return strategy.choose(bytes, signal);
      },
    },
    normaliser: {
      async normalise(bytes) {
        spent.decoded += 1;
        await manyTurns();
        return decoder.normalise(bytes);
      },
    },
    ...part,
  });
  /** All that wait, at once, each as a worker of its own; then the time that the waiting ones asked for is over. */
  const round = async (part: Partial<DescribePorts> = {}): Promise<void> => {
    const requests = world.queues.describe.splice(0).map((message) => queueSchemas.describe.parse(message));
    await Promise.all(requests.map((request) => describeSample(request, noDeadline, ports(part))));
    world.state.now += 900_000;
  };
  const scored = (): readonly ScoreRequest[] =>
    world.queues.score.map((message) => queueSchemas.score.parse(message));
  return { world, spent, ports, round, scored };
};

const manyTurns = async (): Promise<void> => {
  for (let count = 0; count < 20; count += 1) await turn();
};

let dynamo: LocalDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.close());

const stores: readonly (readonly [string, () => GistStore])[] = [
  ["memory", memoryGistStore],
  ["DynamoDB", () => dynamoGistStore(dynamo.gists, Date.now)],
];

describe.each(stores)("a picture that many samples show: %s", (_, store) => {
  test("50 workers at the same moment pay once; the others come back later and spend no attempt", async () => {
    const { world, spent, round, scored } = await start(50, store());
    await round();
    expect(spent).toEqual({ captions: 1, strategies: 1, decoded: 1 });
    const waiting = world.queues.describe.map((message) => queueSchemas.describe.parse(message));
    expect(scored().length + waiting.length).toBe(50);
    expect(waiting.every(({ attempts }) => attempts === 0)).toBe(true);
    expect(world.delays.filter((delay) => delay > 0)).toHaveLength(waiting.length);
    await round();
    expect(spent).toEqual({ captions: 1, strategies: 1, decoded: 1 });
    expect(scored()).toHaveLength(50);
    expect(new Set(scored().map(({ gists }) => gists[0]?.gist.text)).size).toBe(1);
    expect(scored().every(({ problems }) => problems.length === 0)).toBe(true);
  });
});

test("a batch that repeats a picture 1,000 times pays and decodes once", async () => {
  const { world, spent, round, scored } = await start(1_000, memoryGistStore());
  while (world.queues.describe.length > 0) await round();
  expect(spent).toEqual({ captions: 1, strategies: 1, decoded: 1 });
  expect(scored()).toHaveLength(1_000);
});

describe("a worker that holds the lease", () => {
  test("dies over it: everyone waits until the lease has lapsed, then one other takes over", async () => {
    const { world, spent, ports, round, scored } = await start(10, memoryGistStore());
    const dead: ChatModel = {
      model: ports().captioner.model,
      complete: () => {
        spent.captions += 1;
        return new Promise(() => {});
      },
    };
    const owner = world.nextDescribe();
    void describeSample(owner, noDeadline, ports({ captioner: dead }));
    await manyTurns();
    await manyTurns();
    await manyTurns();
    expect(spent.captions).toBe(1);
    world.state.now += (timing().lease.gist - 1) * 1000;
    const before = world.state.now;
    await round();
    expect(spent.captions).toBe(1);
    expect(world.queues.describe).toHaveLength(9);
    world.state.now = before + 1000;
    // SQS shows the dead worker's message again, too.
    world.queues.describe.push(structuredClone(owner));
    while (world.queues.describe.length > 0) await round();
    expect(spent.captions).toBe(2);
    expect(scored()).toHaveLength(10);
    expect(scored().every(({ gists }) => gists.length === 1)).toBe(true);
  });

  test("fails: the lease is free at once", async () => {
    const { world, spent, round, scored } = await start(3, memoryGistStore());
    const broken: ChatModel = {
      ...world.ports().captioner,
      complete: async () => {
        throw transient("unavailable", "down");
      },
    };
    await round({ captioner: broken });
    await round();
    while (world.queues.describe.length > 0) await round();
    expect(spent.captions).toBe(1);
    expect(scored()).toHaveLength(3);
  });

  test("finds no picture in the file: the next one need not wait for the lease to lapse", async () => {
    const { world, spent, ports, scored } = await start(2, memoryGistStore());
    const page = new TextEncoder().encode("<html>");
    const picture = { bucket: "uploads", key: "inbox/talk/b/a.png" };
    await world.stores.blobs.write(picture, page, "image/png");
    for (let sample = 0; sample < 2; sample += 1)
      await describeSample(world.nextDescribe(), noDeadline, ports());
    expect(scored().map(({ problems }) => problems[0]?.kind)).toEqual(["unreadable", "unreadable"]);
    expect(spent.captions).toBe(0);
  });
});

describe("what a gist is cached by", () => {
  /** Captions that a second batch pays for the same picture. */
  const paidAgain = async (
    template: object,
    changed: "captioner" | "strategy" | "reader" | null,
  ): Promise<number> => {
    const gists = memoryGistStore();
    const first = await start(1, gists);
    await first.round();
    const second = await start(1, gists, template);
    const { captioner, strategy } = second.ports();
    const { model } = (changed === "captioner" ? second : first).ports().captioner;
    await second.round({
      captioner: { ...captioner, model },
      strategy: changed === "strategy" ? { ...strategy, version: "another" } : strategy,
      ...(changed === "reader" && { textReader: plainCaptioner() }),
    });
    return second.spent.captions;
  };

  test.each([
    ["the same everything", {}, null, 0],
    ["another language", { judge: { language: "en" } }, null, 1],
    ["another captioner", {}, "captioner", 1],
    ["another strategy model", {}, "strategy", 1],
    ["a reader of text beside the captioner", {}, "reader", 1],
  ] as const)("%s", async (_, template, changed, expected) => {
    expect(await paidAgain(template, changed)).toBe(expected);
  });
});
