/** Several processes at once, their calls in any order: duplicates and late writers change nothing. */
import { countSplit } from "@touchstone/core/domain/ledger/split";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchId } from "@touchstone/core/schema/identity";
import fc from "fast-check";
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
import { mortal } from "./mortal.ts";
import { createWorld, resultsBucket, type World } from "./world.ts";

const start = async (lines: readonly string[] = mixedLines) => {
  const judge = readingJudge();
  const world = createWorld({ judge, captioner: plainCaptioner(), strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate());
  const batch = await upload(world, "inbox/talk/b/a.jsonl", jsonl(lines));
  return { world, batch, judge };
};

/** Runs processes whose port calls take turns as the scheduler says. */
const together = async (
  scheduler: fc.Scheduler,
  processes: readonly ((life: ReturnType<typeof mortal>) => Promise<unknown>)[],
): Promise<void> => {
  const turn = () => scheduler.schedule(Promise.resolve());
  const running = Promise.all(processes.map((process) => process(mortal(0, "fails", turn))));
  await scheduler.waitFor(running);
};

const summaryOf = async (world: World, batch: BatchId): Promise<unknown> => {
  const { bytes } = await world.stores.blobs.read(
    { bucket: resultsBucket, key: `${resultFolder({ batch, run: 1 })}summary.json` },
    1e6,
  );
  return JSON.parse(new TextDecoder().decode(bytes));
};
const counts = async (world: World, batch: BatchId) => {
  const split = await world.stores.ledger.split(batch, 1, 0);
  return split && countSplit(split);
};
/** Lines of results.jsonl of reviewed samples that carry a verdict. */
const verdictLines = async (world: World, batch: BatchId): Promise<number> => {
  const key = `${resultFolder({ batch, run: 1 })}results.jsonl`;
  const { bytes } = await world.stores.blobs.read({ bucket: resultsBucket, key }, 1e6);
  const lines = new TextDecoder().decode(bytes).split("\n");
  return lines.filter((line) => line.includes('"verdict"') && line.includes('"decision":"review"')).length;
};
const isMachine = (message: unknown): boolean => JSON.stringify(message).includes('"outcome":"machine"');
/** Answers the reviews, not the audits. */
const answerAll = async (world: World): Promise<void> => {
  for (const { id, kind, questions } of await Array.fromAsync(world.stores.reviews.undecided())) {
    if (kind === "audit") continue;
    const claimed = await claimReview({ reviewer: "r", reviewId: id }, world.reviewPorts());
    const token = claimed.ok ? (claimed.value.task.lease?.token ?? "") : "";
    const values = Object.fromEntries(questions.map((question) => [question, "B"]));
    await giveVerdict({ reviewId: id, token, values }, world.reviewPorts());
  }
};
const truth = { total: 7, machine: 2, review: 3, invalid: 2, failed: 0 };
const runs = { numRuns: 60 };

test("the same event twice at once, then again later: one batch, one result a sample, one judge call (case 9)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { world, batch, judge } = await start();
      world.queues.uploads.push(...structuredClone(world.queues.uploads));
      await together(scheduler, [
        (life) => world.receive("uploads", 1, life),
        (life) => world.receive("uploads", 1, life),
      ]);
      await world.drain();
      expect(await counts(world, batch)).toMatchObject(truth);
      // "garbage" is asked twice.
      expect(judge.prompts).toHaveLength(5);
      expect(await Array.fromAsync(world.stores.ledger.allBatches())).toHaveLength(1);
      const tasks = await Array.fromAsync(world.stores.reviews.undecided());
      expect(tasks.filter(({ kind }) => kind === "review")).toHaveLength(3);
    }),
    runs,
  );
});

test("two workers with the same sample: the judge is called by one (case 26)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { world, batch, judge } = await start(mixedLines.slice(0, 1));
      await world.receive("uploads");
      world.queues.score.push(...structuredClone(world.queues.score), ...structuredClone(world.queues.score));
      const worker = (life: ReturnType<typeof mortal>) => world.receive("score", 1, life);
      await together(scheduler, [worker, worker, worker]);
      await world.drain();
      expect(judge.prompts).toHaveLength(1);
      expect(await counts(world, batch)).toMatchObject({ total: 1, machine: 1 });
      expect(world.state.events.get("machine")).toBe(1);
    }),
    runs,
  );
});

