/** The image-strategy server's pure parts: text boxes, statistics, the softmax, and the work limit. */
import { strategies } from "@touchstone/core/schema/gist";
import { describe, expect, test } from "vitest";
import type { Pixels } from "../../infra/endpoints/image-strategy/decode-image.ts";
import { pictureStatistics } from "../../infra/endpoints/image-strategy/picture-statistics.ts";
import { predictStrategy, strategyNames } from "../../infra/endpoints/image-strategy/strategy-model.ts";
import { textBoxes } from "../../infra/endpoints/image-strategy/text-boxes.ts";
import { createWorkLimit } from "../../infra/endpoints/image-strategy/work-limit.ts";

const paint = (width: number, height: number, colour: (x: number, y: number) => number): Pixels => {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.fill(colour(x, y), (y * width + x) * 3, (y * width + x) * 3 + 3);
  }
  return { data, width, height };
};

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

describe("pictureStatistics and predictStrategy", () => {
  const lines = Array.from({ length: 8 }, (_, i) => ({
    x: 20,
    y: 20 + i * 40,
    width: 260,
    height: 24,
    score: 1,
  }));

  test("many lines on one colour are text", () => {
    const statistics = pictureStatistics(
      paint(320, 360, () => 255),
      lines,
    );
    expect(statistics).toMatchObject({ flatness: 1, colourBits: 0, photoShare: 0 });
    expect(statistics.coverage).toBeCloseTo((8 * 260 * 24) / (320 * 360), 6);
    const prediction = predictStrategy(statistics);
    expect(prediction).toMatchObject({ strategy: "text", unsure: false });
    const { text, picture, mixed } = prediction.probabilities;
    expect(text + picture + mixed).toBeCloseTo(1, 9);
  });

  test("tones everywhere are a picture, and with some text on them mixed", () => {
    const waves = paint(320, 360, (x, y) => 128 + 60 * Math.sin(x / 9) + 60 * Math.cos(y / 7 + x / 31));
    const picture = pictureStatistics(waves, []);
    expect(picture.photoShare).toBeGreaterThan(0.8);
    expect(predictStrategy(picture).strategy).toBe("picture");
    expect(predictStrategy(pictureStatistics(waves, lines.slice(0, 2))).strategy).toBe("mixed");
  });

  test("one colour without text is a picture, and a huge squarish box is no line of text", () => {
    const plain = paint(320, 360, () => 200);
    const logo = [{ x: 60, y: 60, width: 200, height: 200, score: 0.9 }];
    expect(pictureStatistics(plain, logo).coverage).toBe(0);
    expect(predictStrategy(pictureStatistics(plain, logo)).strategy).toBe("picture");
  });

  test("no strategy at 0.6 or more is unsure", () => {
    const between = { coverage: 0.07, flatness: 0.75, colourBits: 1.6, photoShare: 0.04 };
    const { probabilities, unsure } = predictStrategy(between);
    expect(Math.max(...Object.values(probabilities))).toBeLessThan(0.6);
    expect(unsure).toBe(true);
  });

  test("a picture smaller than a cell has statistics too", () => {
    const statistics = pictureStatistics(
      paint(1, 1, () => 0),
      [],
    );
    expect(Object.values(statistics).every(Number.isFinite)).toBe(true);
  });
});

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
