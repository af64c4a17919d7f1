/** What every ledger must do; run by ledger.test.ts against memory and DynamoDB. */
import type { Ledger } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";
import { allOf } from "./all-of.ts";
import { batchRecord, splitRecord } from "./records.ts";

export const ledgerContract = (name: string, ledger: () => Ledger): void => {
  describe(`ledger: ${name}`, () => {
    test("open keeps the first row of a batch and gives it to everyone who opens it", async () => {
      const first = batchRecord();
      expect(await ledger().open(first)).toEqual(first);
      expect(await ledger().open({ ...first, openedAt: first.openedAt + 5, bytes: 9 })).toEqual(first);
      expect(await ledger().batch(first.batch, 1)).toEqual(first);
      expect(await ledger().batch(first.batch, 2)).toBeNull();
    });

    test("20 concurrent opens agree on one row", async () => {
      const record = batchRecord();
      const rows = await Promise.all(
        Array.from({ length: 20 }, (_, bytes) => ledger().open({ ...record, bytes })),
      );
      expect(new Set(rows.map((row) => row.bytes)).size).toBe(1);
    });

    test("a split is put once and then only replaced by its next version", async () => {
      const split = splitRecord();
      await ledger().putSplit(split);
      await ledger().putSplit({ ...split, samples: 3 });
      expect(await ledger().split(split.batch, 1, 0)).toEqual(split);
      const next = { ...split, version: 1, outcomes: new Uint8Array([0x11, 0x22, 0x03]) };
      expect(await ledger().writeSplit(next)).toBe(true);
      expect(await ledger().writeSplit(next)).toBe(false);
      expect(await ledger().split(split.batch, 1, 0)).toEqual(next);
    });

    test("a split that was never put cannot be written", async () => {
      const split = splitRecord({ version: 1 });
      expect(await ledger().writeSplit(split)).toBe(false);
      expect(await ledger().split(split.batch, 1, 0)).toBeNull();
    });

    test("of 20 concurrent writers of one version, one wins", async () => {
      const split = splitRecord();
      await ledger().putSplit(split);
      const wins = await Promise.all(
        Array.from({ length: 20 }, (_, first) =>
          ledger().writeSplit({ ...split, version: 1, outcomes: new Uint8Array([first, 0, 0]) }),
        ),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect((await ledger().split(split.batch, 1, 0))?.outcomes[0]).toBe(wins.indexOf(true));
    });

    test("empty bytes survive", async () => {
      const split = splitRecord({ reviewed: new Uint8Array(), tally: {} });
      await ledger().putSplit(split);
      expect(await ledger().split(split.batch, 1, 0)).toEqual(split);
    });

    test("marks of sent splits only rise", async () => {
      const { batch } = await ledger().open(batchRecord());
      await ledger().markSent(batch, 1, 3);
      await ledger().markSent(batch, 1, 2);
      expect((await ledger().batch(batch, 1))?.splitsSent).toBe(3);
    });

    test("a batch is sealed once, with the fault that ended it", async () => {
      const { batch } = await ledger().open(batchRecord());
      await ledger().seal(batch, 1, { splits: 2, samples: 5, at: 7 }, "line 9: gzip ends early");
      await ledger().seal(batch, 1, { splits: 4, samples: 9, at: 8 }, undefined);
      expect(await ledger().batch(batch, 1)).toMatchObject({
        sealed: { splits: 2, samples: 5, at: 7 },
        fault: "line 9: gzip ends early",
      });
    });

    test("a seal without a fault stores none", async () => {
      const { batch } = await ledger().open(batchRecord());
      await ledger().seal(batch, 1, { splits: 0, samples: 0, at: 7 }, undefined);
      const sealed = await ledger().batch(batch, 1);
      expect(sealed?.sealed).toEqual({ splits: 0, samples: 0, at: 7 });
      expect(sealed && "fault" in sealed).toBe(false);
    });

    test("adding a split is idempotent, exact under concurrency, and answers what stands", async () => {
      const { batch } = await ledger().open(batchRecord());
      await Promise.all(
        [0, 1, 2, 3, 0, 1, 2, 3].map((split) => ledger().addSplit(batch, 1, split, "doneSplits")),
      );
      const row = await ledger().addSplit(batch, 1, 1, "finalSplits");
      expect(row.doneSplits).toEqual(new Set([0, 1, 2, 3]));
      expect(row.finalSplits).toEqual(new Set([1]));
      expect(await ledger().batch(batch, 1)).toEqual(row);
    });

    test("decided and final are set once each, with the revision of their files", async () => {
      const { batch } = await ledger().open(batchRecord());
      await ledger().close(batch, 1, { kind: "decided", at: 10, revision: 1 });
      await ledger().close(batch, 1, { kind: "decided", at: 99, revision: 9 });
      expect(await ledger().batch(batch, 1)).toMatchObject({ decidedAt: 10, revision: 1 });
      await ledger().close(batch, 1, { kind: "final", at: 20, revision: 2 });
      await ledger().close(batch, 1, { kind: "final", at: 99, revision: 9 });
      expect(await ledger().batch(batch, 1)).toMatchObject({ decidedAt: 10, finalAt: 20, revision: 2 });
    });

    test("what concerns a batch that is not in the ledger is refused for good", async () => {
      const { batch } = batchRecord();
      const refused = { kind: "permanent", code: "object-missing" };
      await expect(ledger().markSent(batch, 1, 1)).rejects.toMatchObject(refused);
      await expect(ledger().addSplit(batch, 1, 0, "doneSplits")).rejects.toMatchObject(refused);
      await expect(ledger().seal(batch, 1, { splits: 1, samples: 1, at: 1 }, "f")).rejects.toMatchObject(
        refused,
      );
      const closed = { kind: "final", at: 1, revision: 1 } as const;
      await expect(ledger().close(batch, 1, closed)).rejects.toMatchObject(refused);
    });

    test("open batches come oldest first and leave once final; all batches stay", async () => {
      const ages = Array.from({ length: 120 }, (_, index) => (index * 37) % 120);
      const records = ages.map((age) => batchRecord({ openedAt: 1_000 + age }));
      await Promise.all(records.map((record) => ledger().open(record)));
      const mine = new Set(records.map((record) => record.batch));
      const gone = records.filter((record) => record.openedAt % 2 === 0);
      await Promise.all(
        gone.map((record) => ledger().close(record.batch, 1, { kind: "final", at: 1, revision: 1 })),
      );
      const open = (await allOf(ledger().openBatches())).filter((record) => mine.has(record.batch));
      expect(open.map((record) => record.openedAt)).toEqual(
        Array.from({ length: 60 }, (_, index) => 1_001 + 2 * index),
      );
      const all = (await allOf(ledger().allBatches())).filter((record) => mine.has(record.batch));
      expect(all).toHaveLength(120);
    });

    test("late verdicts open a final batch again, until a revision says all of them", async () => {
      const record = batchRecord();
      await ledger().open(record);
      await ledger().close(record.batch, 1, { kind: "final", at: 1, revision: 1 });
      const isOpen = async () =>
        (await allOf(ledger().openBatches())).some(({ batch }) => batch === record.batch);
      expect(await isOpen()).toBe(false);
      await ledger().addLate(record.batch, 1, 3, 50);
      await ledger().addLate(record.batch, 1, 4, 60);
      expect(await ledger().batch(record.batch, 1)).toMatchObject({
        lateSplits: new Set([3, 4]),
        lateVerdicts: 2,
        lateSince: 50,
      });
      expect(await isOpen()).toBe(true);
      await ledger().revise(record.batch, 1, { revision: 2, lateVerdicts: 1 });
      expect(await isOpen()).toBe(true);
      await ledger().revise(record.batch, 1, { revision: 2, lateVerdicts: 2 });
      expect(await isOpen()).toBe(false);
      const revised = await ledger().batch(record.batch, 1);
      expect(revised).toEqual({ ...record, finalAt: 1, revision: 2 });
    });

    test("the mark in the inbox is kept, and goes back to the beginning", async () => {
      expect(await ledger().inboxMark()).toBeNull();
      await ledger().markInbox("inbox/对话/a b+c.jsonl");
      expect(await ledger().inboxMark()).toBe("inbox/对话/a b+c.jsonl");
      await ledger().markInbox(null);
      expect(await ledger().inboxMark()).toBeNull();
    });

    test("a run that repeats another keeps what it repeats", async () => {
      const replays = { run: 1, only: ["failed" as const, "review" as const] };
      const record = batchRecord({ run: 2, replays });
      await ledger().open(record);
      expect(await ledger().batch(record.batch, 2)).toEqual(record);
      expect(await ledger().batch(record.batch, 1)).toBeNull();
    });

    test("re-sends are counted apart from the split", async () => {
      const split = splitRecord();
      await ledger().putSplit(split);
      expect(await ledger().resends(split.batch, 1, 0)).toEqual({ count: 0, lastAt: 0 });
      await ledger().noteResend(split.batch, 1, 0, 2, 500);
      expect(await ledger().resends(split.batch, 1, 0)).toEqual({ count: 2, lastAt: 500 });
      expect(await ledger().split(split.batch, 1, 0)).toEqual(split);
    });
  });
};
