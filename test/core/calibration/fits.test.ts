import { applyCalibrator } from "@touchstone/core/domain/calibration/apply-calibrator";
import { fitIsotonic, monotoneFit } from "@touchstone/core/domain/calibration/fit-isotonic";
import {
  fitBeta,
  fitPlatt,
  fitPooledPlatt,
  fitTemperature,
} from "@touchstone/core/domain/calibration/fit-parametric";
import { logit, sigmoid } from "@touchstone/core/domain/calibration/logit";
import { logLoss } from "@touchstone/core/domain/calibration/metrics";
import {
  type CalibrationPoint,
  type Calibrator,
  calibratorSchema,
} from "@touchstone/core/schema/calibration";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawnLabels } from "./drawn-labels.ts";
import { goldenLabels, goldenProbabilities, pointsOf } from "./golden-points.ts";

const golden = pointsOf(goldenProbabilities, goldenLabels);
const calibrated = (calibrator: Calibrator, points: readonly CalibrationPoint[]) =>
  points.map((point) => ({
    ...point,
    probability: applyCalibrator(calibrator, point.probability, point.task),
  }));

describe("golden fits", () => {
  test("Platt", () => {
    const platt = fitPlatt(golden);
    expect(-platt.slope).toBeCloseTo(-0.567504, 5);
    expect(-platt.intercept).toBeCloseTo(0.029804, 5);
    expect(applyCalibrator(platt, 0.55, "task")).toBeCloseTo(0.521007, 6);
    expect(applyCalibrator(platt, 0.99, "task")).toBeCloseTo(0.929429, 6);
    const smoothed = golden.map((point) => ({ ...point, correct: point.correct === 1 ? 8 / 9 : 1 / 5 }));
    expect(10 * logLoss(calibrated(platt, smoothed))).toBeCloseTo(5.842573, 5);
  });

  test("temperature", () => {
    const found = fitTemperature(golden);
    expect(found.temperature).toBeCloseTo(1.240764, 5);
    expect(logLoss(calibrated(found, golden))).toBeCloseTo(0.516942, 6);
  });

  test("beta", () => {
    const beta = fitBeta(golden);
    expect(beta.a).toBeCloseTo(4.14234, 4);
    expect(beta.b).toBeCloseTo(0.43709, 4);
    expect(beta.c).toBeCloseTo(1.48607, 4);
    expect(10 * logLoss(calibrated(beta, golden))).toBeCloseTo(5.011197, 6);
  });

  test.each([
    [[0, 0, 1, 0, 1, 1, 0, 1], [], [0, 0, 0.5, 0.5, 2 / 3, 2 / 3, 2 / 3, 1]],
    [
      [1, 0, 1, 0, 1],
      [1, 2, 1, 4, 1],
      [0.25, 0.25, 0.25, 0.25, 1],
    ],
  ])("isotonic regression of %j with weights %j", (values, weights, expected) => {
    const found = monotoneFit(values, weights);
    for (const [index, value] of expected.entries()) expect(found[index]).toBeCloseTo(value, 12);
  });
});

const kinds = {
  temperature: fitTemperature,
  platt: fitPlatt,
  beta: fitBeta,
  isotonic: fitIsotonic,
  "pooled-platt": fitPooledPlatt,
} as const;
const points = fc.array(
  fc.record({
    probability: fc.double({ min: 0, max: 1, noNaN: true }),
    correct: fc.constantFrom(0, 0.3, 1),
    weight: fc.constantFrom(1, 50),
    task: fc.constantFrom("a", "b"),
  }),
  { minLength: 1, maxLength: 40 },
);

