/** DESCRIBE while a model's endpoint is left alone: nothing is called, nothing is fetched in vain, nothing is used up. */
import { newBreaker } from "@touchstone/core/domain/pressure/breaker";
import { transient } from "@touchstone/core/errors";
import { describeRequestSchema, scoreRequestSchema } from "@touchstone/core/schema/messages";
import type { EndpointName } from "@touchstone/core/schema/pressure";
import { timing } from "@touchstone/core/timing";
import { expect, test } from "vitest";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld, type World } from "./world.ts";

const sample = '{"id":"s","output":[{"type":"image","ref":"a.png"},{"type":"text","text":"看"}]}';

const start = async (captioner = plainCaptioner()) => {
  const world = createWorld({ judge: readingJudge(), captioner, strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate());
  await world.stores.blobs.write(
    { bucket: "uploads", key: "inbox/talk/b/a.png" },
    new Uint8Array([0x89, 1]),
    "image/png",
  );
  await upload(world, "inbox/talk/b/s.jsonl", jsonl([sample]));
  await world.receive("uploads");
  const reads: string[] = [];
  const { read } = world.stores.blobs;
  world.stores.blobs.read = (ref, most) => {
    reads.push(ref.key);
    return read(ref, most);
  };
  return { world, captioner, reads };
};
const openBreaker = async (world: World, endpoint: EndpointName, seconds: number): Promise<void> => {
  const { now } = world.state;
  const before = await world.stores.breakers.read(endpoint);
  await world.stores.breakers.write({
    ...newBreaker(endpoint),
    version: before.version + 1,
    state: "open",
    openedAt: now,
    probeAt: now + seconds * 1000,
    delaySeconds: 10,
  });
};
const waiting = (world: World) =>
  world.queues.describe.map((message) => describeRequestSchema.parse(message));

test.each(["strategy", "captioner"] as const)(
  "%s left alone: the sample waits, without an attempt",
  async (endpoint) => {
    const { world, captioner, reads } = await start();
    await openBreaker(world, endpoint, 60);
    await world.receive("describe");
    expect(waiting(world)).toMatchObject([{ attempts: 0, waits: 1, waitingSince: world.state.now }]);
    expect(world.delays.at(-1)).toBeGreaterThanOrEqual(60);
    // From its second turn on it looks before it fetches.
    reads.length = 0;
    world.state.now += 30_000;
    await world.receive("describe");
    expect(waiting(world)).toMatchObject([{ attempts: 0, waits: 2 }]);
    expect([reads, captioner.calls()]).toEqual([[], 0]);
    world.state.now += 31_000;
    await world.receive("describe");
    const [scored] = world.queues.score.map((message) => scoreRequestSchema.parse(message));
    expect(scored).toMatchObject({ problems: [], gists: [{ ref: "a.png" }] });
    expect(scored).not.toHaveProperty("waits");
    expect(scored).not.toHaveProperty("waitingSince");
    expect(captioner.calls()).toBe(1);
    expect((await world.stores.breakers.read(endpoint)).state).toBe("closed");
  },
);

test("a gist lease is given back, so that nobody waits for a call that was never made", async () => {
  const { world } = await start();
  await openBreaker(world, "captioner", 60);
  await world.receive("describe");
  world.queues.describe.push(...structuredClone(world.queues.describe));
  world.state.now += 61_000;
  await world.receive("describe");
  expect(world.queues.score).toHaveLength(1);
});

test("a picture whose gist is there needs no model", async () => {
  const { world, captioner } = await start();
  world.queues.describe.push(...structuredClone(world.queues.describe));
  await world.receive("describe");
  await openBreaker(world, "captioner", 60);
  await world.receive("describe");
  expect(world.queues.score).toHaveLength(2);
  expect(captioner.calls()).toBe(1);
});

test("models that never come back: after the longest wait the sample goes on, and says which picture nobody saw", async () => {
  const { world } = await start({
    ...plainCaptioner(),
    complete: async () => {
      throw transient("unusable", "401");
    },
  });
  for (let turn = 0; world.queues.describe.length > 0 && turn < 2_000; turn += 1) {
    await world.receive("describe");
    world.state.now += (world.delays.at(-1) ?? 0) * 1000;
  }
  const [scored] = world.queues.score.map((message) => scoreRequestSchema.parse(message));
  expect(scored?.problems).toMatchObject([{ ref: "a.png", kind: "undescribed" }]);
  expect((world.state.now - (scored?.arrivedAt ?? 0)) / 1000).toBeGreaterThan(timing().longestWait);
});
