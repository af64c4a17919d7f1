/** DESCRIBE: pictures that are missing, broken, foreign or many; models that are busy, slow or wrong. */
import { permanent, transient } from "@touchstone/core/errors";
import type { ChatModel } from "@touchstone/core/ports";
import { scoreRequestSchema } from "@touchstone/core/schema/messages";
import { maxAttempts, timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { describeSample } from "../../functions/describe/describe.ts";
import { gist } from "../contract/records.ts";
import { scriptedStrategyModel } from "../memory/scripted-strategy-model.ts";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld, resultsBucket, type World } from "./world.ts";

const png = new Uint8Array([0x89, 7]);
const noDeadline = Number.POSITIVE_INFINITY;

const start = async (
  parts: readonly object[],
  options: { template?: object; captioner?: ReturnType<typeof plainCaptioner> } = {},
) => {
  const captioner = options.captioner ?? plainCaptioner();
  const world = createWorld({ judge: readingJudge(), captioner, strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate(options.template));
  for (const name of ["a.png", "b.png", "c.png"])
    await put(world, `inbox/talk/b/${name}`, new Uint8Array([...png, name.charCodeAt(0)]));
  await world.stores.blobs.write({ bucket: "photos", key: "2026/a.png" }, png, "image/png");
  await put(world, "inbox/talk/b/page.png", new TextEncoder().encode("<html>"));
  await upload(world, "inbox/talk/b/s.jsonl", jsonl([JSON.stringify({ id: "s", output: parts })]));
  await world.receive("uploads");
  return { world, captioner };
};
const put = (world: World, key: string, bytes: Uint8Array) =>
  world.stores.blobs.write({ bucket: "uploads", key }, bytes, "image/png");
const image = (ref: string) => ({ type: "image", ref });
const scored = ({ queues }: World) => queues.score.map((message) => scoreRequestSchema.parse(message));
const problems = (world: World) =>
  scored(world).flatMap((request) => request.problems.map(({ ref, kind }) => `${ref} ${kind}`));
const failing = (error: unknown, upTo = Number.POSITIVE_INFINITY): ReturnType<typeof plainCaptioner> => {
  let calls = 0;
  const good = plainCaptioner();
  return {
    model: "captioner-1",
    calls: () => calls,
    async complete(request, signal) {
      calls += 1;
      if (calls <= upTo) throw error;
      return good.complete(request, signal);
    },
  };
};

describe("what a reference leads to", () => {
  test.each([
    ["beside the file", "a.png", []],
    ["missing", "none.png", ["none.png missing"]],
    ["a page called .png", "page.png", ["page.png unreadable"]],
    ["outside the folder", "../c.png", ["../c.png refused"]],
    ["the bucket it came from", "s3://uploads/inbox/talk/b/a.png", []],
    ["a bucket that is none of its business", "s3://results/staging/x", ["s3://results/staging/x refused"]],
    ["a listed bucket", "s3://photos/2026/a.png", []],
    [
      "what else lies in the bucket it came from",
      "s3://uploads/templates/a.png",
      ["s3://uploads/templates/a.png refused"],
    ],
    ["plain http", "http://example.com/a.png", ["http://example.com/a.png refused"]],
    ["an allowed host", "https://example.com/a.png", []],
  ])("%s", async (_, ref, expected) => {
    const { world } = await start([image(ref)]);
    await world.receive("describe");
    expect(problems(world)).toEqual(expected);
    expect(scored(world)[0]?.gists.map((placed) => placed.ref)).toEqual(expected.length === 0 ? [ref] : []);
  });

  test("one bad picture does not take the others with it", async () => {
    const { world } = await start([
      image("a.png"),
      image("none.png"),
      image("b.png"),
      { type: "video", ref: "v.mp4" },
    ]);
    await world.receive("describe");
    expect(scored(world)[0]?.gists.map(({ ref }) => ref)).toEqual(["a.png", "b.png"]);
    expect(problems(world)).toEqual(["none.png missing", "v.mp4 unsupported"]);
  });

  test("pictures over the template's limit are named, not dropped", async () => {
    const { world } = await start([image("a.png"), image("b.png")], {
      template: { media: { maxImages: 1 } },
    });
    await world.receive("describe");
    expect(problems(world)).toEqual(["b.png too-large"]);
  });

  test("the same picture is staged and paid once, however often it is shown and sent", async () => {
    const { world, captioner } = await start([image("a.png"), image("a.png"), image("./a.png")]);
    world.queues.describe.push(...structuredClone(world.queues.describe));
    await world.receive("describe");
    await world.receive("describe");
    expect(captioner.calls()).toBe(1);
    const staged = await Array.fromAsync(world.stores.blobs.list(resultsBucket, "staging/pictures/"));
    expect(staged).toHaveLength(1);
  });
});

describe("models that do not answer", () => {
  test("throttled: the sample waits without an attempt, longer each time, and never less than asked", async () => {
    const captioner = failing(transient("throttled", "busy", { retryAfterSeconds: 40 }), 3);
    const { world } = await start([image("a.png")], { captioner });
    world.delays.length = 0;
    while (world.queues.describe.length > 0) await world.receive("describe");
    expect(world.delays.slice(0, 3).every((delay) => delay >= 40)).toBe(true);
    expect(scored(world)[0]?.gists).toHaveLength(1);
    expect(scored(world)[0]).not.toHaveProperty("waits");
  });

  test("throttled without a hint: delays double up to the limit", async () => {
    const { world } = await start([image("a.png")], {
      captioner: failing(transient("throttled", "busy"), 12),
    });
    world.delays.length = 0;
    while (world.queues.describe.length > 0) await world.receive("describe");
    expect(world.delays.slice(0, 12)).toEqual([4, 8, 15, 30, 60, 120, 240, 480, 675, 675, 675, 675]);
  });

  test("throttled for ever: in the end a person gets it", async () => {
    const captioner = failing(transient("throttled", "busy"));
    const { world } = await start([image("a.png")], { captioner });
    while (world.queues.describe.length > 0) {
      await world.receive("describe");
      world.state.now += (world.delays.at(-1) ?? 0) * 1000;
    }
    expect(captioner.calls()).toBeLessThan(2_000);
    expect(problems(world)).toEqual(["a.png undescribed"]);
  });

  test.each([
    ["unavailable", transient("unavailable", "down")],
    ["refusing", permanent("refused", "no")],
    ["broken", new TypeError("bug")],
  ])("%s: three attempts, then a person", async (_, error) => {
    const captioner = failing(error);
    const { world } = await start([image("a.png"), image("b.png")], { captioner });
    while (world.queues.describe.length > 0) await world.receive("describe");
    expect(captioner.calls()).toBe(2 * maxAttempts);
    expect(problems(world)).toEqual(["a.png undescribed", "b.png undescribed"]);
  });

  test("what was described before stays described", async () => {
    const { world } = await start([image("a.png"), image("b.png")], {
      captioner: failing(transient("unavailable", "down"), 1),
    });
    while (world.queues.describe.length > 0) await world.receive("describe");
    expect(problems(world)).toEqual([]);
    expect(scored(world)[0]?.gists.map(({ ref }) => ref)).toEqual(["a.png", "b.png"]);
  });

  test("somebody else is at the same picture: wait, then use theirs", async () => {
    const { world, captioner } = await start([image("a.png")]);
    const busy = { ...gist(), text: "theirs" };
    let asked = 0;
    const gists = {
      ...world.stores.gists,
      lease: async () => (asked++ === 0 ? { kind: "busy" as const } : { kind: "ready" as const, gist: busy }),
    };
    Object.assign(world.stores.gists, gists);
    while (world.queues.describe.length > 0) await world.receive("describe");
    expect(scored(world)[0]?.gists[0]?.gist.text).toBe("theirs");
    expect(captioner.calls()).toBe(0);
  });
});

describe("time", () => {
  test("late media is waited for, within the template's limit", async () => {
    const { world } = await start([image("late.png")], { template: { media: { waitSeconds: 3600 } } });
    await world.receive("describe");
    expect(world.queues.score).toEqual([]);
    await put(world, "inbox/talk/b/late.png", png);
    await world.receive("describe");
    expect(problems(world)).toEqual([]);
  });

  test("and not beyond it, with few turns", async () => {
    const { world } = await start([image("late.png")], { template: { media: { waitSeconds: 86_400 } } });
    let turns = 0;
    while (world.queues.describe.length > 0) {
      world.delays.length = 0;
      await world.receive("describe");
      world.state.now += (world.delays[0] ?? 0) * 1000;
      turns += 1;
    }
    expect(problems(world)).toEqual(["late.png missing"]);
    expect(turns).toBeLessThan(150);
  });

  test("no picture is begun that the function's end would cut off; the sample goes on where it left off", async () => {
    const { world, captioner } = await start([image("a.png"), image("b.png"), image("c.png")]);
    const slow: ChatModel = {
      model: captioner.model,
      async complete(request, signal) {
        world.state.now += 50_000;
        return captioner.complete(request, signal);
      },
    };
    let invocations = 0;
    while (world.queues.describe.length > 0) {
      invocations += 1;
      const deadline = world.state.now + timing().functionTimeout.describe * 1000;
      await describeSample(world.nextDescribe(), deadline, { ...world.ports(), captioner: slow });
      expect(world.state.now).toBeLessThan(deadline);
    }
    expect(invocations).toBe(2);
    expect(scored(world)[0]?.gists.map(({ ref }) => ref)).toEqual(["a.png", "b.png", "c.png"]);
    expect(captioner.calls()).toBe(3);
  });

  test("a strategy endpoint that is down is no reason to lose the sample", async () => {
    const { world } = await start([image("a.png")]);
    const ports = { ...world.ports(), strategy: scriptedStrategyModel([{ kind: "unavailable" }]) };
    while (world.queues.describe.length > 0) await describeSample(world.nextDescribe(), noDeadline, ports);
    expect(problems(world)).toEqual(["a.png undescribed"]);
  });
});
