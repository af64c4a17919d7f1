import { calibrateFamily } from "@touchstone/core/domain/calibration/calibrate-family";
import { fitFamily } from "@touchstone/core/domain/calibration/fit-family";
import { calibrationSchema } from "@touchstone/core/schema/calibration";
import { describe, expect, test } from "vitest";
import { drawnLabels } from "./drawn-labels.ts";
import { pointsOf } from "./golden-points.ts";

const one = (labels: number, slope: number) => drawnLabels({ tasks: { a: 0 }, labels, slope });
const several = (labels: number) => drawnLabels({ tasks: { a: 0.8, b: -0.8 }, labels, slope: 0.6 });

describe("the calibrator of a family", () => {
  test("is the fallback under 50 labels or 10 errors, and says why", () => {
    const fallback = { kind: "temperature", temperature: 1.3 } as const;
    expect(fitFamily(one(49, 0.5), fallback)).toMatchObject({
      calibrator: fallback,
      choice: { reason: "too-few-labels", candidates: [] },
    });
    const right = pointsOf(Array(200).fill(0.9), Array(200).fill(1));
    expect(fitFamily(right)).toMatchObject({
      calibrator: { kind: "identity" },
      choice: { reason: "too-few-errors" },
    });
  });

  test("counts labels by what they tell, not by their number", () => {
    const lopsided = one(80, 0.5).map((point, index) => ({ ...point, weight: index < 3 ? 100 : 1 }));
    expect(fitFamily(lopsided).choice.reason).toBe("too-few-labels");
  });

  test("is Platt for one task and pooled Platt for several", () => {
    expect(fitFamily(one(400, 0.5)).calibrator.kind).toBe("platt");
    const { calibrator, choice } = fitFamily(several(300));
    expect(calibrator.kind).toBe("pooled-platt");
    expect(choice.reason).toBe("lowest-log-loss");
    expect(choice.candidates.map(({ kind }) => kind)).toEqual(["pooled-platt", "temperature", "beta"]);
  });

  test("is isotonic only with more than 1,000 labels, and only where it is clearly better", () => {
    // Right half of the time below 0.8, nearly always above: no curve of two parameters is like that.
    const stepped = (labels: number) =>
      one(labels, 1).map((point, index) => ({
        ...point,
        correct: point.probability > 0.8 ? Number(index % 50 > 0) : index % 2,
      }));
    expect(fitFamily(stepped(3000)).calibrator.kind).toBe("isotonic");
    expect(fitFamily(stepped(900)).choice.candidates.map(({ kind }) => kind)).not.toContain("isotonic");
    expect(fitFamily(one(1200, 0.6)).calibrator.kind).toBe("platt");
  });

  test("predicts each label by a fit that had not seen it", () => {
    const points = several(100);
    const { unseen } = fitFamily(points);
    expect(unseen).toHaveLength(points.length);
    const flipped = points.map((point, index) =>
      index === 7 ? { ...point, correct: 1 - point.correct } : point,
    );
    expect(fitFamily(flipped).unseen[7]).toBe(unseen[7]);
  });
});

describe("the record of a calibration", () => {
  const record = (points: Parameters<typeof calibrateFamily>[0]["points"]) =>
    calibrateFamily({ family: "dialogue", fingerprints: ["f1"], points, at: 5 });

  test("says what it was fitted on and how much it helps", () => {
    const calibration = record(several(400));
    expect(calibrationSchema.parse(JSON.parse(JSON.stringify(calibration)))).toEqual(calibration);
    expect(calibration.fittedOn).toMatchObject({
      points: 800,
      effective: 800,
      tasks: { a: { points: 400 } },
    });
    const { before, after } = calibration.metrics;
    expect(after?.logLoss).toBeLessThan(before?.logLoss ?? 0);
    expect(after?.ece).toBeLessThan(before?.ece ?? 0);
  });

  test("without labels is the identity", () => {
    const calibration = record([]);
    expect(calibrationSchema.parse(calibration)).toMatchObject({
      calibrator: { kind: "identity" },
      fittedOn: { points: 0, errors: 0, effective: 0, tasks: {} },
      metrics: { before: null, after: null },
    });
  });
});
