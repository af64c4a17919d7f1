/** Kills each hop at every call it makes, in every way a call can end; whatever happens, each sample counts once. */
import { countSplit, outcomeAt } from "@touchstone/core/domain/ledger/split";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import { reviewIdOf } from "@touchstone/core/domain/review/answer-review";
import type { BatchId } from "@touchstone/core/schema/identity";
import { describe, expect, test } from "vitest";
import { claimReview, giveVerdict } from "../../functions/review/review.ts";
import {
  jsonl,
  mixedLines,
  mixedStrategy,
  plainCaptioner,
  readingJudge,
  talkTemplate,
  upload,
} from "./fixtures.ts";
import { fates, mortal } from "./mortal.ts";
import { createWorld, resultsBucket, type World } from "./world.ts";

const key = "inbox/talk/day+1/samples.jsonl";
const picture = '{"id":"picture","output":[{"type":"text","text":"看"},{"type":"image","ref":"a.png"}]}';

interface Run {
  readonly world: World;
  readonly batch: BatchId;
  readonly judge: ReturnType<typeof readingJudge>;
  readonly captioner: ReturnType<typeof plainCaptioner>;
}

const start = async (): Promise<Run> => {
  const judge = readingJudge();
  const captioner = plainCaptioner();
  const world = createWorld({ judge, captioner, strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate());
  await world.stores.blobs.write(
    { bucket: "uploads", key: "inbox/talk/day 1/a.png" },
    new Uint8Array([0x89, 1]),
    "image/png",
  );
  const batch = await upload(world, key, jsonl([...mixedLines, picture]));
  return { world, batch, judge, captioner };
};

/** Runs on until nothing moves: queues, then the sweeps of a month, each with what it sends. */
const finish = async ({ world }: Run): Promise<void> => {
  await world.drain();
  for (let turn = 0; turn < 40; turn += 1) {
    world.state.now += 3_600_000 * (turn + 1);
    await world.sweep();
    await world.drain();
  }
};

const answerAll = async ({ world }: Run): Promise<void> => {
  for (;;) {
    const claimed = await claimReview({ reviewer: "李雷" }, world.reviewPorts());
    if (!claimed.ok) return;
    const { task } = claimed.value;
    const values = Object.fromEntries(task.questions.map((id) => [id, "B"]));
    const given = await giveVerdict(
      { reviewId: task.id, token: task.lease?.token ?? "", values },
      world.reviewPorts(),
    );
    expect(given.ok).toBe(true);
  }
};

const readText = async (world: World, name: string, run: Run): Promise<string> => {
  const { bytes } = await world.stores.blobs.read(
    { bucket: resultsBucket, key: `${resultFolder({ batch: run.batch, run: 1 })}${name}` },
    1e9,
  );
  return new TextDecoder().decode(bytes);
};

/** Five samples reach the judge, and one of them is asked again for its garbage. */
const judgeCalls = 5 + 1;
const outcome = { machine: 3, review: 3, invalid: 2, failed: 0 };

/** Ledger, events told to telemetry, results, tasks and files: all say the same, once. */
const expectExactlyOnce = async (run: Run, told: "all" | "no more than all"): Promise<void> => {
  const { world, batch } = run;
  const split = await world.stores.ledger.split(batch, 1, 0);
  if (!split) throw new Error("no split");
  const counts = countSplit(split);
  expect(counts).toMatchObject({ total: 8, ...outcome, reviewed: 3 });
  const tallied = Object.values(split.tally)
    .flatMap((quarters) => Object.values(quarters))
    .flatMap((row) => Object.entries(row));
  for (const event of ["machine", "review", "invalid", "reviewed"] as const) {
    expect(tallied.filter(([name]) => name === event).reduce((sum, [, count]) => sum + (count ?? 0), 0)).toBe(
      counts[event],
    );
    const seen = world.state.events.get(event) ?? 0;
    // A crash may lose a point of telemetry, never repeat one.
    expect(seen).toBeLessThanOrEqual(counts[event]);
    if (told === "all") expect(seen).toBe(counts[event]);
  }
  const keys = Array.from({ length: 8 }, (_, ordinal) => ({ batch, run: 1, split: 0, ordinal }));
  const stored = await world.stores.samples.read(keys);
  expect(stored.map((sample) => sample?.result?.decision)).toEqual([
    "machine",
    "machine",
    "review",
    "review",
    "invalid",
    "invalid",
    "review",
    "machine",
  ]);
  // Who answers "B" to everything disagrees with the machine: somebody else must look, and nothing else is open.
  const tasks = await Array.fromAsync(world.stores.reviews.undecided());
  expect(tasks.filter(({ kind }) => kind !== "adjudicate")).toEqual([]);
  const row = await world.batch(batch);
  expect(row).toMatchObject({
    sealed: { splits: 1, samples: 8 },
    doneSplits: new Set([0]),
    finalSplits: new Set([0]),
  });
  expect([row?.decidedAt, row?.finalAt]).not.toContain(undefined);
  const lines = (await readText(world, "results.jsonl", run))
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([
    { sampleId: "sure-1" },
    { sampleId: "sure-2" },
    { values: { ok: "B" } },
    { values: { ok: "B" } },
    { decision: "invalid" },
    { decision: "invalid" },
    { sampleId: "elsewhere" },
    { sampleId: "picture" },
  ]);
  const summary: unknown = JSON.parse(await readText(world, "summary.json", run));
  expect(summary).toMatchObject({ state: "final", counts: { total: 8, ...outcome, reviewed: 3 } });
};

test("without any fault", async () => {
  const run = await start();
  await run.world.drain();
  expect(run.judge.prompts).toHaveLength(judgeCalls);
  expect(run.captioner.calls()).toBe(1);
  await answerAll(run);
  await run.world.drain();
  await expectExactlyOnce(run, "all");
});

/** Each hop meets every fate at every call of its next invocation. */
const hopQueues = ["uploads", "describe", "score", "settle"] as const;
const hopCases = hopQueues.flatMap((queue) => fates.map((fate) => [queue, fate] as const));

/** Brings the world to the moment before the hop, whose first message is then received. */
const before = async (queue: (typeof hopQueues)[number], run: Run): Promise<void> => {
  for (const name of hopQueues.slice(0, hopQueues.indexOf(queue))) {
    while (run.world.queues[name].length > 0) await run.world.receive(name);
  }
};

/** Whatever the ledger says at any moment already stands elsewhere: its result, its review task. */
const expectNothingAhead = async ({ world, batch }: Run): Promise<void> => {
  const split = await world.stores.ledger.split(batch, 1, 0);
  for (let ordinal = 0; split && ordinal < split.samples; ordinal += 1) {
    const said = outcomeAt(split, ordinal);
    if (said === null) continue;
    const sampleKey = { batch, run: 1, split: 0, ordinal };
    const [stored] = await world.stores.samples.read([sampleKey]);
    expect(stored?.result?.decision).toBe(said);
    if (said === "review")
      expect(await world.stores.reviews.get(reviewIdOf(sampleKey, "review"))).not.toBeNull();
  }
};

describe.each(hopCases)("%s: a call %s", (queue, fate) => {
  test("at every call; the redelivery alone makes it good", async () => {
    for (let at = 1; ; at += 1) {
      const run = await start();
      await before(queue, run);
      const life = mortal(at, fate);
      await run.world.receive(queue, queue === "settle" ? 99 : 1, life);
      if (life.calls() < at) {
        expect(at, "the hop makes calls").toBeGreaterThan(2);
        return;
      }
      if (queue !== "settle") await run.world.receive("settle", 99);
      await expectNothingAhead(run);
      await run.world.drain();
      await expectNothingAhead(run);
      const decided: unknown = JSON.parse(await readText(run.world, "summary.json", run));
      expect(decided, `call ${at}`).toMatchObject({
        state: "decided",
        counts: { total: 8, ...outcome, reviewed: 0 },
      });
      await answerAll(run);
      await run.world.drain();
      // What was in flight at the fault may be paid again, and nothing else.
      expect(run.judge.prompts.length, `call ${at}`).toBeLessThanOrEqual(
        judgeCalls + (queue === "score" ? 1 : 0),
      );
      expect(run.captioner.calls(), `call ${at}`).toBeLessThanOrEqual(1 + (queue === "describe" ? 1 : 0));
      await expectExactlyOnce(run, "no more than all");
    }
  });
});

describe.each(fates.map((fate) => [fate]))("a verdict: a call %s", (fate) => {
  test("at every call, the reviewer never asking again", async () => {
    for (let at = 1; ; at += 1) {
      const run = await start();
      await run.world.drain();
      const claimed = await claimReview({ reviewer: "韩梅梅" }, run.world.reviewPorts());
      if (!claimed.ok) throw new Error(claimed.message);
      const { task } = claimed.value;
      const life = mortal(at, fate);
      const values = Object.fromEntries(task.questions.map((id) => [id, "B"]));
      await giveVerdict(
        { reviewId: task.id, token: task.lease?.token ?? "", values },
        run.world.reviewPorts(life),
      ).catch(() => null);
      if (life.calls() < at) break;
      run.world.state.now += 3_600_000;
      await answerAll(run);
      await finish(run);
      await expectExactlyOnce(run, "no more than all");
    }
  });
});

test.each(fates.map((fate) => [fate]))(
  "a sweep after everything was lost on the way: a call %s",
  async (fate) => {
    for (let at = 1; ; at += 1) {
      const run = await start();
      await run.world.receive("uploads");
      run.world.queues.score.length = 0;
      run.world.queues.describe.length = 0;
      run.world.queues.settle.length = 0;
      run.world.state.now += 1_000_000;
      const life = mortal(at, fate);
      await run.world.sweep(life).catch(() => null);
      if (life.calls() < at) break;
      await finish(run);
      await answerAll(run);
      await finish(run);
      await expectExactlyOnce(run, "no more than all");
    }
  },
);

describe.each(fates.map((fate) => [fate]))("learn: a call %s", (fate) => {
  test("at every call; the redelivery alone opens each second look once", async () => {
    for (let at = 1; ; at += 1) {
      const run = await start();
      await run.world.drain();
      await answerAll(run);
      while (run.world.queues.settle.length > 0) await run.world.receive("settle", 99);
      const life = mortal(at, fate);
      await run.world.receive("learn", 99, life);
      if (life.calls() < at) {
        expect(at, "LEARN makes calls").toBeGreaterThan(6);
        return;
      }
      await run.world.drain();
      await expectExactlyOnce(run, "all");
      const open = await Array.fromAsync(run.world.stores.reviews.undecided());
      expect(open.map(({ sampleId }) => sampleId).sort(), `call ${at}`).toEqual([
        "sure-1",
        "sure-2",
        "unsure",
      ]);
      expect(open).toMatchObject(open.map(() => ({ kind: "adjudicate", notBy: ["李雷"], prefill: [] })));
    }
  });
});
