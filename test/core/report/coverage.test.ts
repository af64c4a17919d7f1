/** What the trust report counts: coverage, people's work, causes, groups, and how it writes numbers. */
import { acceptedError } from "@touchstone/core/domain/report/accepted-error";
import { coverageFigures } from "@touchstone/core/domain/report/coverage";
import {
  countText,
  decimalText,
  hoursText,
  percentText,
  periodText,
} from "@touchstone/core/domain/report/number-text";
import { sampleStrata } from "@touchstone/core/domain/report/sample-strata";
import { stratify } from "@touchstone/core/domain/report/strata";
import { describe, expect, test } from "vitest";
import { accepted, audited, many, reviewed } from "./trust-sample.ts";

describe("coverage", () => {
  test("counts what the machine answered, what people see, and the causes in falling order", () => {
    const figures = coverageFigures([
      ...many(90, () => accepted()),
      ...many(4, () => audited(true)),
      ...many(3, () => audited(true, { isRight: null, isChecked: false })),
      ...many(2, () => reviewed({ isChecked: true })),
      reviewed({ reasons: [{ code: "missing-confidence" }] }),
      accepted({ decision: "failed", reasons: [{ code: "gave-up" }], vouchedBy: null }),
      ...many(5, () => accepted({ decision: "invalid", reasons: [{ code: "bad-line" }], vouchedBy: null })),
    ]);
    expect(figures).toMatchObject({
      ...{ samples: 106, machine: 97, review: 3, invalid: 5, failed: 1, valid: 101 },
      ...{ audits: 7, reviewed: 2, audited: 4 },
      gross: { part: 97, of: 101, rate: 97 / 101 },
      humanLoad: { part: 10, of: 101, rate: 10 / 101 },
      lost: [
        { cause: "low-confidence", samples: 2, share: 2 / 101 },
        { cause: "missing-logprobs", samples: 1 },
        { cause: "failed", samples: 1 },
      ],
    });
  });

  test.each([
    // Wilson's intervals, as science gives them.
    [97, 100, 0.915481, 0.989745],
    [970, 1000, 0.957497, 0.978906],
    [9712, 10000, 0.967737, 0.974301],
  ])("%d of %d lie between %d and %d", (machine, all, low, high) => {
    const { gross } = coverageFigures([
      ...many(machine, () => accepted()),
      ...many(all - machine, () => reviewed()),
    ]);
    expect(gross?.low).toBeCloseTo(low, 6);
    expect(gross?.high).toBeCloseTo(high, 6);
  });

  test("of nothing is nothing", () => {
    expect(coverageFigures([])).toMatchObject({ valid: 0, gross: null, humanLoad: null, lost: [] });
    expect(acceptedError([accepted(), reviewed({ isRight: false, isChecked: true })], 0.05)).toBeNull();
  });

  test("the error among accepted comes from audits alone, with its exact bound", () => {
    const samples = [
      ...many(97, () => audited(true)),
      ...many(3, () => audited(false)),
      ...many(50, () => reviewed({ isRight: false, isChecked: true })),
      audited(false, { vouchedBy: "exact" }),
    ];
    expect(acceptedError(samples, 0.05)).toMatchObject({ part: 3, of: 100, rate: 0.03 });
    expect(acceptedError(samples, 0.05)?.bound).toBeCloseTo(0.0757107937, 9);
  });
});

