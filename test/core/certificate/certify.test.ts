import { upperBound } from "@touchstone/core/domain/certificate/bounds";
import {
  type AuditedAnswer,
  certify,
  coverageGrid,
  sequenceStarts,
} from "@touchstone/core/domain/certificate/certify";
import { certifyVeto } from "@touchstone/core/domain/certificate/certify-veto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

type Row = readonly [coverage: number, n: number, k: number];

/** Audits with distinct confidences that have k errors among the surest n, for each row. */
const audits = (rows: readonly Row[]): readonly AuditedAnswer[] => {
  const size = rows.at(-1)?.[1] ?? 0;
  let [from, errors] = [0, 0];
  return rows.flatMap(([, n, k]) => {
    const [count, wrong] = [n - from, k - errors];
    const start = from;
    [from, errors] = [n, k];
    return Array.from({ length: count }, (_, index) => ({
      confidence: 1 - (start + index) / size,
      error: index < wrong,
    }));
  });
};
const pooled = (list: readonly AuditedAnswer[]) => list.map(({ confidence }) => confidence);
const oneStart = (coverage: number) => [{ coverage, share: 1 }];

describe("fixed-sequence testing", () => {
  const rows: readonly Row[] = [
    [0.8, 800, 6],
    [0.9, 900, 9],
    [0.95, 950, 14],
    [0.97, 970, 17],
    [0.98, 980, 19],
    [0.99, 990, 24],
    [1, 1000, 31],
  ];
  const stream = audits(rows);
  const grid = rows.map(([coverage]) => coverage);
  const run = (alpha: number) =>
    certify({ pool: pooled(stream), audits: stream, alpha, delta: 0.05, grid, starts: oneStart(0.8) });

  test("tests what is accepted at each coverage, with exact bounds", () => {
    const bounds = [0.014749, 0.017385, 0.022943, 0.026173, 0.028319, 0.033925, 0.04161];
    const { tests } = run(0.9);
    expect(tests.map(({ coverage, n, k }) => [coverage.grid, n, k])).toEqual(rows);
    for (const [index, { bound }] of tests.entries()) expect(bound).toBeCloseTo(bounds[index] ?? 0, 6);
  });

  test.each([
    [0.03, 0.98],
    [0.025, 0.95],
    [0.05, 1],
  ])("at an error of %f it certifies a coverage of %f", (alpha, coverage) => {
    expect(run(alpha).proof?.coverage).toEqual({ grid: coverage, pool: coverage });
  });

  test("stops at the first failure, though a later one would pass", () => {
    const bent = audits([
      [0.8, 80, 0],
      [0.9, 90, 9],
      [1, 1000, 9],
    ]);
    const plan = { alpha: 0.05, delta: 0.05, grid: [0.08, 0.09, 1], starts: oneStart(0.08) };
    const { proof, tests } = certify({ pool: pooled(bent), audits: bent, ...plan });
    expect(proof?.coverage.grid).toBe(0.08);
    expect(tests.map(({ passed }) => passed)).toEqual([true, false]);
  });

  test("certifies nothing where even the surest fail, rather than the surest", () => {
    const { proof, tests } = run(0.01);
    expect(proof).toBeNull();
    expect(tests).toHaveLength(1);
  });
});

describe("real judges, as far as their counts are published; the counts between are filled in", () => {
  const grid = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1];
  const judges: Readonly<Record<string, readonly number[]>> = {
    "GPT-4-turbo": [26, 33, 42, 55, 69, 80, 92, 108],
    "GPT-3.5": [26, 38, 55, 75, 84, 98, 112, 125],
    Mistral: [29, 42, 56, 74, 81, 92, 112, 125],
  };
  test.each([
    ["GPT-4-turbo", 0.25, 1, 500, 0.241409],
    ["GPT-4-turbo", 0.2, 0.85, 425, 0.187632],
    ["GPT-4-turbo", 0.15, 0.7, 350, 0.145336],
    ["GPT-3.5", 0.25, 0.9, 450, 0.244733],
    ["GPT-3.5", 0.2, 0.7, 350, 0.184961],
    ["GPT-3.5", 0.15, 0.5, 250, 0.133194],
    ["Mistral", 0.25, 0.9, 450, 0.230877],
    ["Mistral", 0.2, 0.7, 350, 0.187987],
    ["Mistral", 0.15, 0.5, 250, 0.146313],
  ])("%s at %f: coverage %f", (judge, alpha, coverage, n, bound) => {
    const list = audits(
      (judges[judge] ?? []).map((k, index) => [grid[index] ?? 0, (grid[index] ?? 0) * 500, k]),
    );
    const { proof } = certify({
      pool: pooled(list),
      audits: list,
      alpha,
      delta: 0.1,
      grid,
      starts: oneStart(0.5),
    });
    expect(proof).toMatchObject({ coverage: { grid: coverage }, n });
    expect(proof?.bound).toBeCloseTo(bound, 6);
  });
});

