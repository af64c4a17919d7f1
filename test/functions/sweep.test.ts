/** SWEEP: what went quiet is sent again, at doubling intervals, five times, and then ends; nothing floods. */
import { announcements } from "@touchstone/core/domain/intake/arrival";
import { countSplit } from "@touchstone/core/domain/ledger/split";
import { permanent, transient } from "@touchstone/core/errors";
import type { BatchId } from "@touchstone/core/schema/identity";
import { uploadsMessageSchema } from "@touchstone/core/schema/s3-notification";
import { timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { sweep } from "../../functions/sweep/sweep.ts";
import { reviewTask, sampleKey } from "../contract/records.ts";
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
import { createWorld, type World } from "./world.ts";

const minute = 60_000;
const start = async (lines: readonly string[] = mixedLines) => {
  const judge = readingJudge();
  const world = createWorld({ judge, captioner: plainCaptioner(), strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate({ decision: { auditRate: 0 } }));
  const batch = await upload(world, "inbox/talk/b/a.jsonl", jsonl(lines));
  return { world, batch, judge };
};
/** Everything on its way is gone. */
const loseAll = ({ queues }: World): void => {
  for (const queue of Object.values(queues)) queue.length = 0;
};
const counts = async (world: World, batch: BatchId) => {
  const split = await world.stores.ledger.split(batch, 1, 0);
  return split && countSplit(split);
};
/** Sweeps as the schedule does until `until` says so; returns the minutes at which it reported something. */
const sweepUntil = async (
  world: World,
  until: (report: Awaited<ReturnType<World["sweep"]>>) => boolean,
  each = async () => loseAll(world),
) => {
  const began = world.state.now;
  const reported: string[] = [];
  for (let turn = 0; turn < 20_000; turn += 1) {
    const report = await world.sweep();
    const said = Object.entries(report).filter(([name, value]) => name !== "batches" && value > 0);
    if (said.length > 0)
      reported.push(
        `${Math.round((world.state.now - began) / minute)}: ${said.map((one) => one.join(" ")).join(", ")}`,
      );
    if (until(report)) return reported;
    await each();
    world.state.now += timing().sweep.period * 1000;
  }
  throw new Error("the sweeps never came to an end");
};

describe("a queue that is only long or stopped", () => {
  test("behind a batch that moves nothing is sent again; once that has ended, the silence counts", async () => {
    const { world } = await start();
    await world.receive("uploads");
    const own = world.queues.describe.length + world.queues.score.length;
    const behind = await upload(world, "inbox/talk/b/behind.jsonl", jsonl(mixedLines));
    await world.receive("uploads");
    // At every sweep one sample of the first batch comes to its end.
    const reported = await sweepUntil(
      world,
      () => world.queues.describe.length + world.queues.score.length <= own,
      async () => {
        await world.receive(world.queues.describe.length > 0 ? "describe" : "score");
        while (world.queues.settle.length > 0) await world.receive("settle");
      },
    );
    expect(reported).toEqual([]);
    await world.drain();
    expect(await counts(world, behind)).toMatchObject({ total: 7, failed: 0 });
  });

  test("that nobody works on for a week loses nothing and grows no longer", async () => {
    const { world, batch } = await start();
    await world.receive("uploads");
    const waiting = () => world.queues.describe.length + world.queues.score.length;
    const before = waiting();
    await sweepUntil(
      world,
      () => world.state.now > Date.parse("2026-12-06T14:00:00Z"),
      async () => {},
    );
    expect(waiting()).toBe(before);
    await world.drain();
    expect(await counts(world, batch)).toMatchObject({ total: 7, failed: 0 });
  });

  test("of files that nobody reads for a week closes none of them", async () => {
    const { world, batch } = await start();
    const [event] = world.queues.uploads;
    await world.receive("uploads", 1, mortal(6, "dies-before"));
    world.queues.uploads.splice(0, Number.POSITIVE_INFINITY, event);
    await sweepUntil(
      world,
      () => world.state.now > Date.parse("2026-12-06T14:00:00Z"),
      async () => {},
    );
    expect(world.queues.uploads).toHaveLength(1);
    await world.drain();
    expect(await counts(world, batch)).toMatchObject({ total: 7, failed: 0 });
  });
});

describe("samples", () => {
  test("lost on the way: sent again at doubling intervals, then failed for good, each once", async () => {
    const { world, batch, judge } = await start();
    await world.receive("uploads");
    loseAll(world);
    const reported = await sweepUntil(world, (report) => report.lostSamples > 0);
    expect(reported).toEqual([
      "15: resentSamples 7",
      "45: resentSamples 7",
      "105: resentSamples 7",
      "225: resentSamples 7",
      "465: resentSamples 7",
      "945: lostSamples 7",
    ]);
    await world.drain();
    expect(await counts(world, batch)).toMatchObject({ total: 7, failed: 7 });
    expect(judge.prompts).toHaveLength(0);
    expect(await world.batch(batch)).toMatchObject({ finalAt: expect.any(Number) });
    await world.sweep();
    expect(world.queues.settle).toHaveLength(0);
  });

  test("what was scored but never settled is settled, not scored again", async () => {
    const { world, batch, judge } = await start();
    await world.receive("uploads");
    while (world.queues.score.length > 0) await world.receive("score");
    const paid = judge.prompts.length;
    loseAll(world);
    world.state.now += 15 * minute;
    await world.sweep();
    await world.drain();
    expect(await counts(world, batch)).toMatchObject({ machine: 2, review: 3, invalid: 2 });
    expect(judge.prompts).toHaveLength(paid);
  });

  test("only what has no outcome is sent", async () => {
    const { world } = await start();
    await world.receive("uploads");
    await world.receive("score");
    while (world.queues.settle.length > 0) await world.receive("settle", 10);
    loseAll(world);
    world.state.now += 15 * minute;
    expect(await world.sweep()).toMatchObject({ resentSamples: 3 });
    expect(world.queues.score).toHaveLength(3);
  });

  test("an edit of the template in mid-batch changes nothing, also for what is sent again", async () => {
    const { world, batch } = await start();
    await world.receive("uploads");
    loseAll(world);
    world.stores.templates.put(talkTemplate({ version: 2, standard: "changed" }));
    world.state.now += 15 * minute;
    await world.sweep();
    expect(world.queues.score.length).toBeGreaterThan(0);
    for (const message of world.queues.score) expect(message).toMatchObject({ template: { version: 1 } });
    await world.drain();
    expect(await counts(world, batch)).toMatchObject({ machine: 2 });
  });

  test("a source file that is gone: what cannot be read again is failed in the end", async () => {
    const { world, batch } = await start();
    await world.receive("uploads");
    loseAll(world);
    const { blobs } = world.stores;
    Object.assign(blobs, { stream: async () => Promise.reject(permanent("object-missing", "gone")) });
    await sweepUntil(world, (report) => report.lostSamples > 0);
    await world.drain();
    expect(await counts(world, batch)).toMatchObject({ failed: 7 });
  });

  test("however many splits are quiet, the file is read once", async () => {
    const { world, batch } = await start(
      Array.from({ length: 9_000 }, (_, index) => `{"id":"s-${index}","output":"x"}`),
    );
    await world.receive("uploads");
    loseAll(world);
    expect((await world.batch(batch))?.sealed?.splits).toBe(3);
    const { blobs } = world.stores;
    const stream = blobs.stream;
    let readings = 0;
    Object.assign(blobs, {
      stream: async (...given: Parameters<typeof stream>) => {
        readings += 1;
        return stream(...given);
      },
    });
    world.state.now += 15 * minute;
    expect(await world.sweep()).toMatchObject({ resentSamples: 9_000 });
    expect(readings).toBe(1);
  });
});

describe("files", () => {
  test("a reading that stopped half-way is taken up", async () => {
    const { world, batch } = await start();
    await world.stores.ledger.open(opened(world));
    loseAll(world);
    world.state.now += 15 * minute;
    expect(await world.sweep()).toMatchObject({ resentFiles: 1 });
    await world.drain();
    expect(await counts(world, batch)).toMatchObject({ machine: 2, review: 3, invalid: 2 });
  });

  test("a file that can never be read is sealed with the fault, not forgotten", async () => {
    const { world, batch } = await start();
    await world.stores.ledger.open(opened(world));
    loseAll(world);
    await sweepUntil(world, () => world.queues.settle.length > 0);
    await world.drain();
    expect(await world.batch(batch)).toMatchObject({
      sealed: { splits: 0, samples: 0 },
      fault: expect.stringContaining("could not be read"),
      finalAt: expect.any(Number),
    });
  });
});

/** The row that INTAKE would open for the waiting event, before it dies. */
const opened = (world: World) => {
  const [first] = announcements(uploadsMessageSchema.parse(world.queues.uploads[0]), world.state.now);
  if (first?.kind !== "batch") throw new Error("no batch is announced");
  return first.batch;
};

describe("batches", () => {
  test("whose last check was lost are closed at the next sweep", async () => {
    const { world, batch } = await start(mixedLines.slice(0, 2));
    await world.receive("uploads");
    // The check is lost, and the outcomes came before the seal could be seen.
    world.queues.settle.length = 0;
    while (world.queues.score.length > 0) await world.receive("score");
    const { ledger } = world.stores;
    const batchRow = ledger.batch;
    Object.assign(ledger, { batch: async () => null });
    await world.receive("settle", 9);
    Object.assign(ledger, { batch: batchRow });
    world.state.now += 15 * minute;
    await world.sweep();
    await world.drain();
    expect(await world.batch(batch)).toMatchObject({ finalAt: expect.any(Number) });
  });

  test("one that cannot be swept hides no other", async () => {
    const { world } = await start();
    await world.receive("uploads");
    const other = await upload(world, "inbox/talk/b/other.jsonl", jsonl(mixedLines.slice(0, 1)));
    await world.receive("uploads");
    loseAll(world);
    const { ledger } = world.stores;
    const resends = ledger.resends;
    Object.assign(ledger, {
      resends: async (...given: Parameters<typeof resends>) => {
        if (given[0] !== other) throw transient("unavailable", "down");
        return resends(...given);
      },
    });
    world.state.now += 15 * minute;
    expect(await world.sweep()).toMatchObject({ batches: 2, resentSamples: 1 });
    expect(world.complaints).toHaveLength(1);
  });
});

describe("hints", () => {
  test("of an old open task are said again every twelve days, not at every sweep", async () => {
    const { world } = await start([]);
    await world.drain();
    world.queues.review.length = 0;
    for (const ordinal of [0, 1, 2]) {
      const key = sampleKey(ordinal);
      await world.stores.reviews.open(
        reviewTask({ key, id: `${key.batch}#1#0#${ordinal}#review`, createdAt: world.state.now }),
      );
    }
    let hints = 0;
    for (let turn = 0; turn < (40 * 86_400) / timing().sweep.period; turn += 1) {
      hints += (await world.sweep()).hints;
      world.state.now += timing().sweep.period * 1000;
    }
    // Three times in forty days, twice each for safety.
    expect(hints).toBe(3 * 3 * 2);
    expect(world.queues.review).toHaveLength(hints);
  });

  test("more than a page of them", async () => {
    const { world } = await start([]);
    await world.drain();
    for (let ordinal = 0; ordinal < 250; ordinal += 1) {
      await world.stores.reviews.open(
        reviewTask({ key: sampleKey(ordinal), id: `t${ordinal}`, createdAt: world.state.now }),
      );
    }
    world.queues.review.length = 0;
    world.state.now += 12 * 86_400_000;
    expect((await sweep(world.ports())).hints).toBe(250);
    expect(world.queues.review).toHaveLength(250);
  });
});
