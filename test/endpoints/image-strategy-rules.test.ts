/** The pure parts of the image-strategy server and its neighbours: text boxes, views, the softmax, the work limit. */
import { strategies } from "@touchstone/core/schema/gist";
import { describe, expect, test } from "vitest";
import { textBoxes } from "../../infra/endpoints/captioner/text-boxes.ts";
import {
  predictStrategy,
  readSettings,
  type StrategySettings,
  strategyNames,
} from "../../infra/endpoints/image-strategy/strategy-model.ts";
import { planViews, viewValues } from "../../infra/endpoints/image-strategy/views.ts";
import { createWorkLimit } from "../../infra/endpoints/image-strategy/work-limit.ts";

describe("textBoxes", () => {
  const probabilityMap = (rectangles: [x: number, y: number, w: number, h: number, p: number][]) => {
    const data = new Float32Array(100 * 50);
    for (const [x, y, w, h, p] of rectangles) {
      for (let row = y; row < y + h; row++) data.fill(p, row * 100 + x, row * 100 + x + w);
    }
    return { data, width: 100, height: 50 };
  };

  test("grows a found line by area × 1.5 ÷ perimeter", () => {
    const [box, ...others] = textBoxes(probabilityMap([[20, 20, 40, 6, 0.9]]));
    expect(others).toEqual([]);
    const by = (40 * 6 * 1.5) / (2 * 46);
    expect(box?.x).toBeCloseTo(20 - by, 6);
    expect(box?.height).toBeCloseTo(6 + 2 * by, 6);
    expect(box?.score).toBeCloseTo(0.9, 6);
  });

  test("keeps separate lines apart, stays inside the picture, and drops specks and doubtful fields", () => {
    const boxes = textBoxes(
      probabilityMap([
        [0, 0, 30, 5, 0.8],
        [50, 30, 40, 6, 0.95],
        [10, 40, 2, 2, 0.99],
        [60, 5, 30, 6, 0.4],
      ]),
    );
    expect(boxes).toHaveLength(2);
    expect(boxes[0]).toMatchObject({ x: 0, y: 0 });
  });
});

describe("planViews", () => {
  test.each([
    ["a phone's screen", 1080, 2400, "160x320"],
    ["a page", 210, 297, "192x256"],
    ["a photo", 4000, 3000, "256x192"],
    ["a square", 1, 1, "224x224"],
    ["a banner", 1200, 400, "384x128"],
  ])("%s of %i × %i is seen whole as %s", (_, width, height, shape) => {
    const plan = planViews(width, height);
    expect(`${plan.shape.width}x${plan.shape.height}`).toBe(shape);
    expect(plan).toMatchObject({ picture: plan.shape, starts: [0] });
  });

  test("a long strip is seen in pieces from one end to the other, unsqueezed", () => {
    const { picture, shape, starts } = planViews(600, 20_000);
    expect(picture).toEqual({ width: 128, height: 4_267 });
    expect(shape).toEqual({ width: 128, height: 384 });
    expect(starts).toEqual([0, 1_294, 2_589, 3_883]);
    expect(planViews(2_000, 500)).toMatchObject({ picture: { width: 512, height: 128 }, starts: [0, 128] });
  });

  test("every shape from a pixel to a line of pixels stays small", () => {
    for (const [width, height] of [
      [1, 1_000_000],
      [1_000_000, 1],
      [5, 1_093],
    ] as const) {
      const { picture, shape, starts } = planViews(width, height);
      expect(picture.width * picture.height).toBeLessThan(1_000_000);
      expect((starts.at(-1) ?? 0) + Math.max(shape.width, shape.height)).toBe(
        Math.max(picture.width, picture.height),
      );
    }
  });
});

test("viewValues lays the pieces out as planes of red, green and blue", () => {
  const plan = { picture: { width: 2, height: 3 }, shape: { width: 2, height: 2 }, starts: [0, 1] };
  const image = { ...plan.picture, data: Buffer.from(Array.from({ length: 18 }, (_, i) => i)) };
  const first = [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11];
  expect([...viewValues(image, plan)]).toEqual([...first, ...first.map((value) => value + 6)]);
});

describe("predictStrategy", () => {
  const settings: StrategySettings = {
    model: "m",
    classes: ["text", "mixed", "picture"],
    temperature: 2,
    sureFrom: 0.6,
  };

  test("is the softmax of the logits over the temperature, in the order of the classes", () => {
    const { strategy, probabilities, unsure } = predictStrategy(Float32Array.of(0, 4, 2), settings);
    const total = Math.exp(-2) + 1 + Math.exp(-1);
    expect(strategy).toBe("mixed");
    expect(probabilities.mixed).toBeCloseTo(1 / total, 6);
    expect(probabilities.text).toBeCloseTo(Math.exp(-2) / total, 6);
    expect(probabilities.text + probabilities.picture + probabilities.mixed).toBeCloseTo(1, 9);
    expect(unsure).toBe(false);
  });

  test("pieces of one kind agree; text above a picture is unsure", () => {
    expect(predictStrategy(Float32Array.of(9, 0, 0, 9, 1, 0), settings)).toMatchObject({
      strategy: "text",
      unsure: false,
    });
    const halves = predictStrategy(Float32Array.of(20, 0, 0, 0, 0, 20), settings);
    expect(halves.unsure).toBe(true);
    expect(halves.probabilities.text).toBeCloseTo(0.5, 4);
  });

  test("large logits stay finite", () => {
    expect(predictStrategy(Float32Array.of(900, -900, 0), settings).probabilities.text).toBeCloseTo(1, 9);
  });
});

test.each([[null], [{}], [{ model: "m", classes: ["text", "mixed"], temperature: 1, sureFrom: 0.5 }]])(
  "settings that are not whole are refused by the file's name: %j",
  (value) => {
    expect(() => readSettings(value, "strategy.json")).toThrow("strategy.json");
  },
);

test("the container, which cannot import the core, knows the core's strategies", () => {
  expect([...strategyNames].sort()).toEqual([...strategies].sort());
});

describe("createWorkLimit", () => {
  test("runs two at a time in order of arrival and refuses when the line is full", async () => {
    const limit = createWorkLimit(2, 1);
    const log: string[] = [];
    const gates = new Map<string, () => void>();
    const work = (name: string) => () => {
      log.push(name);
      return new Promise<void>((resolve) => gates.set(name, resolve));
    };
    const all = ["a", "b", "c"].map((name) => limit(work(name)));
    await expect(limit(work("d"))).rejects.toMatchObject({ kind: "http-problem", status: 429 });
    expect(log).toEqual(["a", "b"]);
    gates.get("a")?.();
    await all[0];
    await new Promise(setImmediate);
    expect(log).toEqual(["a", "b", "c"]);
    gates.get("b")?.();
    gates.get("c")?.();
    await Promise.all(all);
  });

  test("work that fails gives its place back", async () => {
    const limit = createWorkLimit(1, 1);
    await expect(limit(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(limit(() => Promise.resolve("next"))).resolves.toBe("next");
  });
});
