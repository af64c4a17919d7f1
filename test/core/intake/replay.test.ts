/** A replay takes the same samples at every reading, whatever was selected before it, and never of a run at work. */

import { type Row, rowFromJson } from "@touchstone/core/domain/intake/read-row";
import { replayArrival, replayedPlaces, replayedSplits } from "@touchstone/core/domain/intake/replay";
import { cutSplits } from "@touchstone/core/domain/intake/splits";
import { applyEntries, newSplit } from "@touchstone/core/domain/ledger/split";
import type { SplitRecord } from "@touchstone/core/schema/ledger";
import { type Outcome, outcomes } from "@touchstone/core/schema/outcome";
import { type ReplayableOutcome, replayableOutcomes } from "@touchstone/core/schema/replay";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { batchId, batchRecord } from "../../contract/records.ts";

const batch = batchId("replayed");
async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) =>
    rowFromJson(JSON.stringify({ id: `s-${index}`, output: "x" }), index + 1, 1),
  );
const recordOf = (split: number, decided: readonly Outcome[]): SplitRecord =>
  applyEntries(
    newSplit(batch, 1, split, decided.length, 1),
    decided.map((event, ordinal) => ({ ordinal, event, at: 1, task: "dialogue" })),
  ).split;

/** Splits of `size` samples and their ledger rows, from one outcome per sample. */
const decidedRun = (decided: readonly Outcome[], size: number) => {
  const records = Array.from({ length: Math.ceil(decided.length / size) }, (_, split) =>
    recordOf(split, decided.slice(split * size, (split + 1) * size)),
  );
  return { splits: () => cutSplits(each(rowsOf(decided.length)), { samples: size, bytes: 1e9 }), records };
};
const idsOf = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) => (row.kind === "sample" ? row.sample.id : row.sampleId));
const replay = async (
  { splits, records }: ReturnType<typeof decidedRun>,
  only: readonly ReplayableOutcome[],
) => Array.fromAsync(replayedSplits(splits(), only, async (index) => records[index] ?? null));

describe("replayedSplits", () => {
  test("empty splits leave no gap, ordinals begin anew, lines stay those of the file", async () => {
    const run = decidedRun(["machine", "failed", "machine", "machine", "review", "failed"], 2);
    const taken = await replay(run, ["failed"]);
    expect(taken.map(({ index, rows }) => [index, idsOf(rows), rows.map(({ line }) => line)])).toEqual([
      [0, ["s-1"], [2]],
      [1, ["s-5"], [6]],
    ]);
  });

  test("a selection of a selection is taken of what was selected", async () => {
    const first = decidedRun(["failed", "machine", "failed", "failed", "review"], 2);
    const second = [recordOf(0, ["machine"]), recordOf(1, ["failed", "machine"])];
    const again = replayedSplits(
      replayedSplits(first.splits(), ["failed"], async (index) => first.records[index] ?? null),
      ["failed"],
      async (index) => second[index] ?? null,
    );
    expect((await Array.fromAsync(again)).map(({ index, rows }) => [index, idsOf(rows)])).toEqual([
      [0, ["s-2"]],
    ]);
  });

  test("takes exactly the samples with such an outcome, twice the same, where the places say they stood", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.subarray([...replayableOutcomes], { minLength: 1 }),
        async (decided, size, only) => {
          const run = decidedRun(decided, size);
          const taken = await replay(run, only);
          expect(taken.flatMap(({ rows }) => idsOf(rows))).toEqual(
            decided.flatMap((outcome, at) => (only.some((one) => one === outcome) ? [`s-${at}`] : [])),
          );
          expect(taken.map(({ index }) => index)).toEqual(taken.map((_, index) => index));
          expect(await replay(run, only)).toEqual(taken);
          const places = replayedPlaces(run.records, only).map((split) =>
            split.map((place) => `s-${place.split * size + place.ordinal}`),
          );
          expect(places).toEqual(taken.map(({ rows }) => idsOf(rows)));
        },
      ),
      { numRuns: 60 },
    ));
});

describe("replayArrival", () => {
  const decided = batchRecord({
    ...{ batch, splitsSent: 1, revision: 3, fault: "cut off", decidedAt: 9 },
    sealed: { splits: 1, samples: 1, at: 5 },
    doneSplits: new Set([0]),
  });
  const request = { kind: "replay" as const, schema: 1 as const, batch, run: 2, replays: { run: 1 } };

  test("begins anew: nothing sent, nothing done, no templates, the same file", () => {
    const { source, task, bytes, sequencer, callType } = decided;
    expect(replayArrival(request, decided, 77)).toEqual({
      ...{ batch, run: 2, replays: { run: 1 }, source, task, bytes, sequencer, callType },
      ...{ arrivedAt: 77, openedAt: 77, splitsSent: 0, revision: 0 },
      doneSplits: new Set(),
      finalSplits: new Set(),
    });
  });

  test.each([
    ["of nothing", null, 1],
    ["of a run that is not sealed", batchRecord({ batch }), 1],
    ["of a run with undecided splits", { ...decided, doneSplits: new Set<number>() }, 1],
    ["of itself", decided, 2],
  ])("%s is refused for good", (_, repeated, run) => {
    expect(() => replayArrival({ ...request, replays: { run } }, repeated, 77)).toThrow(
      expect.objectContaining({ kind: "permanent" }),
    );
  });
});