describe("two starts", () => {
  const plan = { alpha: 0.05, delta: 0.05, grid: coverageGrid, starts: sequenceStarts };

  test("share delta, and the deeper one wins", () => {
    const easy = audits([
      [0.9, 900, 0],
      [1, 1000, 60],
    ]);
    const { proof, tests } = certify({ pool: pooled(easy), audits: easy, ...plan });
    expect(proof).toMatchObject({ coverage: { grid: 0.92 }, level: expect.closeTo(0.04, 10) });
    expect(new Set(tests.map(({ start, level }) => `${start} ${level.toFixed(3)}`))).toEqual(
      new Set(["0.8 0.040", "0.5 0.010"]),
    );
  });

  test("the lower one saves what can be saved of a judge that 80 % is too much for", () => {
    const hard = audits([
      [0.6, 600, 5],
      [1, 1000, 150],
    ]);
    const { proof } = certify({ pool: pooled(hard), audits: hard, ...plan });
    expect(proof).toMatchObject({ coverage: { grid: 0.6 }, level: expect.closeTo(0.01, 10) });
  });
});

describe("the pool", () => {
  const plan = { alpha: 0.05, delta: 0.05, grid: [0.5, 1], starts: oneStart(0.5) };
  const right = (confidence: number | null): AuditedAnswer => ({ confidence, error: false });

  test("ties are accepted together, and counted", () => {
    const pool = [...Array.from({ length: 90 }, () => 0.9), ...Array.from({ length: 10 }, () => 0.1)];
    const list = pool.map((confidence) => ({ confidence, error: confidence < 0.5 }));
    const { proof } = certify({ pool, audits: list, ...plan });
    expect(proof).toMatchObject({ tau: 0.9, n: 90, k: 0, coverage: { grid: 0.5, pool: 0.9 } });
  });

  test("what has no confidence is never accepted, and costs coverage", () => {
    const pool = [...Array.from({ length: 180 }, (_, index) => 0.5 + index / 400), ...Array(20).fill(null)];
    const { proof, tests } = certify({ pool, audits: pool.map(right), ...plan });
    expect(proof?.coverage).toEqual({ grid: 0.5, pool: 0.5 });
    expect(tests).toHaveLength(1);
  });

  test("nothing comes of an empty pool, or of no audits", () => {
    expect(certify({ pool: [], audits: [], ...plan })).toEqual({ proof: null, tests: [] });
    expect(certify({ pool: [0.9, 0.8], audits: [], ...plan }).proof).toBeNull();
  });

  test("order is of no account, and more errors never raise the coverage", () => {
    const answers = fc.array(
      fc.record({
        confidence: fc.integer({ min: 0, max: 20 }).map((step) => step / 20),
        error: fc.boolean(),
      }),
      { minLength: 30, maxLength: 200 },
    );
    const full = { alpha: 0.4, delta: 0.1, grid: coverageGrid, starts: sequenceStarts };
    fc.assert(
      fc.property(answers, fc.nat(), (list, pick) => {
        const pool = pooled(list);
        const { proof } = certify({ pool, audits: list, ...full });
        expect(certify({ pool: pool.toReversed(), audits: list.toReversed(), ...full }).proof).toEqual(proof);
        const worse = list.map((answer, index) =>
          index === pick % list.length ? { ...answer, error: true } : answer,
        );
        const after = certify({ pool, audits: worse, ...full }).proof;
        expect(after?.coverage.grid ?? 0).toBeLessThanOrEqual(proof?.coverage.grid ?? 0);
        if (!proof) return;
        const accepted = list.filter(({ confidence }) => confidence !== null && confidence >= proof.tau);
        expect(accepted).toHaveLength(proof.n);
        expect(proof.bound).toBe(upperBound(proof.k, proof.n, proof.level));
      }),
      { seed: 4, numRuns: 100 },
    );
  });
});

test.each([
  ["delta", { delta: 0 }],
  ["grid", { grid: [0.5, 0.5, 1] }],
  ["point of the grid", { starts: oneStart(0.65) }],
  ["exceed 1", { starts: [...sequenceStarts, { coverage: 0.9, share: 0.1 }] }],
])("a plan that proves nothing is refused: %s", (message, wrong) => {
  const plan = { alpha: 0.05, delta: 0.05, grid: coverageGrid, starts: sequenceStarts, ...wrong };
  expect(() => certify({ pool: [0.9], audits: [], ...plan })).toThrow(message);
});

describe("a veto criterion", () => {
  const plan = { alpha: 0.005, delta: 0.05, grid: [0.9, 1], starts: oneStart(0.9) };
  const clean = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      confidence: 0.99 - index / 10_000,
      flagged: false,
      violated: false,
    }));
  /** Seen where there is nothing: harmless, and people look at it anyway. */
  const falseAlarms = Array.from({ length: 50 }, () => ({ confidence: 0.9, flagged: true, violated: false }));

  test("is certified by what was missed, not by false alarms", () => {
    const audits = [...clean(665), ...falseAlarms];
    const { proof } = certifyVeto({ pool: audits, audits, ...plan });
    expect(proof).toMatchObject({ k: 0, n: 665, coverage: { grid: 1, pool: 1 } });
  });

  test("one miss among 665 is one too many, and so are too few audits", () => {
    const missed = clean(665).map((verdict, index) => ({ ...verdict, violated: index === 0 }));
    expect(certifyVeto({ pool: missed, audits: missed, ...plan }).proof).toBeNull();
    expect(certifyVeto({ pool: clean(665), audits: clean(598), ...plan }).proof).not.toBeNull();
    expect(certifyVeto({ pool: clean(597), audits: clean(597), ...plan }).proof).toBeNull();
  });
});
