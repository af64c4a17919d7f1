/** The watch's statistics against golden values and against a simulation. */
import { averageRunLength, cusum, cusumThreshold, watchedRates } from "@touchstone/core/domain/watch/cusum";
import { mcnemarP } from "@touchstone/core/domain/watch/mcnemar";
import {
  binCounts,
  equalEdges,
  stabilityIndex,
  tenthEdges,
} from "@touchstone/core/domain/watch/stability-index";
import { describe, expect, test } from "vitest";
import { seededRandom } from "./seeded-random.ts";

describe("CUSUM", () => {
  test("adds ln(p1/p0) for an error, takes ln((1-p0)/(1-p1)) for a right answer, and never falls below 0", () => {
    const rates = { p0: 0.02, p1: 0.05 };
    let score = 0;
    const scores = [false, true, true, false, false, true].map((isError) => {
      score = cusum(score, isError, rates);
      return score;
    });
    const expected = [0, 0.916290732, 1.832581464, 1.801490877, 1.77040029, 2.686691021];
    for (const [index, at] of scores.entries()) expect(at).toBeCloseTo(expected[index] ?? -1, 8);
  });

  test.each([
    // p0, p1, h, audits between false alarms, audits until a doubled (or worse) error rate is noticed
    [0.005, 0.02, 3.4026, 5052, 226.1],
    [0.01, 0.03, 3.5818, 5018, 227.1],
    [0.01, 0.05, 4.3855, 5014, 95.8],
    [0.02, 0.04, 3.3678, 5033, 332.7],
    [0.02, 0.05, 3.8786, 5036, 198.7],
    [0.03, 0.06, 3.7825, 5004, 249.7],
    [0.05, 0.1, 4.2713, 5025, 170.4],
    [0.1, 0.2, 5.0647, 5016, 96.1],
  ])("from %d to %d: h is the lowest with 5,000 audits between false alarms", (p0, p1, h, between, delay) => {
    const plan = { p0, p1, h: cusumThreshold({ p0, p1 }) };
    expect(plan.h).toBeCloseTo(h, 4);
    expect(averageRunLength(p0, plan)).toBeGreaterThanOrEqual(5_000);
    expect(averageRunLength(p0, plan)).toBeCloseTo(between, -0.5);
    expect(averageRunLength(p1, plan)).toBeCloseTo(delay, 0);
  });

  test("a simulation takes as long, or a little longer, before and after the change", () => {
    const rates = { p0: 0.05, p1: 0.1 };
    const plan = { ...rates, h: cusumThreshold(rates) };
    for (const p of [rates.p0, rates.p1]) {
      const random = seededRandom(7);
      const runs = 300;
      let audits = 0;
      for (let run = 0; run < runs; run += 1)
        for (let score = 0; score < plan.h; audits += 1) score = cusum(score, random() < p, rates);
      const ratio = audits / runs / averageRunLength(p, plan);
      // The mean of 300 geometric-like runs is off by 6 % in one of three cases.
      expect(ratio).toBeGreaterThan(0.85);
      expect(ratio).toBeLessThan(1.18);
    }
  });

  test.each([
    // A certificate without a single error still has an error rate to start from.
    [{ n: 299, k: 0, alpha: 0.03 }, 0.00166667, 0.03],
    [{ n: 1000, k: 10, alpha: 0.05 }, 0.01048951, 0.05],
    // Twice the estimate, where the target is too close to it to be noticed.
    [{ n: 1000, k: 20, alpha: 0.03 }, 0.02047952, 0.04095904],
    [{ n: 10, k: 9, alpha: 0.9 }, 0.5, 0.75],
  ])("%j is watched from p0 to p1", (certificate, p0, p1) => {
    const rates = watchedRates(certificate);
    expect(rates.p0).toBeCloseTo(p0, 7);
    expect(rates.p1).toBeCloseTo(p1, 7);
  });

  test.each([
    [0, 0.1],
    [0.1, 0.1],
    [0.2, 0.1],
    [0.5, 1],
  ])("there is nothing to watch from %d to %d", (p0, p1) => {
    expect(() => cusum(0, true, { p0, p1 })).toThrow(/0 < p0 < p1 < 1/);
  });
});

describe("stability index", () => {
  const even = Array.from({ length: 10 }, () => 10);
  test.each([
    ["alike", even, even.map((count) => count * 7), 0],
    ["half moved up", even, [5, 5, 5, 5, 10, 10, 15, 15, 15, 15], 0.21972245773],
    ["the lowest fifth gone", even, [0, 0, 10, 10, 10, 10, 10, 10, 20, 20], 1.51879894085],
    ["nothing in common", [50, 50, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 50, 50], 17.03097950556],
    ["nothing yet", even, even.map(() => 0), 0],
  ])("%s", (_, expected, actual, index) => {
    expect(stabilityIndex(expected, actual)).toBeCloseTo(index, 8);
  });

  test("a bin holds its lower edge", () => {
    expect(binCounts([0, 0.09, 0.1, 0.55, 0.9, 1], equalEdges)).toEqual([2, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
  });

  test("tenths of what was seen make even bins; ties share one", () => {
    const spread = Array.from({ length: 100 }, (_, index) => 0.9 + index / 1000);
    expect(binCounts(spread, tenthEdges(spread))).toEqual(even);
    const tied = [...Array.from({ length: 80 }, () => 1), ...Array.from({ length: 20 }, () => 0.5)];
    const counts = binCounts(tied, tenthEdges(tied));
    expect(counts.filter((count) => count > 0)).toEqual([20, 80]);
    expect(tenthEdges([])).toEqual(equalEdges);
  });
});

describe("McNemar", () => {
  test.each([
    [0, 0, 1],
    [1, 0, 1],
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    [10, 1, 0.01171875],
    [15, 5, 0.04138947],
    [5, 15, 0.04138947],
    [8, 8, 1],
    [121, 59, 4.4344493e-6],
    [1200, 1100, 0.03896685268],
  ])("%d broke, %d mended", (broke, mended, p) => {
    expect(mcnemarP(broke, mended)).toBeCloseTo(p, 7);
  });
});
