/** A split of the ledger: any order and any repetition of entries count the same. */
import { isDecided, isFinal, machineReviewRate } from "@touchstone/core/domain/ledger/batch";
import { resendDue, standsStill } from "@touchstone/core/domain/ledger/resend";
import {
  addCounts,
  applyEntries,
  countSplit,
  isAudited,
  isReviewed,
  isSplitDone,
  isSplitFinal,
  type LedgerEntry,
  missingOrdinals,
  newSplit,
  noCounts,
  outcomeAt,
} from "@touchstone/core/domain/ledger/split";
import { maxTalliedTasks } from "@touchstone/core/domain/ledger/tally";
import { ledgerEvents, noTask, type SplitRecord, splitRecordSchema } from "@touchstone/core/schema/ledger";
import { outcomes } from "@touchstone/core/schema/outcome";
import { maxResends } from "@touchstone/core/timing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { batchId, batchRecord } from "../../contract/records.ts";

const empty = (samples: number): SplitRecord => newSplit(batchId("b"), 1, 0, samples, 1);
type Untasked = Omit<LedgerEntry, "task">;
const ofTask = (task: string, entries: readonly Untasked[]): LedgerEntry[] =>
  entries.map((entry) => ({ ...entry, task }));
const put = (split: SplitRecord, ...entries: readonly (Untasked & { readonly task?: string })[]) =>
  applyEntries(
    split,
    entries.map((entry) => ({ task: "dialogue", ...entry })),
  ).split;
const quarter = 900_000;

describe("applyEntries", () => {
  test("notes when the queues' work last ended something, not what INTAKE or a person ended", () => {
    const split = put(empty(4), { ordinal: 0, event: "invalid", at: 50 });
    expect(split.movedAt).toBeUndefined();
    const moved = put(
      split,
      { ordinal: 1, event: "machine", at: 30, moved: true },
      { ordinal: 2, event: "review", at: 20, moved: true },
      { ordinal: 2, event: "reviewed", at: 90 },
    );
    expect(moved.movedAt).toBe(30);
    expect(put(moved, { ordinal: 1, event: "failed", at: 99, moved: true }).movedAt).toBe(30);
  });

  test("the first outcome stands, whoever comes later", () => {
    const first = put(empty(3), { ordinal: 1, event: "machine", at: 0 });
    const later = applyEntries(first, ofTask("dialogue", [{ ordinal: 1, event: "failed", at: 9 }]));
    expect(later.applied).toEqual([]);
    expect(later.split).toBe(first);
    expect(outcomeAt(first, 1)).toBe("machine");
    expect([0, 2].map((ordinal) => outcomeAt(first, ordinal))).toEqual([null, null]);
  });

  test("neighbours in one byte do not touch each other", () => {
    const split = outcomes.reduce((so, event, ordinal) => put(so, { ordinal, event, at: 0 }), empty(4));
    expect([0, 1, 2, 3].map((ordinal) => outcomeAt(split, ordinal))).toEqual([...outcomes]);
  });

  test.each([-1, 3, 0.5, Number.NaN])("an ordinal outside the split changes nothing: %d", (ordinal) => {
    const split = empty(3);
    for (const event of ["machine", "reviewed"] as const)
      expect(applyEntries(split, ofTask("dialogue", [{ ordinal, event, at: 0 }]))).toEqual({
        split,
        applied: [],
      });
  });

  test("the split that was given is left as it was", () => {
    const split = put(empty(9), { ordinal: 0, event: "review", at: quarter });
    const before = structuredClone(split);
    put(split, { ordinal: 0, event: "reviewed", at: quarter }, { ordinal: 8, event: "machine", at: quarter });
    expect(split).toEqual(before);
  });

  test("transitions fall into UTC quarter-hours, so months can be cut in any zone (case 82)", () => {
    const november = Date.parse("2026-10-31T16:00:00Z");
    const split = put(
      empty(4),
      { ordinal: 0, event: "machine", at: november - 1 },
      { ordinal: 1, event: "machine", at: november },
      { ordinal: 2, event: "review", at: november + quarter - 1 },
      { ordinal: 2, event: "reviewed", at: november + quarter },
    );
    expect(split.tally).toEqual({
      dialogue: {
        [november / quarter - 1]: { machine: 1 },
        [november / quarter]: { machine: 1, review: 1 },
        [november / quarter + 1]: { reviewed: 1 },
      },
    });
  });

  test("each task of a split has a tally of its own; what is no task's name shares one", () => {
    const names = ["dialogue", "constructor", "批次", "__proto__", "", "-", "x".repeat(65)];
    const entries = names.map((task, ordinal) => ({ task, ordinal, event: "invalid" as const, at: 0 }));
    const split = put(empty(7), ...entries);
    expect(split.tally).toEqual({
      dialogue: { 0: { invalid: 1 } },
      constructor: { 0: { invalid: 1 } },
      [noTask]: { 0: { invalid: 5 } },
    });
    expect(splitRecordSchema.parse(split)).toEqual(split);
  });

  test("a file that names thousands of tasks leaves its split small, and every sample counted", () => {
    const event = "review" as const;
    const entries = Array.from({ length: 300 }, (_, ordinal) => ({
      task: `t-${ordinal}`,
      ordinal,
      event,
      at: 0,
    }));
    const { tally } = put(empty(300), ...entries);
    expect(Object.keys(tally)).toHaveLength(maxTalliedTasks + 1);
    expect(tally[noTask]).toEqual({ 0: { review: 300 - maxTalliedTasks } });
  });

  test("the version rises once a change, never without one", () => {
    const split = put(
      empty(5),
      { ordinal: 0, event: "review", at: 0 },
      { ordinal: 1, event: "machine", at: 0 },
    );
    expect(split.version).toBe(1);
    expect(put(split, { ordinal: 0, event: "review", at: 5 }).version).toBe(1);
    expect(put(split, { ordinal: 0, event: "reviewed", at: 5 }).version).toBe(2);
  });
});