describe.each(Object.entries(kinds))("%s", (_, fitted) => {
  test("is storable and monotone, whatever the labels say", () => {
    fc.assert(
      fc.property(points, (list) => {
        const calibrator = calibratorSchema.parse(fitted(list));
        const raw = [0, 1e-12, 0.01, 0.2, 0.5, 0.77, 0.99, 1 - 1e-7, 1, ...list.map((p) => p.probability)];
        for (const task of ["a", "unknown", "constructor"]) {
          const applied = raw
            .toSorted((left, right) => left - right)
            .map((p) => applyCalibrator(calibrator, p, task));
          for (const [index, value] of applied.entries()) {
            expect(value).toBeGreaterThanOrEqual(applied[index - 1] ?? 0);
            expect(value).toBeLessThanOrEqual(1);
          }
        }
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  test("a weight is so many equal labels, and its scale is of no account", () => {
    const labels = drawnLabels({ tasks: { a: 0.5, b: -0.5 }, labels: 60, slope: 0.6 });
    const weights = labels.map((_, index) => (index % 3 === 0 ? 2 : 1));
    const weighted = labels.map((point, index) => ({ ...point, weight: weights[index] ?? 1 }));
    const scaled = weighted.map((point) => ({ ...point, weight: point.weight * 7 }));
    for (const raw of [0.6, 0.8, 0.95]) {
      expect(applyCalibrator(fitted(scaled), raw, "a")).toBeCloseTo(
        applyCalibrator(fitted(weighted), raw, "a"),
        6,
      );
      // Repeated labels count as more evidence, and so are smoothed less: near, not equal.
      const repeated = labels.flatMap((point, index) => Array(weights[index]).fill(point));
      expect(applyCalibrator(fitted(repeated), raw, "a")).toBeCloseTo(
        applyCalibrator(fitted(weighted), raw, "a"),
        1,
      );
    }
  });
});

describe("pooled Platt", () => {
  test("finds how tasks of a family differ", () => {
    const labels = drawnLabels({ tasks: { easy: 1, fair: 0, hard: -1 }, labels: 2000, slope: 0.7 });
    const { slope, intercept, shifts } = fitPooledPlatt(labels);
    expect(slope).toBeCloseTo(0.7, 0);
    expect((shifts.easy ?? 0) - (shifts.hard ?? 0)).toBeGreaterThan(1.7);
    expect(Math.abs(intercept + (shifts.fair ?? 0))).toBeLessThan(0.25);
  });

  test("draws a small task to its family, and gives a new one the family's curve", () => {
    const family = drawnLabels({ tasks: { large: 0 }, labels: 1000, slope: 1 });
    const small = pointsOf([0.9, 0.9, 0.9], [0, 0, 0], [], "small");
    const alone = fitPooledPlatt([...family, ...small]);
    const trusting = fitPooledPlatt([...family, ...small], 50);
    expect(alone.shifts.small).toBeLessThan(0);
    expect(alone.shifts.small).toBeGreaterThan(trusting.shifts.small ?? 0);
    expect(applyCalibrator(alone, 0.9, "new")).toBe(sigmoid(alone.slope * logit(0.9) + alone.intercept));
  });

  test("audits at 2 % weigh as the traffic they stand for, without drowning the prior", () => {
    const audits = drawnLabels({ tasks: { a: 0 }, labels: 40, slope: 1 }).map((p) => ({ ...p, weight: 50 }));
    const plain = audits.map((point) => ({ ...point, weight: 1 }));
    expect(fitPooledPlatt(audits)).toEqual(fitPooledPlatt(plain));
  });
});

test("labels that fall with confidence are no reason to turn the ranking round", () => {
  const turned = pointsOf([0.6, 0.7, 0.8, 0.9, 0.95, 0.99], [1, 1, 1, 0, 0, 0]);
  expect(fitPlatt(turned).slope).toBe(0);
  expect(fitBeta(turned)).toMatchObject({ a: 0, b: 0 });
});

describe("applying", () => {
  test("identity, and a line through knots", () => {
    expect(applyCalibrator({ kind: "identity" }, 0.3, "t")).toBe(0.3);
    const line: Calibrator = {
      kind: "isotonic",
      knots: [
        { raw: 0.2, calibrated: 0.1 },
        { raw: 0.6, calibrated: 0.5 },
        { raw: 0.8, calibrated: 0.5 },
        { raw: 0.9, calibrated: 0.95 },
      ],
    };
    const at = (raw: number) => applyCalibrator(line, raw, "t");
    expect([at(0), at(0.2), at(0.6), at(0.7), at(1)]).toEqual([0.1, 0.1, 0.5, 0.5, 0.95]);
    expect(at(0.4)).toBeCloseTo(0.3, 12);
  });

  test("knots out of order are refused", () => {
    const knots = [
      { raw: 0.5, calibrated: 0.6 },
      { raw: 0.6, calibrated: 0.5 },
    ];
    expect(calibratorSchema.safeParse({ kind: "isotonic", knots }).success).toBe(false);
  });
});
