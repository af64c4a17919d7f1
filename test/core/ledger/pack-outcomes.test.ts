import { bareResult, outcomeOf } from "@touchstone/core/domain/intake/entry-message";
import { packOutcomes, unpackOutcomes } from "@touchstone/core/domain/ledger/pack-outcomes";
import type { OutcomeMessage, SettleEntry } from "@touchstone/core/schema/messages";
import { describe, expect, test } from "vitest";
import { batchRecord, sampleKey } from "../../contract/records.ts";

const { batch } = batchRecord();
const outcome = (ordinal: number, detail = "d"): OutcomeMessage => {
  const record = bareResult(
    `s-${ordinal}`,
    "t",
    1,
    "failed",
    { code: "lost", detail },
    { callType: "score" },
    5,
  );
  return outcomeOf(sampleKey(ordinal, batch), record, null);
};
const check: SettleEntry = { kind: "check", schema: 1, batch, run: 1 };
const many = (count: number, detail?: string): readonly OutcomeMessage[] =>
  Array.from({ length: count }, (_, ordinal) => outcome(ordinal, detail));
const sizes = (entries: readonly SettleEntry[]): readonly number[] =>
  packOutcomes(entries).map((message) => unpackOutcomes(message).length);

describe("packing", () => {
  test.each([
    ["nothing", [], []],
    ["one outcome, which stays as it is", many(1), [1]],
    ["as many as fit", many(25), [25]],
    ["one more", many(26), [25, 1]],
    ["a check between outcomes", [...many(2), check, ...many(2)], [1, 4]],
    ["outcomes of 25 kB: two in a piece of 64 KiB", many(5, "x".repeat(25_000)), [2, 2, 1]],
    ["characters of three bytes", many(4, "试".repeat(9_000)), [2, 2]],
    ["one that is larger than a piece", [outcome(0), outcome(1, "x".repeat(70_000)), outcome(2)], [1, 1, 1]],
  ] as const)("%s", (_, entries, expected) => {
    expect(sizes(entries)).toEqual(expected);
  });

  test("one alone is no pack", () => {
    expect(packOutcomes([outcome(3)])).toEqual([outcome(3)]);
  });

  test("whatever goes in comes out, outcomes in their order", () => {
    const entries = [check, ...many(60, "x".repeat(3_000))];
    const out = packOutcomes(entries).flatMap(unpackOutcomes);
    expect(out).toHaveLength(entries.length);
    expect(out.filter(({ kind }) => kind === "outcome")).toEqual(entries.slice(1));
  });

  test("no pack of several is dearer than one piece of 64 KiB", () => {
    for (const message of packOutcomes(many(100, "试".repeat(700)))) {
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(64 * 1024);
    }
  });
});
