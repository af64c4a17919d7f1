import {
  brier,
  calibrationMetrics,
  type Judgement,
  logLoss,
} from "@touchstone/core/domain/calibration/metrics";
import {
  adaptiveCalibrationError,
  equalMassBins,
  expectedCalibrationError,
  maximalCalibrationError,
  reliabilityBins,
} from "@touchstone/core/domain/calibration/reliability";
import {
  areaUnderRiskCoverage,
  auroc,
  riskCoverageCurve,
} from "@touchstone/core/domain/calibration/risk-coverage";
import { effectiveSize, labelWeight, weightedMean } from "@touchstone/core/domain/calibration/weights";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goldenLabels, goldenProbabilities, pointsOf } from "./golden-points.ts";

const golden = pointsOf(goldenProbabilities, goldenLabels);

const judgements = fc.array(
  fc.record({
    probability: fc.integer({ min: 0, max: 40 }).map((step) => step / 40),
    correct: fc.constantFrom(0, 0.5, 1),
    weight: fc.constantFrom(1, 20),
  }),
  { minLength: 1, maxLength: 60 },
);

describe("distance from the truth", () => {
  test("Brier score and log loss", () => {
    expect(brier(pointsOf([0.1, 0.9, 0.8, 0.3], [0, 1, 1, 0]))).toBeCloseTo(0.0375, 10);
    expect(brier(golden)).toBeCloseTo(0.17796, 10);
    expect(logLoss(golden)).toBeCloseTo(0.522167, 6);
  });

  test("stay finite where the machine was sure and wrong", () => {
    expect(logLoss(pointsOf([1, 0], [0, 1]))).toBeLessThan(25);
  });
});

describe("calibration error", () => {
  test("over two bins", () => {
    const items = pointsOf([0.25, 0.25, 0.55, 0.75, 0.75], [0, 0, 1, 1, 1]);
    expect(expectedCalibrationError(items, 2)).toBeCloseTo(0.29, 10);
    expect(maximalCalibrationError(items, 2)).toBeCloseTo(0.3167, 4);
  });

  test("over ten right-closed bins, and over five of equal mass", () => {
    expect(expectedCalibrationError(golden, 10)).toBeCloseTo(0.174, 10);
    expect(adaptiveCalibrationError(golden, 5)).toBeCloseTo(0.174, 10);
  });

  test("an edge belongs to the bin below it, whatever ten times it comes out as", () => {
    const edges = Array.from({ length: 11 }, (_, step) => step / 10);
    const bins = reliabilityBins(pointsOf(edges, Array(11).fill(1)));
    expect(bins.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(bins[0]).toMatchObject({ from: 0, to: 0.1 });
  });

  test("bins of equal mass count an audit as all it stands for", () => {
    const [audit, ...reviewed] = pointsOf([0.9, 0.1, 0.2, 0.3, 0.4], [1, 0, 0, 1, 1]);
    const items = [...reviewed, { ...audit, weight: 4 }] as readonly Judgement[];
    expect(equalMassBins(items, 2).map(({ count, weight }) => [count, weight])).toEqual([
      [4, 4],
      [1, 4],
    ]);
  });
});

describe("ranking", () => {
  test("AUROC", () => {
    expect(auroc(pointsOf([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]))).toBe(0.75);
    expect(auroc(pointsOf([0.5, 0.5], [0, 1]))).toBe(0.5);
    expect(auroc(pointsOf([0.5, 0.6], [1, 1]))).toBeNull();
  });

  test("the risk-coverage curve accepts ties together", () => {
    const items = pointsOf([0.9, 0.9, 0.8, 0.5], [1, 0, 1, 0]);
    expect(riskCoverageCurve(items)).toEqual([
      { tau: 0.9, coverage: 0.5, risk: 0.5, n: 2 },
      { tau: 0.8, coverage: 0.75, risk: 1 / 3, n: 3 },
      { tau: 0.5, coverage: 1, risk: 0.5, n: 4 },
    ]);
    expect(areaUnderRiskCoverage(items)).toBeCloseTo(0.5 * 0.5 + 0.25 / 3 + 0.25 * 0.5, 12);
  });

  test("is perfect where all errors come last", () => {
    expect(areaUnderRiskCoverage(pointsOf([0.9, 0.8, 0.7, 0.6], [1, 1, 1, 1]))).toBe(0);
    expect(areaUnderRiskCoverage(pointsOf([0.9, 0.8, 0.7, 0.6], [1, 1, 1, 0]))).toBeCloseTo(0.25 / 4, 12);
  });
});

test("a weight of three is the same label three times", () => {
  fc.assert(
    fc.property(judgements, (items) => {
      const once = items.map((item) => ({ ...item, weight: 3 }));
      const thrice = items.flatMap((item) => Array.from({ length: 3 }, () => ({ ...item, weight: 1 })));
      const [left, right] = [calibrationMetrics(once), calibrationMetrics(thrice)];
      for (const measure of ["brier", "logLoss", "ece", "mce", "aurc"] as const) {
        expect(left?.[measure]).toBeCloseTo(right?.[measure] ?? Number.NaN, 9);
      }
      expect(left?.auroc ?? -1).toBeCloseTo(right?.auroc ?? -1, 9);
    }),
    { seed: 1, numRuns: 100 },
  );
});

test("measures keep their ranges, and the curve ends with everything accepted", () => {
  fc.assert(
    fc.property(judgements, (items) => {
      const found = calibrationMetrics(items);
      if (!found) throw new Error("there were labels");
      expect(found.ece).toBeLessThanOrEqual(found.mce + 1e-12);
      for (const value of [found.brier, found.mce, found.ace, found.aurc, found.auroc ?? 0]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
      }
      const last = riskCoverageCurve(items).at(-1);
      expect(last?.coverage).toBeCloseTo(1, 12);
      expect(last?.n).toBe(items.length);
    }),
    { seed: 2, numRuns: 100 },
  );
  expect(calibrationMetrics([])).toBeNull();
});

describe("weights", () => {
  test("are one over the chance of being labelled", () => {
    expect([labelWeight(true, 0.02), labelWeight(false, 0.02)]).toEqual([1, 50]);
    expect(() => labelWeight(false, 0)).toThrow("audit rate");
  });

  test("make the mean one of all traffic", () => {
    const reviewed = Array.from({ length: 100 }, () => ({ value: 0.5, weight: 1 }));
    const audits = Array.from({ length: 18 }, () => ({ value: 1, weight: 50 }));
    expect(weightedMean([...reviewed, ...audits])).toBeCloseTo(0.95, 10);
  });

  test("tell less than their number", () => {
    expect(effectiveSize(Array(40).fill(50))).toBeCloseTo(40, 10);
    expect(effectiveSize([...Array(1000).fill(1), ...Array(5).fill(50)])).toBeCloseTo(115.74, 2);
    expect(effectiveSize([])).toBe(0);
  });
});
