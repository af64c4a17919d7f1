/** SETTLE: one message that cannot be settled, records that lost, and batches that close. */
import { bareResult, outcomeOf } from "@touchstone/core/domain/intake/entry-message";
import { packOutcomes, unpackOutcomes } from "@touchstone/core/domain/ledger/pack-outcomes";
import { countSplit, outcomeAt } from "@touchstone/core/domain/ledger/split";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import { permanent, transient } from "@touchstone/core/errors";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { SettleEntry, SettleMessage } from "@touchstone/core/schema/messages";
import { settleMessageSchema } from "@touchstone/core/schema/messages";
import { describe, expect, test } from "vitest";
import { settleMessages } from "../../functions/settle/settle-messages.ts";
import { batchRecord } from "../contract/records.ts";
import {
  jsonl,
  mixedLines,
  mixedStrategy,
  plainCaptioner,
  readingJudge,
  talkTemplate,
  upload,
} from "./fixtures.ts";
import { createWorld, resultsBucket, type World } from "./world.ts";

/** Everything is scored; the messages to SETTLE are waiting. */
const start = async (lines: readonly string[] = mixedLines) => {
  const world = createWorld({
    judge: readingJudge(),
    captioner: plainCaptioner(),
    strategy: mixedStrategy(),
  });
  world.stores.templates.put(talkTemplate());
  const batch = await upload(world, "inbox/talk/b/a.jsonl", jsonl(lines));
  await world.receive("uploads");
  while (world.queues.score.length > 0) await world.receive("score");
  const messages = told(world);
  return { world, batch, messages };
};
/** What SETTLE was told since, each by itself. */
const told = (world: World): readonly SettleEntry[] =>
  world.queues.settle.splice(0).flatMap((message) => unpackOutcomes(settleMessageSchema.parse(message)));
const received = (messages: readonly SettleMessage[]) =>
  messages.map((message, index) => ({ id: `m${index}`, message }));
const splitOf = async (world: World, batch: BatchId) => {
  const split = await world.stores.ledger.split(batch, 1, 0);
  if (!split) throw new Error("no split");
  return split;
};
const exists = async (world: World, batch: BatchId, name: string): Promise<boolean> =>
  (await world.stores.blobs.head({
    bucket: resultsBucket,
    key: `${resultFolder({ batch, run: 1 })}${name}`,
  })) !== null;

describe("a message that cannot be settled", () => {
  const poisoned = (world: World, error: unknown) => {
    const { reviews } = world.stores;
    return {
      ...world.ports(),
      reviews: {
        ...reviews,
        open: async (task: Parameters<typeof reviews.open>[0]) =>
          task.sampleId === "unsure" ? Promise.reject(error) : reviews.open(task),
      },
    };
  };

  test("for good: its neighbours are settled, it alone is given up", async () => {
    const { world, batch, messages } = await start();
    const failed = await settleMessages(
      received(messages),
      poisoned(world, permanent("payload-too-large", "400 KB")),
    );
    expect(failed).toEqual([]);
    const split = await splitOf(world, batch);
    expect(outcomeAt(split, 2)).toBeNull();
    expect(countSplit(split)).toMatchObject({ total: 7, machine: 2, review: 2, invalid: 2 });
    expect(world.state.events.get("machine")).toBe(2);
    expect(world.complaints).toHaveLength(1);
  });

  test("for the moment: its group comes again, other splits and batches do not", async () => {
    const { world, batch, messages } = await start();
    const other = await upload(world, "inbox/talk/b/other.jsonl", jsonl(mixedLines.slice(0, 1)));
    await world.receive("uploads");
    await world.receive("score");
    const more = told(world);
    const failed = await settleMessages(
      received([...messages, ...more]),
      poisoned(world, transient("unavailable", "down")),
    );
    expect(failed.toSorted()).toEqual(
      messages.flatMap((message, index) => (message.kind === "outcome" ? [`m${index}`] : [])).sort(),
    );
    expect(outcomeAt(await splitOf(world, other), 0)).toBe("machine");
    expect(countSplit(await splitOf(world, batch)).machine).toBe(0);
  });

  test.each([
    ["for good: its pack goes, and all else in it is settled", permanent("payload-too-large", "400 KB"), []],
    ["for the moment: its pack comes again", transient("unavailable", "down"), ["m1"]],
  ])("in a pack, %s", async (_, error, expected) => {
    const { world, batch, messages } = await start();
    const packs = packOutcomes(messages);
    expect(packs.map(({ kind }) => kind)).toEqual(["check", "outcomes"]);
    expect(await settleMessages(received(packs), poisoned(world, error))).toEqual(expected);
    await settleMessages(received(packs), world.ports());
    const outcomes = messages.filter(({ kind }) => kind === "outcome").length;
    expect(countSplit(await splitOf(world, batch))).toMatchObject({ total: outcomes, machine: 2, review: 3 });
    expect(world.state.events.get("machine")).toBe(2);
  });

  test("of a batch or split that nobody knows: acknowledged, complained of", async () => {
    const { world, messages } = await start();
    const { batch } = batchRecord();
    const stranger = messages.map(
      (message): SettleEntry =>
        message.kind === "check" ? { ...message, batch } : { ...message, key: { ...message.key, batch } },
    );
    expect(await settleMessages(received(stranger), world.ports())).toEqual([]);
    expect(world.complaints.length).toBeGreaterThan(0);
  });
});