const samples = 23;
/** The last one cannot be a task's. */
const taskNames = ["dialogue", "quiz", "shop", "没有"];
/** Every sample has one true outcome; SETTLE may hear of everything in any order, in any pieces, any number of times. */
const history = fc
  .array(
    fc.record({
      event: fc.constantFrom(...outcomes),
      task: fc.constantFrom(...taskNames),
      reviewed: fc.boolean(),
      audited: fc.boolean(),
      at: fc.nat(quarter * 5),
    }),
    {
      minLength: samples,
      maxLength: samples,
    },
  )
  .map((truth) =>
    truth.flatMap(({ task, event, reviewed, audited, at }, ordinal): LedgerEntry[] => [
      { ordinal, task, event, at },
      ...(reviewed ? [{ ordinal, task, event: "reviewed" as const, at }] : []),
      ...(audited ? [{ ordinal, task, event: "audited" as const, at }] : []),
    ]),
  );

describe("properties", () => {
  const settled = (pieces: readonly (readonly LedgerEntry[])[]) =>
    pieces.reduce<{ split: SplitRecord; applied: LedgerEntry[] }>(
      ({ split, applied }, piece) => {
        const next = applyEntries(split, piece);
        return { split: next.split, applied: [...applied, ...next.applied] };
      },
      { split: empty(samples), applied: [] },
    );

  test("any order, any pieces and any repetition give the same ledger and count each change once", () => {
    const shuffled = history.chain((entries) =>
      fc.record({
        entries: fc.constant(entries),
        pieces: fc
          .tuple(
            fc.shuffledSubarray(entries, { minLength: entries.length }),
            fc.array(fc.constantFrom(...entries), { maxLength: 40 }),
            fc.integer({ min: 1, max: 9 }),
          )
          .map(([order, repeats, size]) => {
            const all = [...order, ...repeats];
            return Array.from({ length: Math.ceil(all.length / size) }, (_, piece) =>
              all.slice(piece * size, piece * size + size),
            );
          }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ entries, pieces }) => {
        const [once, often] = [settled([entries]), settled(pieces)];
        expect({ ...often.split, version: 0 }).toEqual({ ...once.split, version: 0 });
        expect(often.applied.length).toBe(entries.length);
        const counts = countSplit(often.split);
        for (const event of ledgerEvents) {
          const told = entries.filter((entry) => entry.event === event);
          expect(counts[event]).toBe(told.length);
          for (const task of taskNames) {
            const rows = Object.values(often.split.tally[task === "没有" ? noTask : task] ?? {});
            expect(rows.reduce((sum, row) => sum + (row[event] ?? 0), 0)).toBe(
              told.filter((entry) => entry.task === task).length,
            );
          }
        }
        expect(counts.total).toBe(samples);
        expect(splitRecordSchema.parse(often.split)).toEqual(often.split);
      }),
    );
  });

  test("missing, done and final follow from the bits", () => {
    fc.assert(
      fc.property(
        history.chain((entries) => fc.subarray(entries)),
        (entries) => {
          const split = put(empty(samples), ...entries);
          const has = (ordinal: number, events: readonly string[]) =>
            entries.some((entry) => entry.ordinal === ordinal && events.includes(entry.event));
          const ordinals = Array.from({ length: samples }, (_, ordinal) => ordinal);
          expect(missingOrdinals(split)).toEqual(ordinals.filter((ordinal) => !has(ordinal, outcomes)));
          expect(isSplitDone(split)).toBe(ordinals.every((ordinal) => has(ordinal, outcomes)));
          expect(isSplitFinal(split)).toBe(
            ordinals.every(
              (ordinal) =>
                has(ordinal, outcomes) && (!has(ordinal, ["review"]) || has(ordinal, ["reviewed"])),
            ),
          );
          for (const ordinal of ordinals) {
            expect(isReviewed(split, ordinal)).toBe(has(ordinal, ["reviewed"]));
            expect(isAudited(split, ordinal)).toBe(has(ordinal, ["audited"]));
          }
        },
      ),
    );
  });

  test("a full split of 4,000 is about 3 KB", () => {
    const split = empty(4000);
    expect(split.outcomes.length + split.reviewed.length + split.audited.length).toBe(3000);
    expect(missingOrdinals(split)).toHaveLength(4000);
  });
});