test("settling in parallel, in any pieces and with repeats: exact counts, final files of the final state", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 4 }), async (scheduler, piece) => {
      const { world, batch } = await start();
      await world.receive("uploads");
      while (world.queues.score.length > 0) await world.receive("score");
      world.queues.settle.push(...structuredClone(world.queues.settle.slice(0, 3)));
      const worker = async (life: ReturnType<typeof mortal>): Promise<void> => {
        while (world.queues.settle.length > 0) await world.receive("settle", piece, life);
      };
      // A fast reviewer answers while the batch is still being closed as decided.
      const reviewer = async (life: ReturnType<typeof mortal>): Promise<void> => {
        for (let turn = 0; turn < 12; turn += 1) {
          const claimed = await claimReview({ reviewer: "r" }, world.reviewPorts(life));
          if (!claimed.ok) continue;
          const { task } = claimed.value;
          const values = Object.fromEntries(task.questions.map((id) => [id, "B"]));
          await giveVerdict(
            { reviewId: task.id, token: task.lease?.token ?? "", values },
            world.reviewPorts(life),
          );
        }
      };
      await together(scheduler, [worker, worker, reviewer]);
      await world.drain();
      await together(scheduler, [reviewer]);
      await world.drain();
      expect(await counts(world, batch)).toMatchObject({ ...truth, reviewed: 3 });
      for (const [event, count] of Object.entries(truth)) {
        if (event !== "total") expect(world.state.events.get(event) ?? 0).toBe(count);
      }
      expect(await world.batch(batch)).toMatchObject({
        decidedAt: expect.any(Number),
        finalAt: expect.any(Number),
      });
      expect(await summaryOf(world, batch)).toMatchObject({
        state: "final",
        counts: { ...truth, reviewed: 3 },
      });
      expect(await verdictLines(world, batch)).toBe(3);
    }),
    { numRuns: 150 },
  );
});

test("the last verdict comes while the batch is being closed as decided: the final files win", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { world, batch } = await start();
      await world.receive("uploads");
      while (world.queues.score.length > 0) await world.receive("score");
      const last = world.queues.settle.splice(world.queues.settle.findIndex(isMachine), 1);
      await world.drain();
      await answerAll(world);
      const verdicts = world.queues.settle.splice(0);
      expect([last.length, verdicts.length]).toEqual([1, 3]);
      const settle = (messages: readonly unknown[]) => (life: ReturnType<typeof mortal>) => {
        world.queues.settle.push(...messages);
        return world.receive("settle", messages.length, life);
      };
      const check = { kind: "check", schema: 1, batch, run: 1 };
      await together(scheduler, [
        settle(last),
        settle(verdicts.slice(0, 2)),
        settle(verdicts.slice(2)),
        settle([check]),
      ]);
      expect(world.complaints).toEqual([]);
      await world.drain();
      expect(await summaryOf(world, batch)).toMatchObject({
        state: "final",
        counts: { ...truth, reviewed: 3 },
      });
      expect(await verdictLines(world, batch)).toBe(3);
      expect(await world.batch(batch)).toMatchObject({
        decidedAt: expect.any(Number),
        finalAt: expect.any(Number),
      });
    }),
    { numRuns: 300 },
  );
});

test("two reviewers: one claim wins, the other gets another task or nothing (case 84)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { world } = await start();
      await world.drain();
      const open = (await Array.fromAsync(world.stores.reviews.undecided())).length;
      const claimed: string[] = [];
      const reviewer = async (life: ReturnType<typeof mortal>): Promise<void> => {
        const answer = await claimReview({ reviewer: "r" }, world.reviewPorts(life));
        if (answer.ok) claimed.push(answer.value.task.id);
      };
      await together(
        scheduler,
        Array.from({ length: open + 2 }, () => reviewer),
      );
      expect(claimed).toHaveLength(open);
      expect(new Set(claimed).size).toBe(open);
    }),
    runs,
  );
});

test("a sweep amid everything: what it sends again is not counted again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat({ max: 6 }), async (scheduler, done) => {
      const { world, batch, judge } = await start();
      await world.receive("uploads");
      for (let turn = 0; turn < done; turn += 1) await world.receive(turn % 2 === 0 ? "score" : "settle");
      world.state.now += 1_000_000;
      await together(scheduler, [
        (life) => world.sweep(life),
        async (life) => {
          while (world.queues.score.length > 0) await world.receive("score", 1, life);
        },
        async (life) => {
          while (world.queues.settle.length > 0) await world.receive("settle", 3, life);
        },
      ]);
      await world.drain();
      expect(await counts(world, batch)).toMatchObject(truth);
      expect(judge.prompts).toHaveLength(5);
      expect(await world.batch(batch)).toMatchObject({ decidedAt: expect.any(Number) });
    }),
    runs,
  );
});
