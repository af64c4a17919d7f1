/** INTAKE: faults of files, long names, pinned templates, large samples, and events that carry several files. */
import { countSplit } from "@touchstone/core/domain/ledger/split";
import { permanent, transient } from "@touchstone/core/errors";
import { batchRecordSchema } from "@touchstone/core/schema/ledger";
import { describe, expect, test } from "vitest";
import { unpackSample } from "../../functions/_batch/payload.ts";
import { takeInAnnounced } from "../../functions/intake/take-in-announced.ts";
import {
  jsonl,
  mixedLines,
  mixedStrategy,
  plainCaptioner,
  readingJudge,
  talkTemplate,
  upload,
  uploadEvent,
} from "./fixtures.ts";
import { createWorld, resultsBucket } from "./world.ts";

const start = () => {
  const world = createWorld({
    judge: readingJudge(),
    captioner: plainCaptioner(),
    strategy: mixedStrategy(),
  });
  world.stores.templates.put(talkTemplate());
  return world;
};

describe("faults of a file", () => {
  test("that is gone when its event comes: sealed, with the reason, within what a row may hold", async () => {
    const world = start();
    const key = `inbox/talk/b/${"k".repeat(900)}.jsonl`;
    await takeInAnnounced(uploadEvent(encodeURIComponent(key), "v9", world.state.now), world.ports());
    const [row] = await Array.fromAsync(world.stores.ledger.allBatches());
    expect(row).toMatchObject({
      sealed: { splits: 0, samples: 0 },
      fault: expect.stringContaining("does not exist"),
    });
    expect(batchRecordSchema.safeParse(row).success).toBe(true);
    await world.drain();
    expect(await Array.fromAsync(world.stores.ledger.openBatches())).toEqual([]);
  });

  test("that is damaged: what was whole is scored, the damage is one invalid line", async () => {
    const world = start();
    const batch = await upload(world, "inbox/talk/b/a.csv", 'id,output\n1,a\n2,b\n3,"never closed\n4,d\n');
    await world.drain();
    const split = await world.stores.ledger.split(batch, 1, 0);
    expect(split && countSplit(split)).toMatchObject({ total: 3, machine: 2, invalid: 1 });
  });

  test("one monstrous line does not reach its neighbours", async () => {
    const world = start();
    const monster = JSON.stringify({ id: "m", output: "x", ["k".repeat(2_000_000)]: 1 });
    const batch = await upload(
      world,
      "inbox/talk/b/a.jsonl",
      jsonl([mixedLines[0] ?? "", monster, mixedLines[1] ?? ""]),
    );
    await world.drain();
    const split = await world.stores.ledger.split(batch, 1, 0);
    expect(split && countSplit(split)).toMatchObject({ total: 3, machine: 2, invalid: 1 });
    expect((await world.batch(batch))?.fault).toBeUndefined();
  });

  test("a storage that fails is no fault of the file: the event comes again", async () => {
    const world = start();
    const batch = await upload(world, "inbox/talk/b/a.jsonl", jsonl(mixedLines));
    const { blobs } = world.stores;
    const down = { ...blobs, stream: async () => Promise.reject(transient("unavailable", "S3 is down")) };
    await expect(
      takeInAnnounced(uploadEvent("inbox/talk/b/a.jsonl", "v1", world.state.now), {
        ...world.ports(),
        blobs: down,
      }),
    ).rejects.toMatchObject({ kind: "transient" });
    expect((await world.batch(batch))?.sealed).toBeUndefined();
    await world.drain();
    expect((await world.batch(batch))?.decidedAt).toBeDefined();
  });
});

