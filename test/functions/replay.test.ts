/** Replays over the memory ports: a new run beside the old one, the same under any fault, healed by SWEEP. */
import { replayRequest } from "@touchstone/core/domain/intake/replay";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { ReplaySource } from "@touchstone/core/schema/replay";
import { describe, expect, test } from "vitest";
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

const key = "inbox/talk/day/samples.jsonl";

const decidedWorld = async (): Promise<{ world: World; batch: BatchId }> => {
  const world = createWorld({
    judge: readingJudge(),
    captioner: plainCaptioner(),
    strategy: mixedStrategy(),
  });
  world.stores.templates.put(talkTemplate());
  const batch = await upload(world, key, jsonl(mixedLines));
  await world.drain();
  return { world, batch };
};
const ask = (world: World, batch: BatchId, run: number, replays: ReplaySource): void =>
  void world.queues.uploads.push(replayRequest(batch, run, replays));

const text = async (world: World, batch: BatchId, run: number, name: string): Promise<string> => {
  const ref = { bucket: resultsBucket, key: `${resultFolder({ batch, run })}${name}` };
  return new TextDecoder().decode((await world.stores.blobs.read(ref, 1e9)).bytes);
};
const lines = async (world: World, batch: BatchId, run: number): Promise<unknown[]> =>
  (await text(world, batch, run, "results.jsonl"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));

describe("a replay", () => {
  test("of the whole file is judged by the template that stands now, and leaves the first run as it was", async () => {
    const { world, batch } = await decidedWorld();
    const before = await text(world, batch, 1, "results.jsonl");
    world.stores.templates.put(
      talkTemplate({ version: 2, decision: { provisionalThreshold: 0.5, auditRate: 0 } }),
    );
    world.state.now += 60_000;
    ask(world, batch, 2, { run: 1 });
    await world.drain();
    expect(await text(world, batch, 1, "results.jsonl")).toBe(before);
    const again = await lines(world, batch, 2);
    expect(again).toHaveLength(mixedLines.length);
    expect(again[2]).toMatchObject({ sampleId: "unsure", decision: "machine", template: { version: 2 } });
    expect(await world.stores.ledger.batch(batch, 1)).toMatchObject({ run: 1, revision: 1 });
    expect(await world.stores.ledger.batch(batch, 2)).toMatchObject({
      ...{ run: 2, replays: { run: 1 }, revision: 1 },
      sealed: { splits: 1, samples: mixedLines.length },
    });
  });

  test("of some outcomes takes those lines alone; a replay of that one goes on from it", async () => {
    const { world, batch } = await decidedWorld();
    ask(world, batch, 2, { run: 1, only: ["review", "invalid"] });
    await world.drain();
    expect((await lines(world, batch, 2)).map((line) => [Object(line).sampleId, Object(line).line])).toEqual([
      ["unsure", 3],
      ["garbage", 4],
      ["line-5", 5],
      ["sure-1", 6],
      ["elsewhere", 7],
    ]);
    ask(world, batch, 3, { run: 2, only: ["invalid"] });
    await world.drain();
    expect((await lines(world, batch, 3)).map((line) => Object(line).line)).toEqual([5, 6]);
  });

  test("of an outcome that no sample has is a run of nothing, closed at once", async () => {
    const { world, batch } = await decidedWorld();
    ask(world, batch, 2, { run: 1, only: ["failed"] });
    await world.drain();
    const row = await world.stores.ledger.batch(batch, 2);
    expect(row).toMatchObject({ sealed: { splits: 0, samples: 0 } });
    expect([row?.fault, row?.finalAt === undefined]).toEqual([undefined, false]);
  });

  test("asked for twice is one run: the first request stands", async () => {
    const { world, batch } = await decidedWorld();
    ask(world, batch, 2, { run: 1, only: ["review"] });
    ask(world, batch, 2, { run: 1 });
    await world.drain();
    expect(await lines(world, batch, 2)).toHaveLength(3);
    expect(await world.stores.ledger.batch(batch, 3)).toBeNull();
  });

  test("of a run at work is refused, and the queue goes on", async () => {
    const { world, batch } = await decidedWorld();
    ask(world, batch, 2, { run: 1 });
    await world.receive("uploads");
    ask(world, batch, 3, { run: 2 });
    await world.drain();
    expect(await world.stores.ledger.batch(batch, 3)).toBeNull();
    expect(world.complaints).toEqual([expect.objectContaining({ kind: "permanent", code: "bad-message" })]);
  });

  test.each(fates.map((fate) => [fate]))(
    "whose taking in meets a call that %s, at every call",
    async (fate) => {
      for (let at = 1; ; at += 1) {
        const { world, batch } = await decidedWorld();
        ask(world, batch, 2, { run: 1, only: ["review"] });
        const life = mortal(at, fate);
        await world.receive("uploads", 1, life);
        if (life.calls() < at) return;
        await world.drain();
        expect(await lines(world, batch, 2), `call ${at}`).toHaveLength(3);
      }
    },
  );

  test("whose message was lost half-way is asked for again by SWEEP, and its quiet samples are sent again", async () => {
    const { world, batch } = await decidedWorld();
    ask(world, batch, 2, { run: 1, only: ["review"] });
    // The row is written, and then the process ends for good.
    await world.receive("uploads", 1, mortal(8, "dies-before"));
    world.queues.uploads.length = 0;
    for (let turn = 0; turn < 5; turn += 1) {
      world.state.now += 3_600_000 * (turn + 1);
      await world.sweep();
      await world.receive("uploads");
      // Nothing that was sent arrives before the third turn.
      if (turn < 2) world.queues.score.length = 0;
      await world.drain();
    }
    expect(await lines(world, batch, 2)).toHaveLength(3);
  });
});