describe("records", () => {
  const lost = (batch: BatchId, ordinal: number) => {
    const record = bareResult("sure-1", "talk", 1, "failed", { code: "lost" }, { callType: "score" }, 5);
    return outcomeOf({ batch, run: 1, split: 0, ordinal }, record, null);
  };

  test("a loss that lost to a result does not count: ledger and results agree", async () => {
    const { world, batch, messages } = await start();
    await settleMessages(received([lost(batch, 0)]), world.ports());
    expect(outcomeAt(await splitOf(world, batch), 0)).toBeNull();
    await settleMessages(received(messages), world.ports());
    expect(outcomeAt(await splitOf(world, batch), 0)).toBe("machine");
  });

  test("also when both come in one invocation, in either order", async () => {
    for (const turn of [0, 1]) {
      const { world, batch, messages } = await start();
      const both = turn === 0 ? [lost(batch, 0), ...messages] : [...messages, lost(batch, 0)];
      await settleMessages(received(both), world.ports());
      expect(outcomeAt(await splitOf(world, batch), 0)).toBe("machine");
      const [stored] = await world.stores.samples.read([{ batch, run: 1, split: 0, ordinal: 0 }]);
      expect(stored?.result?.decision).toBe("machine");
    }
  });

  test("a true loss is stored and counted", async () => {
    const world = createWorld({
      judge: readingJudge(),
      captioner: plainCaptioner(),
      strategy: mixedStrategy(),
    });
    world.stores.templates.put(talkTemplate());
    const batch = await upload(world, "inbox/talk/b/a.jsonl", jsonl(mixedLines.slice(0, 1)));
    await world.receive("uploads");
    await settleMessages(received([lost(batch, 0)]), world.ports());
    const [stored] = await world.stores.samples.read([{ batch, run: 1, split: 0, ordinal: 0 }]);
    expect(stored?.result?.reasons).toEqual([{ code: "lost" }]);
    expect(countSplit(await splitOf(world, batch)).failed).toBe(1);
  });
});

describe("closing", () => {
  test("hints are sent once although the split is written in two rounds", async () => {
    const { world, messages } = await start();
    let first = true;
    const { ledger } = world.stores;
    const contended = {
      ...ledger,
      writeSplit: async (split: Parameters<typeof ledger.writeSplit>[0]) => {
        if (!first) return ledger.writeSplit(split);
        first = false;
        return false;
      },
    };
    await settleMessages(received(messages), { ...world.ports(), ledger: contended });
    const ids = world.queues.review.map((hint) => JSON.stringify(hint));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a split that others always win comes again, and is never half counted", async () => {
    const { world, batch, messages } = await start();
    const contended = { ...world.stores.ledger, writeSplit: async () => false };
    const failed = await settleMessages(received(messages), { ...world.ports(), ledger: contended });
    expect(failed.length).toBe(7);
    expect(world.state.events.size).toBe(0);
    expect(countSplit(await splitOf(world, batch)).machine).toBe(0);
  });

  test("nothing is written before the last outcome; summary.json comes last", async () => {
    const { world, batch, messages } = await start();
    const outcomes = messages.filter((message) => message.kind === "outcome");
    await settleMessages(received(outcomes.slice(0, -1)), world.ports());
    expect(await exists(world, batch, "summary.json")).toBe(false);
    const written: string[] = [];
    const { blobs } = world.stores;
    const watched = {
      ...blobs,
      write: async (...given: Parameters<typeof blobs.write>) => {
        written.push(given[0].key.split("/").at(-1) ?? "");
        return blobs.write(...given);
      },
    };
    await settleMessages(received(outcomes.slice(-1)), { ...world.ports(), blobs: watched });
    expect(written.at(-1)).toBe("summary.json");
    expect(written).toContain("results.jsonl");
  });

  test.each([
    ["a file without samples", "\n\n", { total: 0 }, "the file has no samples"],
    ["a file of broken lines", "x\ny\n", { total: 2, invalid: 2 }, undefined],
  ])("%s ends as final, with its summary (case 6)", async (_, body, counts, fault) => {
    const world = createWorld({
      judge: readingJudge(),
      captioner: plainCaptioner(),
      strategy: mixedStrategy(),
    });
    world.stores.templates.put(talkTemplate());
    const batch = await upload(world, "inbox/talk/b/a.jsonl", body);
    await world.drain();
    const row = await world.batch(batch);
    expect([row?.decidedAt, row?.finalAt]).not.toContain(undefined);
    const { bytes } = await world.stores.blobs.read(
      { bucket: resultsBucket, key: `${resultFolder({ batch, run: 1 })}summary.json` },
      1e6,
    );
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      counts,
      state: "final",
      machineReviewRate: null,
      ...(fault ? { fault } : {}),
    });
  });

  test("duplicates and late checks after the end change nothing", async () => {
    const { world, batch, messages } = await start();
    await settleMessages(received(messages), world.ports());
    const [split, row] = [await splitOf(world, batch), await world.batch(batch)];
    await settleMessages(received([...messages, ...messages]), world.ports());
    expect(await splitOf(world, batch)).toEqual(split);
    expect(await world.batch(batch)).toEqual(row);
    expect(world.state.events.get("machine")).toBe(2);
  });
});