describe("one event with several files", () => {
  const several = (now: number) => ({
    Records: ["first", "second", "third"].flatMap(
      (name) => uploadEvent(`inbox/talk/b/${name}.jsonl`, "v1", now).Records,
    ),
  });

  test.each([
    ["for good", permanent("refused", "no"), "permanent"],
    ["for the moment", transient("unavailable", "down"), "transient"],
  ])("the second fails %s: the others are taken in, and the event fails alike", async (_, error, kind) => {
    const world = start();
    for (const name of ["first", "second", "third"])
      await upload(world, `inbox/talk/b/${name}.jsonl`, jsonl(mixedLines));
    const { ledger } = world.stores;
    const failing = {
      ...ledger,
      open: async (batch: Parameters<typeof ledger.open>[0]) =>
        batch.source.key.includes("second") ? Promise.reject(error) : ledger.open(batch),
    };
    const taking = takeInAnnounced(several(world.state.now), { ...world.ports(), ledger: failing });
    await expect(taking).rejects.toMatchObject({ kind });
    const rows = await Array.fromAsync(ledger.allBatches());
    expect(rows.map(({ source }) => source.key).toSorted()).toEqual([
      "inbox/talk/b/first.jsonl",
      "inbox/talk/b/third.jsonl",
    ]);
  });

  test("a broken record beside them is told, and nothing else", async () => {
    const world = start();
    await upload(world, "inbox/talk/b/a.jsonl", jsonl(mixedLines));
    const told: string[] = [];
    const message = {
      Records: [
        ...uploadEvent("inbox/talk/b/100%.jsonl", "v1", 0).Records,
        ...uploadEvent("inbox/talk/b/a.jsonl", "v1", 0).Records,
      ],
    };
    await takeInAnnounced(message, { ...world.ports(), tell: (announced) => void told.push(announced.kind) });
    expect(told).toEqual(["unreadable", "taken-in"]);
  });
});

describe("templates", () => {
  test("are pinned at the first opening: a redelivery after an edit routes as before", async () => {
    const world = start();
    await upload(
      world,
      "inbox/talk/b/a.jsonl",
      jsonl([mixedLines[0] ?? "", '{"id":"x","task":"new-task","output":"x"}']),
    );
    const dying = {
      ...world.ports(),
      score: { send: async () => Promise.reject(transient("send-incomplete", "died")) },
    };
    await expect(
      takeInAnnounced(uploadEvent("inbox/talk/b/a.jsonl", "v1", world.state.now), dying),
    ).rejects.toMatchObject({ kind: "transient" });
    world.stores.templates.put(talkTemplate({ version: 2 }));
    world.stores.templates.put(talkTemplate({ task: "new-task" }));
    world.queues.settle.length = 0;
    await world.receive("uploads");
    expect(world.queues.score).toMatchObject([{ template: { task: "talk", version: 1 } }]);
    expect(world.queues.settle).toMatchObject([
      { outcome: "review", record: { reasons: [{ code: "unrouted" }] } },
      { kind: "check" },
    ]);
  });

  test("a broken one stops its own task only, and says why", async () => {
    const world = start();
    const { task } = talkTemplate({ task: "broken" });
    world.stores.templates.putBroken(task);
    await upload(
      world,
      "inbox/talk/b/a.jsonl",
      jsonl([mixedLines[0] ?? "", '{"id":"x","task":"broken","output":"x"}']),
    );
    await world.receive("uploads");
    expect(world.queues.score).toHaveLength(1);
    expect(world.queues.settle).toMatchObject([
      { record: { reasons: [{ code: "unrouted", detail: expect.stringContaining("broken") }] } },
      { kind: "check" },
    ]);
  });

  test("a store that fails for the moment fails the event, not the routing", async () => {
    const world = start();
    await upload(world, "inbox/talk/b/a.jsonl", jsonl(mixedLines));
    const templates = {
      ...world.stores.templates,
      current: async () => Promise.reject(transient("unavailable", "down")),
    };
    const taking = takeInAnnounced(uploadEvent("inbox/talk/b/a.jsonl", "v1", world.state.now), {
      ...world.ports(),
      templates,
    });
    await expect(taking).rejects.toMatchObject({ kind: "transient" });
    expect(world.queues.settle).toEqual([]);
  });
});

describe("large samples", () => {
  test("travel by pointer and come back to the letter; a repeat writes the same object", async () => {
    const world = start();
    const text = `中${"🀄\u2028".repeat(60_000)}`;
    await upload(world, "inbox/talk/b/a.jsonl", jsonl([JSON.stringify({ id: "big", output: text })]));
    world.queues.uploads.push(...structuredClone(world.queues.uploads));
    await world.receive("uploads");
    const request = world.nextScore();
    expect(request.payload).toMatchObject({ pointer: { bucket: resultsBucket } });
    expect((await unpackSample(request.payload, world.stores.blobs)).output).toBe(text);
    const staged = await Array.fromAsync(world.stores.blobs.list(resultsBucket, "staging/samples/"));
    expect(staged).toHaveLength(1);
  });
});
