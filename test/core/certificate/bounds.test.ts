import { leastAudits } from "@touchstone/core/domain/certificate/audit-plan";
import {
  binomialCdf,
  errorBehindNoise,
  hoeffdingBentkusP,
  lowerBound,
  stratifiedUpperBound,
  upperBound,
  wilsonInterval,
} from "@touchstone/core/domain/certificate/bounds";
import { sharedDelta, spentDelta } from "@touchstone/core/domain/certificate/spending";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

describe("exact bounds of an error rate", () => {
  test.each([
    [0, 100, 0.05, 0.0295130496],
    [0, 99, 0.05, 0.0298066738],
    [0, 149, 0.05, 0.0199048162],
    [1, 100, 0.05, 0.0465598115],
    [3, 100, 0.05, 0.0757107937],
    [2, 300, 0.05, 0.0208362305],
    [5, 500, 0.05, 0.0209103229],
    [5, 500, 0.1, 0.0184701136],
    [10, 500, 0.05, 0.0336882723],
    [10, 1000, 0.05, 0.0169031751],
    [20, 1000, 0.05, 0.0289301229],
    [30, 1000, 0.05, 0.0404722373],
    [0, 10, 0.1, 0.2056717653],
    [44, 356, 0.1, 0.1489550071],
  ])("%i of %i at %f: at most %f", (k, n, delta, expected) => {
    expect(Math.abs(upperBound(k, n, delta) - expected)).toBeLessThan(1e-9);
  });

  test("both sides at 95 %", () => {
    expect(Math.abs(lowerBound(10, 100, 0.025) - 0.0490046892)).toBeLessThan(1e-9);
    expect(Math.abs(upperBound(10, 100, 0.025) - 0.1762225977)).toBeLessThan(1e-9);
  });

  test("of nothing, of all and of none", () => {
    expect([upperBound(0, 0, 0.05), upperBound(7, 7, 0.05)]).toEqual([1, 1]);
    expect([lowerBound(0, 0, 0.05), lowerBound(0, 7, 0.05)]).toEqual([0, 0]);
    expect(lowerBound(7, 7, 0.05)).toBeCloseTo(0.05 ** (1 / 7), 12);
  });

  const counts = fc.integer({ min: 1, max: 3000 }).chain((n) =>
    fc.record({
      n: fc.constant(n),
      k: fc.integer({ min: 0, max: n - 1 }),
      delta: fc.double({ min: 0.0005, max: 0.3, noNaN: true }),
    }),
  );

  test("the upper bound is the root of the binomial tail, and mirrors the lower one", () => {
    fc.assert(
      fc.property(counts, ({ n, k, delta }) => {
        const bound = upperBound(k, n, delta);
        expect(Math.abs(binomialCdf(k, n, bound) - delta)).toBeLessThan(1e-7 * delta);
        expect(Math.abs(1 - lowerBound(n - k, n, delta) - bound)).toBeLessThan(1e-9);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("rises with errors, falls with audits and with the chance allowed", () => {
    fc.assert(
      fc.property(counts, ({ n, k, delta }) => {
        const bound = upperBound(k, n, delta);
        expect(upperBound(k + 1, n, delta)).toBeGreaterThan(bound);
        expect(upperBound(k, n + 1, delta)).toBeLessThan(bound);
        expect(upperBound(k, n, delta * 1.1)).toBeLessThan(bound);
        expect(bound).toBeGreaterThan(k / n);
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  test("misses the true rate with chance at most delta, summed over all outcomes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.double({ min: 0.001, max: 0.5, noNaN: true }),
        fc.constantFrom(0.01, 0.05, 0.1),
        (n, p, delta) => {
          let missed = 0;
          for (let k = 0; k <= n && upperBound(k, n, delta) < p; k++) missed = binomialCdf(k, n, p);
          expect(missed).toBeLessThanOrEqual(delta + 1e-12);
        },
      ),
      { seed: 3, numRuns: 60 },
    );
  });
});

test("the binomial distribution is exact far out in its tail", () => {
  expect(binomialCdf(0, 100, 0.5) / 2 ** -100).toBeCloseTo(1, 11);
  expect(binomialCdf(2, 4, 0.5)).toBeCloseTo(11 / 16, 14);
  expect([binomialCdf(-1, 4, 0.5), binomialCdf(4, 4, 0.5)]).toEqual([0, 1]);
});

describe("fewest audits that bound the error", () => {
  test.each([
    [0.01, [299, 473, 628, 773, 1049, 1693, 2902]],
    [0.02, [149, 236, 313, 386, 523, 845, 1449]],
    [0.03, [99, 157, 208, 257, 348, 562, 965]],
    [0.05, [59, 93, 124, 153, 208, 336, 577]],
    [0.1, [29, 46, 61, 76, 103, 167, 286]],
  ])("by %f with 0, 1, 2, 3, 5, 10 and 20 errors", (alpha, expected) => {
    expect([0, 1, 2, 3, 5, 10, 20].map((errors) => leastAudits(errors, alpha, 0.05))).toEqual(expected);
  });

  test("a veto criterion at 0.5 % takes 598 without an error", () => {
    expect(leastAudits(0, 0.005, 0.05)).toBe(598);
  });
});

test.each([
  [0.05, 500, 0.1, 9.623025e-5, 3.540113e-5],
  [0.01, 500, 0.03, 6.824461e-3, 2.510579e-3],
  [0.02, 1000, 0.03, 9.046655e-2, 3.328078e-2],
])("Hoeffding-Bentkus of a mean of %f over %i at %f", (mean, n, alpha, expected, exact) => {
  expect(hoeffdingBentkusP(mean, n, alpha) / expected).toBeCloseTo(1, 6);
  expect(binomialCdf(Math.round(mean * n), n, alpha) / exact).toBeCloseTo(1, 6);
});

test("Hoeffding-Bentkus says nothing against a mean at or above alpha", () => {
  expect(hoeffdingBentkusP(0.1, 100, 0.1)).toBe(1);
  expect(hoeffdingBentkusP(0.3, 100, 0.1)).toBe(1);
});

test.each([
  [97, 100, 0.915481, 0.989745],
  [970, 1000, 0.957497, 0.978906],
  [9712, 10000, 0.967737, 0.974301],
])("Wilson's interval of %i in %i", (k, n, low, high) => {
  const [from, to] = wilsonInterval(k, n);
  expect(from).toBeCloseTo(low, 6);
  expect(to).toBeCloseTo(high, 6);
});

test("Wilson's interval stays a share", () => {
  expect(wilsonInterval(0, 0)).toEqual([0, 1]);
  expect(wilsonInterval(0, 10)[0]).toBe(0);
  expect(wilsonInterval(10, 10)[1]).toBeCloseTo(1, 12);
});

describe("strata audited at different rates", () => {
  test("each has its share of delta", () => {
    const strata = [
      { weight: 97_000, k: 2, n: 400 },
      { weight: 3000, k: 30, n: 300 },
    ];
    expect(upperBound(2, 400, 0.025)).toBeCloseTo(0.017944, 6);
    expect(upperBound(30, 300, 0.025)).toBeCloseTo(0.139673, 6);
    expect(stratifiedUpperBound(strata, 0.05)).toBeCloseTo(0.021596, 6);
  });

  test("one that nobody audited may be all wrong", () => {
    const strata = [
      { weight: 9, k: 0, n: 1000 },
      { weight: 1, k: 0, n: 0 },
    ];
    expect(stratifiedUpperBound(strata, 0.05)).toBeGreaterThan(0.1);
    expect(stratifiedUpperBound([], 0.05)).toBe(1);
  });
});

test("the machine's error behind disagreement with people who err", () => {
  expect(errorBehindNoise(0.05, 0.02)).toBeCloseTo(0.03125, 10);
  expect(errorBehindNoise(0.01, 0.02)).toBe(0);
  expect(() => errorBehindNoise(0.3, 0.5)).toThrow("say nothing");
});

test("certifications spend delta so that it lasts for ever", () => {
  const spent = [1, 2, 3, 4, 5].map((index) => spentDelta(0.05, index));
  for (const [index, expected] of [0.030396, 0.007599, 0.003377, 0.0019, 0.001216].entries()) {
    expect(spent[index]).toBeCloseTo(expected, 6);
  }
  const all = Array.from({ length: 100_000 }, (_, index) => spentDelta(0.05, index + 1));
  expect(all.reduce((sum, part) => sum + part, 0)).toBeLessThan(0.05);
  expect(sharedDelta(0.05, 4)).toBe(0.0125);
});