describe("groups", () => {
  const lengthOf = (index: number): number => (index % 2 === 0 ? 10 : 500);
  const groups = (lagging: number, wrong: number) => [
    ...many(600, (index) =>
      (index < 570 ? accepted : reviewed)({ strata: { level: "easy" }, length: lengthOf(index) }),
    ),
    ...many(100, (index) =>
      (index < lagging ? accepted : reviewed)({ strata: { level: "hard" }, length: lengthOf(index) }),
    ),
    ...many(200, (index) => audited(index >= 2, { strata: { level: "easy" }, length: lengthOf(index) })),
    ...many(60, (index) => audited(index >= wrong, { strata: { level: "hard" }, length: lengthOf(index) })),
  ];
  const lagsOf = (samples: ReturnType<typeof groups>) =>
    Object.fromEntries(
      stratify(samples).flatMap(({ by, values }) =>
        values.flatMap(({ value, lags }) => (lags.length > 0 ? [[`${by} ${value}`, lags]] : [])),
      ),
    );

  test("lag where the machine answers less or errs more beyond chance, and only there", () => {
    expect(lagsOf(groups(60, 12))).toEqual({ "level hard": ["coverage", "error"] });
    expect(lagsOf(groups(60, 1))).toEqual({ "level hard": ["coverage"] });
    expect(lagsOf(groups(93, 1))).toEqual({});
  });

  test("come laggards first, then the largest; lengths by tenths, in order, equal ones together", () => {
    const found = stratify(groups(60, 1));
    expect(found.map(({ by, values }) => [by, values.map(({ value }) => value)])).toEqual([
      ["level", ["hard", "easy"]],
      ["length", ["10", "500"]],
    ]);
  });

  test("names that tell samples apart, or that hardly a sample has, are none", () => {
    const samples = many(400, (index) =>
      accepted({ strata: { author: `a-${index % 20}`, id: String(index), rare: index < 5 ? "x" : "y" } }),
    );
    expect(stratify(samples)).toEqual([]);
    expect(stratify([])).toEqual([]);
  });

  test("nobody lags by chance alone: 200 even tasks of 8 groups show at most 5 %", () => {
    let random = 1;
    const next = (): number => {
      random = (random * 48_271) % 2_147_483_647;
      return random / 2_147_483_647;
    };
    let flagged = 0;
    for (let task = 0; task < 200; task += 1) {
      const samples = many(400, () => {
        const strata = { group: `g${Math.floor(next() * 8)}` };
        return next() < 0.9 ? audited(next() < 0.95, { strata }) : reviewed({ strata });
      });
      flagged += Number(stratify(samples).some(({ values }) => values.some(({ lags }) => lags.length > 0)));
    }
    expect(flagged).toBeLessThanOrEqual(10);
  });
});

describe("what a sample belongs to", () => {
  test.each([
    [{ id: "a", output: "好的" }, { modality: "text" }, 2],
    [
      {
        id: "a",
        input: [{ type: "image", ref: "a.png" }],
        output: "yes",
        meta: { difficulty: "hard", level: 3 },
      },
      { modality: "image", difficulty: "hard", level: "3" },
      3,
    ],
    [
      {
        id: "a",
        input: [
          { type: "image", ref: "a.png" },
          { type: "video", ref: "a.mp4" },
        ],
        output: "",
      },
      { modality: "mixed" },
      0,
    ],
    [
      { id: "a", output: "x", meta: { modality: "table", note: "n".repeat(65), none: null } },
      { modality: "table" },
      1,
    ],
    [
      {
        id: "a",
        messages: [
          { role: "user", content: "long question" },
          { role: "assistant", content: "ok" },
        ],
      },
      { modality: "text" },
      2,
    ],
  ] as const)("%j", (sample, strata, length) => {
    expect(sampleStrata(structuredClone(sample) as Parameters<typeof sampleStrata>[0])).toEqual({
      strata,
      length,
    });
  });
});

test.each([
  [0, "0%"],
  [1, "100%"],
  [0.9996, "99.9%"],
  [0.97, "97%"],
  [0.9123, "91.2%"],
  [0.00999, "1%"],
  [0.0049, "0.49%"],
  [0.000512, "0.051%"],
])("%d is written %s", (rate, text) => {
  expect(percentText(rate)).toBe(text);
});

test("counts have commas; a share below 1 is never written 1.000", () => {
  expect([0, 999, 1000, 1234567, 1234.4].map(countText)).toEqual(["0", "999", "1,000", "1,234,567", "1,234"]);
  expect([0.99996, 1, 0.5].map(decimalText)).toEqual(["0.999", "1.000", "0.500"]);
});

test("hours below ten have a decimal; a period of one day is that day, in UTC", () => {
  expect([0, 3.567, 9.96, 112.6].map(hoursText)).toEqual(["0", "3.6", "10", "113"]);
  const [first, last] = [Date.parse("2026-11-10T23:30:00Z"), Date.parse("2026-11-11T00:10:00Z")];
  expect([periodText(first, last), periodText(first, first)]).toEqual([
    "2026-11-10 – 2026-11-11",
    "2026-11-10",
  ]);
});
