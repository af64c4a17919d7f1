/** SCORE: who pays, what counts as an attempt, and what ends without a judge. */
import { permanent, transient } from "@touchstone/core/errors";
import type { ChatModel } from "@touchstone/core/ports";
import type { BatchId } from "@touchstone/core/schema/identity";
import { maxAttempts, timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld, type World } from "./world.ts";

const start = async (
  judge: ChatModel = readingJudge(),
  sample: object = { id: "s", output: "回答" },
  template: object = {},
) => {
  const world = createWorld({ judge, captioner: plainCaptioner(), strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate(template));
  const batch = await upload(world, "inbox/talk/b/s.jsonl", jsonl([JSON.stringify(sample)]));
  await world.receive("uploads");
  world.queues.settle.length = 0;
  world.delays.length = 0;
  return { world, batch };
};
const stored = async (world: World, batch: BatchId) => {
  const [sample] = await world.stores.samples.read([{ batch, run: 1, split: 0, ordinal: 0 }]);
  return sample;
};
/** Lets time pass as the delays of the messages say; returns the number of turns. */
const scoreAll = async (world: World): Promise<number> => {
  for (let turns = 0; ; turns += 1) {
    if (world.queues.score.length === 0) return turns;
    await world.receive("score");
    world.state.now += (world.delays.at(-1) ?? 0) * 1000;
  }
};
/** Throws for the first `times` calls, then answers. */
const failing = (error: unknown, times = Number.POSITIVE_INFINITY) => {
  const good = readingJudge();
  const seen = { calls: 0 };
  const judge: ChatModel = {
    model: "judge-1",
    async complete(request, signal) {
      seen.calls += 1;
      if (seen.calls <= times) throw error;
      return good.complete(request, signal);
    },
  };
  return { judge, seen };
};

describe("a judge that fails", () => {
  test("twice: the third attempt counts, and nobody hears of the first two", async () => {
    const { judge, seen } = failing(transient("timed-out", "slow"), 2);
    const { world, batch } = await start(judge);
    await scoreAll(world);
    expect(seen.calls).toBe(3);
    expect(await stored(world, batch)).toMatchObject({ result: { decision: "machine" } });
    expect(world.queues.settle).toHaveLength(1);
    expect(world.delays.slice(0, 2)).toEqual([4, 8]);
  });

  test.each([
    ["unavailable", transient("unavailable", "500")],
    ["answering in another protocol", permanent("bad-answer", "html")],
    ["refusing the payload", permanent("payload-too-large", "413")],
    ["broken on our side", new RangeError("bug")],
  ])("for ever, %s: failed, with the reason, and told to SETTLE", async (_, error) => {
    const { judge, seen } = failing(error);
    const { world, batch } = await start(judge);
    await scoreAll(world);
    expect(seen.calls).toBe(maxAttempts);
    expect((await stored(world, batch))?.result).toMatchObject({
      decision: "failed",
      reasons: [{ code: "gave-up" }],
      task: "talk",
    });
    expect(world.queues.settle).toMatchObject([{ outcome: "failed", review: null }]);
  });

  test("throttled: it waits as long as asked, without an attempt", async () => {
    const { judge } = failing(transient("throttled", "429", { retryAfterSeconds: 60 }), 10);
    const { world, batch } = await start(judge);
    await scoreAll(world);
    expect(await stored(world, batch)).toMatchObject({ attempts: 0, result: { decision: "machine" } });
    expect(world.delays.slice(0, 10).every((delay) => delay >= 60)).toBe(true);
  });

  test("throttled for ever: it waits for more than a day, in few turns, and then ends", async () => {
    const { judge } = failing(transient("throttled", "429"));
    const { world, batch } = await start(judge);
    const began = world.state.now;
    expect(await scoreAll(world)).toBeLessThan(2_000);
    expect(world.state.now - began).toBeGreaterThan(86_400_000);
    expect((await stored(world, batch))?.result?.decision).toBe("failed");
    expect(Math.max(...world.delays)).toBeLessThanOrEqual(900);
  });

  test("the call is given up at the model's time-out", async () => {
    let signal: AbortSignal | undefined;
    const judge: ChatModel = {
      model: "j",
      async complete(_, given) {
        signal = given;
        throw transient("timed-out", "slow");
      },
    };
    const { world } = await start(judge);
    await world.receive("score");
    expect(signal).toBeInstanceOf(AbortSignal);
  });
});

describe("leases", () => {
  test("a live lease of another worker: acknowledged, nothing paid", async () => {
    const judge = readingJudge();
    const { world, batch } = await start(judge);
    await world.stores.samples.lease(
      { batch, run: 1, split: 0, ordinal: 0 },
      "other",
      world.state.now,
      timing().lease.sample,
    );
    expect(await world.receive("score")).toBe(true);
    expect(judge.prompts).toHaveLength(0);
    expect(world.queues.settle).toHaveLength(0);
  });

  test("a dead worker's lease runs out before its message comes back", async () => {
    const judge = readingJudge();
    const { world, batch } = await start(judge);
    await world.stores.samples.lease(
      { batch, run: 1, split: 0, ordinal: 0 },
      "dead",
      world.state.now,
      timing().lease.sample,
    );
    world.state.now += 6 * timing().functionTimeout.score * 1000;
    await world.receive("score");
    expect(judge.prompts).toHaveLength(1);
  });

  test("an answer that was paid for under a lapsed lease is kept, and the second one thrown away", async () => {
    const quick = readingJudge();
    let slow = true;
    const judge: ChatModel = {
      model: "judge-1",
      async complete(asked, signal) {
        if (!slow) return quick.complete(asked, signal);
        slow = false;
        // While this one waits, its lease runs out and another worker scores the sample.
        world.state.now += 1_000_000;
        await world.receive("score");
        return { ...(await quick.complete(asked, signal)), model: "too late" };
      },
    };
    const { world, batch } = await start(judge);
    world.queues.score.push(...structuredClone(world.queues.score));
    await world.receive("score");
    expect((await stored(world, batch))?.result?.judge).toBe("judge-1");
    expect(world.queues.settle).toHaveLength(2);
    expect(world.queues.settle[0]).toEqual(world.queues.settle[1]);
  });
});

describe("without a judge", () => {
  const quiz = {
    fields: [
      {
        kind: "label",
        id: "right",
        title: "r",
        labels: [
          { code: "R", name: "right" },
          { code: "W", name: "wrong" },
        ],
      },
    ],
    scorers: [{ field: "right", kind: "exact-choice", right: "R", wrong: "W" }],
    decision: { auditRate: 0, uncertified: "review" },
  };
  test.each([
    ["the right letter", { id: "s", output: "答案：B", reference: "B" }, "machine", "R"],
    ["a wrong letter", { id: "s", output: "答案：A", reference: "B" }, "machine", "W"],
    ["no reference", { id: "s", output: "B" }, "review", null],
  ])("exact: %s", async (_, sample, decision, value) => {
    const judge = readingJudge();
    const { world, batch } = await start(judge, sample, quiz);
    await scoreAll(world);
    expect(judge.prompts).toHaveLength(0);
    expect((await stored(world, batch))?.result).toMatchObject({
      decision,
      judge: null,
      usage: { judgeCalls: 0 },
      fields: [{ value }],
    });
  });

  test.each([
    ["missing", "invalid", "invalid"],
    ["missing", "review", "review"],
    ["undescribed", "invalid", "review"],
  ] as const)("a picture that is %s under %s is %s", async (kind, policy, decision) => {
    const judge = readingJudge();
    const { world, batch } = await start(judge, undefined, { media: { whenUnreadable: policy } });
    world.queues.score.push({ ...world.nextScore(), problems: [{ ref: "a.png", kind, message: "m" }] });
    await world.receive("score");
    expect(judge.prompts).toHaveLength(0);
    expect((await stored(world, batch))?.result?.decision).toBe(decision);
  });

  test("a picture that could not be read is judged without where the template says so", async () => {
    const judge = readingJudge();
    const { world, batch } = await start(judge, undefined, { media: { whenUnreadable: "text-only" } });
    world.queues.score.push({
      ...world.nextScore(),
      problems: [{ ref: "a.png", kind: "unreadable", message: "m" }],
    });
    await world.receive("score");
    expect(judge.prompts).toHaveLength(1);
    expect((await stored(world, batch))?.result?.decision).toBe("machine");
  });
});

describe("answers", () => {
  test("garbage is asked for once more, then a person decides", async () => {
    const judge = readingJudge();
    const { world, batch } = await start(judge, { id: "s", output: "garbage-mark" });
    await scoreAll(world);
    expect(judge.prompts).toHaveLength(2);
    expect((await stored(world, batch))?.result).toMatchObject({
      decision: "review",
      reasons: [{ code: "answer-unreadable" }],
      usage: { judgeCalls: 2 },
    });
    expect(world.queues.settle).toMatchObject([
      { outcome: "review", review: { kind: "review", questions: ["ok"] } },
    ]);
  });

  test("an unsure one is undecided, with its distribution", async () => {
    const { world, batch } = await start(readingJudge(), {
      id: "s",
      output: "unsure-mark",
      labels: { ok: "B" },
    });
    await scoreAll(world);
    const result = (await stored(world, batch))?.result;
    expect(result).toMatchObject({
      decision: "review",
      fields: [{ id: "ok", value: null, distribution: { A: 0.6, B: 0.4 } }],
    });
    expect(result?.agrees).toBeUndefined();
  });
});
