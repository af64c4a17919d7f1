/** Splits and the set of ids: limits, determinism, repeated ids across the whole file. */
import { createIdSet, hash64 } from "@touchstone/core/domain/intake/id-set";
import { type Row, rowFromJson } from "@touchstone/core/domain/intake/read-row";
import { cutSplits } from "@touchstone/core/domain/intake/splits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const row = (id: string, line: number, bytes: number): Row =>
  rowFromJson(JSON.stringify({ id, output: "x" }), line, bytes);
async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
const cut = (rows: readonly Row[], limits?: { samples: number; bytes: number }) =>
  Array.fromAsync(cutSplits(each(rows), limits));

describe("cutSplits", () => {
  test.each([
    ["by number", [1, 1, 1, 1, 1], { samples: 2, bytes: 99 }, [2, 2, 1]],
    ["by bytes", [40, 40, 40], { samples: 9, bytes: 80 }, [2, 1]],
    ["a row over the limit has a split of its own", [10, 500, 10], { samples: 9, bytes: 80 }, [1, 1, 1]],
    ["exactly full", [1, 1], { samples: 2, bytes: 99 }, [2]],
    ["nothing", [], { samples: 2, bytes: 99 }, []],
  ])("%s", async (_, sizes, limits, expected) => {
    const rows = sizes.map((bytes, index) => row(`s-${index}`, index + 1, bytes));
    expect((await cut(rows, limits)).map((split) => split.rows.length)).toEqual(expected);
  });

  test("a repeated id spoils the later line, also in a later split; bad lines claim no id", async () => {
    const rows = [
      row("a", 1, 1),
      row("b", 2, 1),
      rowFromJson('{"id":"c"}', 3, 1),
      row("c", 4, 1),
      row(" a ", 5, 1),
    ];
    const splits = await cut(rows, { samples: 2, bytes: 99 });
    expect(splits.map((split) => split.index)).toEqual([0, 1, 2]);
    expect(splits.flatMap((split) => split.rows.map((one) => one.kind))).toEqual([
      "sample",
      "sample",
      "bad",
      "sample",
      "bad",
    ]);
    expect(splits[2]?.rows[0]).toMatchObject({
      sampleId: "a",
      line: 5,
      fault: { code: "duplicate-id", field: "id" },
    });
  });

  test("the same rows give the same splits; nothing is lost, moved or over the limits", async () => {
    const limits = { samples: 7, bytes: 100 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ id: fc.integer({ min: 0, max: 60 }), bytes: fc.integer({ min: 0, max: 150 }) }),
          { maxLength: 80 },
        ),
        async (made) => {
          const rows = made.map(({ id, bytes }, index) => row(`s-${id}`, index + 1, bytes));
          const splits = await cut(rows, limits);
          expect(await cut(rows, limits)).toEqual(splits);
          expect(splits.flatMap((split) => split.rows.map((one) => one.line))).toEqual(
            rows.map((one) => one.line),
          );
          for (const { rows: held } of splits) {
            const bytes = held.reduce((sum, one) => sum + one.bytes, 0);
            expect(held.length <= limits.samples && (held.length === 1 || bytes <= limits.bytes)).toBe(true);
          }
          const ids = splits.flatMap((split) =>
            split.rows.flatMap((one) => (one.kind === "sample" ? [one.sample.id] : [])),
          );
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.length).toBe(new Set(made.map(({ id }) => id)).size);
        },
      ),
    );
  });
});

describe("id set", () => {
  test.each([
    ["numbered", (index: number) => `s-${index}`],
    ["padded", (index: number) => String(index).padStart(12, "0")],
    ["long with the difference last", (index: number) => `${"x".repeat(200)}${index}`],
    [
      "Chinese",
      (index: number) =>
        `样本${String.fromCodePoint(0x4e00 + (index % 20_000))}-${Math.floor(index / 20_000)}`,
    ],
  ])("100,000 %s ids: no false duplicate, and every true one", (_, idOf) => {
    const set = createIdSet();
    let fresh = 0;
    for (let index = 0; index < 100_000; index += 1) if (set.add(idOf(index))) fresh += 1;
    expect(fresh).toBe(100_000);
    expect(set.size).toBe(100_000);
    let again = 0;
    for (let index = 0; index < 100_000; index += 7) if (!set.add(idOf(index))) again += 1;
    expect(again).toBe(Math.ceil(100_000 / 7));
    expect(set.size).toBe(100_000);
  });

  test("agrees with a plain set of any strings", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 4 }), { maxLength: 200 }), (ids) => {
        const plain = new Set<string>();
        const set = createIdSet();
        for (const id of ids) {
          expect(set.add(id)).toBe(!plain.has(id));
          plain.add(id);
        }
      }),
    );
  });

  test("each half of the hash alone already tells nearly all ids apart", () => {
    const halves = [new Set<number>(), new Set<number>()];
    for (let index = 0; index < 20_000; index += 1) {
      for (const [side, half] of hash64(`s-${index}`).entries()) halves[side]?.add(half);
    }
    // About 20,000² ÷ 2³³ = 0.05 collisions are expected of 32 good bits.
    for (const half of halves) expect(half.size).toBeGreaterThan(19_995);
  });
});
