/** Verdicts on audits come when a batch has long been final: its files say them, as one later revision. */
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchId } from "@touchstone/core/schema/identity";
import { timing } from "@touchstone/core/timing";
import { expect, test } from "vitest";
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
import { type Fate, fates, mortal } from "./mortal.ts";
import { createWorld, resultsBucket, type World } from "./world.ts";

/** Every accepted sample is audited. */
const decidedBatch = async () => {
  const world = createWorld({
    judge: readingJudge(),
    captioner: plainCaptioner(),
    strategy: mixedStrategy(),
  });
  world.stores.templates.put(talkTemplate({ decision: { auditRate: 1 } }));
  const batch = await upload(world, "inbox/talk/b/a.jsonl", jsonl(mixedLines));
  await world.drain();
  return { world, batch };
};

/** The same, with the reviews answered. */
const finalBatch = async () => {
  const { world, batch } = await decidedBatch();
  await answer(world, "review");
  await world.drain();
  expect((await world.batch(batch))?.finalAt).toBeDefined();
  return { world, batch };
};

const answer = async (world: World, kind: "review" | "audit"): Promise<number> => {
  let answered = 0;
  for (const task of await Array.fromAsync(world.stores.reviews.undecided())) {
    if (task.kind !== kind) continue;
    const claimed = await claimReview({ reviewer: "r", reviewId: task.id }, world.reviewPorts());
    const token = claimed.ok ? (claimed.value.task.lease?.token ?? "") : "";
    const values = Object.fromEntries(task.questions.map((question) => [question, "B"]));
    await giveVerdict({ reviewId: task.id, token, values }, world.reviewPorts());
    answered += 1;
  }
  return answered;
};

const read = async (world: World, batch: BatchId, name: string): Promise<string> => {
  const key = `${resultFolder({ batch, run: 1 })}${name}`;
  return new TextDecoder().decode((await world.stores.blobs.read({ bucket: resultsBucket, key }, 1e6)).bytes);
};
const verdicts = async (world: World, batch: BatchId): Promise<number> =>
  (await read(world, batch, "results.jsonl")).split("\n").filter((line) => line.includes('"verdict"')).length;
const revision = async (world: World, batch: BatchId): Promise<number> =>
  JSON.parse(await read(world, batch, "summary.json")).revision;
const hour = timing().sweep.reviseAfter * 1000;

test("all of an hour's verdicts become one revision, and the batch is left alone after it", async () => {
  const { world, batch } = await finalBatch();
  const before = [await verdicts(world, batch), await revision(world, batch)] as const;
  const audits = await answer(world, "audit");
  expect(audits).toBeGreaterThan(1);
  await world.drain();
  await world.sweep();
  await world.drain();
  expect(await revision(world, batch)).toBe(before[1]);
  world.state.now += hour;
  await world.sweep();
  await world.drain();
  expect([await verdicts(world, batch), await revision(world, batch)]).toEqual([
    before[0] + audits,
    before[1] + 1,
  ]);
  expect(await Array.fromAsync(world.stores.ledger.openBatches())).toEqual([]);
  expect(world.complaints).toEqual([]);
});

test.each(["review", "audit"] as const)(
  "%s: a verdict that never reached SETTLE is said again until the ledger has it, and then no more",
  async (kind) => {
    const { world, batch } = await (kind === "audit" ? finalBatch() : decidedBatch());
    const answered = await answer(world, kind);
    expect(await Array.fromAsync(world.stores.reviews.unheard())).toHaveLength(answered);
    // REVIEW died before it could tell, or SETTLE's queue lost what it was told.
    world.queues.settle.length = 0;
    const resent: number[] = [];
    const turns = (3 * 3600) / timing().sweep.period;
    for (let turn = 0; turn < turns; turn += 1) {
      world.state.now += timing().sweep.period * 1000;
      resent.push((await world.sweep()).resentVerdicts);
      // The first repeat is lost too.
      if (resent.filter((count) => count > 0).length < 2) world.queues.settle.length = 0;
      await world.drain();
    }
    expect(resent.filter((count) => count > 0)).toEqual([answered, answered]);
    expect(await Array.fromAsync(world.stores.reviews.unheard())).toEqual([]);
    expect(world.state.events.get(kind === "audit" ? "audited" : "reviewed")).toBe(answered);
    expect((await world.batch(batch))?.finalAt).toBeDefined();
    expect(world.complaints).toEqual([]);
  },
);

test("one that comes while the files are being written is said by the next revision", async () => {
  const { world, batch } = await finalBatch();
  await answer(world, "audit");
  const [first, ...others] = world.queues.settle.splice(0);
  world.queues.settle.push(first);
  await world.drain();
  const { ledger } = world.stores;
  const revise = ledger.revise.bind(ledger);
  // The others are settled between the writing and its note.
  ledger.revise = async (...given) => {
    ledger.revise = revise;
    world.queues.settle.push(...others);
    while (world.queues.settle.length > 0) await world.receive("settle");
    return revise(...given);
  };
  for (let turn = 0; turn < 2; turn += 1) {
    world.state.now += hour;
    await world.sweep();
    await world.drain();
  }
  expect(await verdicts(world, batch)).toBe(others.length + 1 + 3);
  expect(await Array.fromAsync(ledger.openBatches())).toEqual([]);
});

test.each(fates.map((fate): readonly [Fate] => [fate]))(
  "a call of the revision %s, at every call: the files say the verdicts all the same",
  async (fate) => {
    for (let at = 1; ; at += 1) {
      const { world, batch } = await finalBatch();
      const audits = await answer(world, "audit");
      await world.drain();
      world.state.now += hour;
      await world.sweep();
      const life = mortal(at, fate);
      await world.receive("settle", 1, life);
      if (life.calls() < at) return;
      await world.drain();
      for (let turn = 0; turn < 2; turn += 1) {
        world.state.now += hour;
        await world.sweep();
        await world.drain();
      }
      expect(await verdicts(world, batch), `call ${at}`).toBe(audits + 3);
      expect(await Array.fromAsync(world.stores.ledger.openBatches())).toEqual([]);
    }
  },
);
