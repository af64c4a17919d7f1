/** Result files: lines, errors, tallies and the summary. */

import { noCounts } from "@touchstone/core/domain/ledger/split";
import {
  addTallies,
  emptyTallies,
  errorLine,
  partKeys,
  resultFolder,
  resultLine,
  standingValues,
  summarise,
  tallyResults,
} from "@touchstone/core/domain/results/result-files";
import { resultTalliesSchema } from "@touchstone/core/schema/tallies";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { batchRecord, result, verdict } from "../../contract/records.ts";

const confidence = { source: "logprob", raw: 0.5, calibrated: null } as const;
const field = (id: string, value: string | null) => ({ id, value, confidence });

describe("lines", () => {
  test("a person's answer stands over the machine's, undecided fields are absent", () => {
    const stored = {
      result: result({ fields: [field("a", "Y"), field("b", null), field("c", "Y")] }),
      verdict: verdict({ values: { b: "N", c: "N" } }),
      attempts: 0,
    };
    expect(standingValues(stored)).toEqual({ a: "Y", b: "N", c: "N" });
    expect(JSON.parse(resultLine(stored))).toMatchObject({
      sampleId: "s-1",
      values: { a: "Y", b: "N", c: "N" },
      verdict: { reviewer: "李雷" },
    });
    expect(JSON.parse(resultLine({ ...stored, verdict: null }))).not.toHaveProperty("verdict");
  });

  test("text with line separators stays one line", () => {
    const line = resultLine({ result: result({ explanation: "a\nb\u2028c" }), verdict: null, attempts: 0 });
    expect(line.split("\n")).toHaveLength(1);
  });

  test.each([
    [
      "invalid",
      [{ code: "bad-line", field: "output.0.ref", detail: "why" }],
      {
        file: "f",
        line: 1,
        id: "s-1",
        outcome: "invalid",
        code: "bad-line",
        field: "output.0.ref",
        message: "why",
      },
    ],
    [
      "failed",
      [{ code: "gave-up" }],
      {
        file: "f",
        line: 1,
        id: "s-1",
        outcome: "failed",
        code: "gave-up",
        field: "",
        message: "given up after several attempts",
      },
    ],
    ["review", [{ code: "unrouted" }], null],
    ["machine", [{ code: "confident" }], null],
  ] as const)("errors.jsonl of %s", (decision, reasons, expected) => {
    const line = errorLine(result({ decision, reasons: [...reasons] }), "f");
    expect(line === null ? null : JSON.parse(line)).toEqual(expected);
  });
});

describe("tallies", () => {
  const all = [
    result({ agrees: { a: true, b: true } }),
    result({ agrees: { a: true, b: false } }),
    result({
      decision: "review",
      agrees: { a: true },
      reasons: [
        { code: "low-confidence", field: "a" },
        { code: "low-confidence", field: "b" },
        { code: "context-cut" },
      ],
      format: ["json", "required"],
    }),
    result({
      decision: "invalid",
      reasons: [{ code: "bad-line" }],
      usage: { judgeCalls: 0, promptTokens: 0, completionTokens: 0 },
    }),
  ];
  const counts = { ...noCounts(), total: 4, machine: 2, review: 1, invalid: 1 };

  test("count samples by reason, and agreement of what the machine answered", () => {
    expect(tallyResults(counts, all)).toEqual({
      counts,
      coverage: { certified: 0, audits: 0, lost: { policy: 1 } },
      reasons: {
        "machine/confident": 2,
        "review/low-confidence": 1,
        "review/context-cut": 1,
        "invalid/bad-line": 1,
      },
      labelled: 2,
      agreed: 1,
      // The line that no judge answered does not count.
      format: { answers: 3, kept: 2, broken: { json: 1, required: 1 } },
      judgeCalls: 3,
      promptTokens: 2700,
      completionTokens: 60,
    });
  });

  test("parts add up to the whole, in any order", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.nat({ max: all.length }),
        (order, at) => {
          const whole = tallyResults(counts, all);
          const sum = addTallies(
            tallyResults(counts, order.slice(0, at)),
            tallyResults(noCounts(), order.slice(at)),
          );
          expect(addTallies(sum, emptyTallies())).toEqual(whole);
          expect(resultTalliesSchema.parse(JSON.parse(JSON.stringify(sum)))).toEqual(sum);
        },
      ),
    );
  });

  test("the summary states rate, agreement, fault and state", () => {
    const tallies = tallyResults(counts, all);
    const summary = summarise(batchRecord({ fault: "cut off" }), tallies, 2, "final", 0);
    expect(summary).toMatchObject({
      state: "final",
      revision: 2,
      fault: "cut off",
      machineReviewRate: 2 / 3,
      writtenAt: "1970-01-01T00:00:00.000Z",
      agreement: { labelled: 2, agreed: 1, rate: 0.5 },
      format: { answers: 3, kept: 2, rate: 2 / 3, broken: { json: 1, required: 1 } },
    });
    expect(summarise(batchRecord(), emptyTallies(), 1, "decided", 0)).toMatchObject({
      agreement: null,
      format: null,
      machineReviewRate: null,
    });
    expect(summarise(batchRecord(), emptyTallies(), 1, "decided", 0)).not.toHaveProperty("fault");
  });
});

test("part files sort by split and differ by batch, run and state", () => {
  const batch = batchRecord();
  const keys = [9, 10, 100].map((split) => partKeys(batch, split, "final").results);
  expect(keys.toSorted()).toEqual(keys);
  expect(keys[0]).toBe(`${resultFolder(batch)}parts/final/results-00009.jsonl`);
  const others = [
    partKeys({ ...batch, run: 2 }, 9, "final"),
    partKeys(batch, 9, "decided"),
    partKeys(batchRecord(), 9, "final"),
  ];
  expect(new Set([keys[0], ...others.map(({ results }) => results)]).size).toBe(4);
});