describe("batch", () => {
  const sealed = (splits: number) => ({ splits, samples: splits, at: 1 });
  test.each([
    ["not sealed", {}, false],
    ["sealed without samples", { sealed: sealed(0) }, true],
    ["one split missing", { sealed: sealed(2), doneSplits: new Set([1]) }, false],
    ["all", { sealed: sealed(2), doneSplits: new Set([1, 0]) }, true],
    [
      "a split beyond the seal is not one of those",
      { sealed: sealed(2), doneSplits: new Set([0, 2]) },
      false,
    ],
    ["a split beyond the seal does no harm", { sealed: sealed(2), doneSplits: new Set([0, 1, 2]) }, true],
  ])("decided: %s", (_, part, expected) => {
    const batch = batchRecord(part);
    expect(isDecided(batch)).toBe(expected);
    expect(isFinal({ ...batch, finalSplits: batch.doneSplits })).toBe(expected);
    expect(isFinal({ ...batch, finalSplits: new Set() })).toBe(expected && batch.sealed?.splits === 0);
  });

  test.each([
    [{ total: 10, invalid: 2, machine: 6 }, 0.75],
    [{ total: 3, invalid: 3 }, null],
    [{}, null],
    [{ total: 5 }, 0],
  ])("machine-review rate of %j", (counts, expected) => {
    expect(machineReviewRate({ ...noCounts(), ...counts })).toBe(expected);
  });

  test("counts add up", () => {
    const left = { ...noCounts(), total: 3, machine: 2, audited: 1 };
    expect(addCounts(left, { ...noCounts(), total: 1, review: 1 })).toEqual({ ...left, total: 4, review: 1 });
  });
});

describe("standsStill", () => {
  test.each([
    ["nothing is there: it was lost", 0, 0, false],
    ["something is there and nothing came out since: it may be among it", 1, 1_000, true],
    ["something came out since: its turn has passed", 1, 1_001, false],
  ])("%s", (_, waiting, movedAt, expected) => {
    expect(standsStill({ waiting, movedAt }, 1_000)).toBe(expected);
  });
});

describe("resendDue", () => {
  const quietAfter = 900;
  const ask = (count: number, lastAt: number, now: number) =>
    resendDue({ count, lastAt, since: 1000, now, quietAfter });

  test.each([
    ["not quiet yet", 0, 0, 1000 + 899_999, "wait"],
    ["quiet", 0, 0, 1000 + 900_000, "resend"],
    ["after the first the interval doubles", 1, 901_000, 901_000 + 1_799_999, "wait"],
    ["and is over", 1, 901_000, 901_000 + 1_800_000, "resend"],
    ["the last one is waited for in vain", maxResends, 901_000, 901_000 + 900_000 * 2 ** maxResends, "lost"],
    ["the last one is waited for", maxResends, 901_000, 901_000 + 900_000 * 2 ** maxResends - 1, "wait"],
    ["later ones wait no longer", maxResends + 3, 901_000, 901_000 + 900_000 * 2 ** maxResends, "lost"],
    ["a clock that went back waits", 2, 5_000_000, 4_000_000, "wait"],
  ] as const)("%s", (_, count, lastAt, now, expected) => {
    expect(ask(count, lastAt, now)).toBe(expected);
  });

  test("a sweep every five minutes re-sends five times, then gives up for good", () => {
    let state = { count: 0, lastAt: 0 };
    const events: string[] = [];
    for (let now = 1000; events.filter((event) => event === "lost").length < 2; now += 300_000) {
      const due = ask(state.count, state.lastAt, now);
      if (due === "wait") continue;
      events.push(due);
      state = { count: state.count + 1, lastAt: now };
    }
    expect(events).toEqual(["resend", "resend", "resend", "resend", "resend", "lost", "lost"]);
  });
});
