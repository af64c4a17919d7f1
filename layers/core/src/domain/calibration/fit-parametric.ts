/** Fits the calibrators that are a curve with a few parameters: temperature, Platt, pooled Platt, beta. */
import type { CalibrationPoint, Calibrator } from "../../schema/calibration.ts";
import { fitLogistic, type LogisticRow } from "./fit-logistic.ts";
import { inside, logit, softplus } from "./logit.ts";
import { effectiveSize } from "./weights.ts";

type Of<Kind extends Calibrator["kind"]> = Extract<Calibrator, { kind: Kind }>;
type Points = readonly CalibrationPoint[];

const temperatures = { least: 0.05, most: 20 };

/** The temperature of least log loss between 0.05 and 20, by golden section. */
export const fitTemperature = (points: Points): Of<"temperature"> => {
  const odds = points.map(({ probability, correct, weight }) => ({ f: logit(probability), correct, weight }));
  const loss = (temperature: number): number =>
    odds.reduce((sum, { f, correct, weight }) => {
      const z = f / temperature;
      return sum + weight * (softplus(z) - correct * z);
    }, 0);
  const golden = (Math.sqrt(5) - 1) / 2;
  let { least: low, most: high } = temperatures;
  let [left, right] = [high - golden * (high - low), low + golden * (high - low)];
  let [leftLoss, rightLoss] = [loss(left), loss(right)];
  while (high - low > 1e-7) {
    if (leftLoss <= rightLoss) {
      [high, right, rightLoss] = [right, left, leftLoss];
      left = high - golden * (high - low);
      leftLoss = loss(left);
    } else {
      [low, left, leftLoss] = [left, right, rightLoss];
      right = low + golden * (high - low);
      rightLoss = loss(right);
    }
  }
  return { kind: "temperature", temperature: (low + high) / 2 };
};

/** Platt scaling with the smoothed targets of Lin, Lin and Weng (2007), on log odds. */
export const fitPlatt = (points: Points): Of<"platt"> => {
  const { slope, intercept } = pooled(points, []);
  return { kind: "platt", slope, intercept };
};

/** Variance of a task's shift around its family: how far a small task is trusted to be special. */
const shiftVariance = 0.5;

/** One Platt curve for the family, with a shift per task that is drawn to 0 by a normal prior. */
export const fitPooledPlatt = (points: Points, variance = shiftVariance): Of<"pooled-platt"> => {
  const tasks = [...new Set(points.map(({ task }) => task))].sort();
  const { slope, intercept, shifts } = pooled(points, tasks, variance);
  return {
    kind: "pooled-platt",
    slope,
    intercept,
    shifts: Object.fromEntries(tasks.map((task, index) => [task, shifts[index] ?? 0])),
  };
};

/** Beta calibration (Kull et al. 2017): a and b are dropped and the rest refitted where they come out negative. */
export const fitBeta = (points: Points): Of<"beta"> => {
  const weights = trustedWeights(points);
  const rows = points.map(({ probability, correct }, index): LogisticRow => {
    const p = inside(probability);
    const features = [[0, Math.log(p)] as const, [1, -Math.log1p(-p)] as const, [2, 1] as const];
    return { features, target: correct, weight: weights[index] ?? 0 };
  });
  const [a = 0, b = 0, c = 0] = fitLogistic({
    parameters: 3,
    rows,
    // So little that it only keeps separable labels from running away.
    penalties: [1e-9, 1e-9, 1e-9],
    start: [1, 1, 0],
    nonNegative: [0, 1],
  });
  return { kind: "beta", a, b, c };
};

const pooled = (points: Points, tasks: readonly string[], variance = shiftVariance) => {
  const weights = trustedWeights(points);
  const sum = (of: (point: CalibrationPoint) => number): number =>
    points.reduce((total, point, index) => total + (weights[index] ?? 0) * of(point), 0);
  const [right, wrong] = [sum(({ correct }) => correct), sum(({ correct }) => 1 - correct)];
  // Nobody is sure of 0 or 1 after finitely many labels; this also keeps separable labels from running away.
  const [high, low] = [(right + 1) / (right + 2), 1 / (wrong + 2)];
  const places = new Map(tasks.map((task, index) => [task, index + 2] as const));
  const rows = points.map(({ probability, correct, task }, index): LogisticRow => {
    const place = places.get(task);
    return {
      features: [[0, logit(probability)], [1, 1], ...(place === undefined ? [] : [[place, 1] as const])],
      target: correct * high + (1 - correct) * low,
      weight: weights[index] ?? 0,
    };
  });
  const [slope = 0, intercept = 0, ...shifts] = fitLogistic({
    parameters: tasks.length + 2,
    rows,
    penalties: [0, 0, ...tasks.map(() => 1 / variance)],
    start: [0, Math.log((right + 1) / (wrong + 1)), ...tasks.map(() => 0)],
    nonNegative: [0],
  });
  return { slope, intercept, shifts };
};

/** Weights that add up to what the labels are worth, so that 1/r neither feigns certainty nor outweighs a prior. */
const trustedWeights = (points: Points): readonly number[] => {
  const weights = points.map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scale = effectiveSize(weights) / total;
  return weights.map((weight) => weight * scale);
};
