/** The size at which models get pictures, and where long ones are cut. */
import { judgeMedia } from "@touchstone/core/domain/decide/media-policy";
import { reasonText } from "@touchstone/core/domain/decide/reason-text";
import { faultProblem, faultRules } from "@touchstone/core/domain/describe/picture-fault";
import { shapePicture } from "@touchstone/core/domain/describe/picture-shape";
import { agreedStrategy, tilesToAsk } from "@touchstone/core/domain/describe/tile-strategy";
import { pictureFaults, type Strategy, type StrategyChoice } from "@touchstone/core/schema/gist";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const shapeOf = (width: number, height: number): string => {
  const { scaled, canvas, starts, length } = shapePicture({ width, height });
  const margin =
    canvas.width === scaled.width && canvas.height === scaled.height
      ? ""
      : ` on ${canvas.width}×${canvas.height}`;
  return `${scaled.width}×${scaled.height}${margin}${starts.length > 1 ? ` in ${starts.length} of ${length}` : ""}`;
};

describe("shapePicture", () => {
  test.each([
    ["an ordinary picture", 800, 600, "800×600"],
    ["a photo is shrunk", 4_000, 3_000, "1789×1342"],
    ["a screen of a telephone stays whole", 1_080, 2_400, "922×2048"],
    ["the case of the wall: 600×20000 is ten tiles", 600, 20_000, "571×19040 in 10 of 2048"],
    ["a long chat keeps the width that letters need", 1_080, 12_000, "800×8890 in 5 of 1906"],
    ["an endless one costs ten tiles at most", 1_080, 60_000, "343×19040 in 10 of 2048"],
    ["a wide one is cut the other way", 12_000, 100, "12004×100 in 7 of 1852"],
    ["a tiny icon", 8, 8, "64×64"],
    ["the case of 1:218", 1_093, 5, "1093×5 on 1093×32"],
    ["a thread", 1, 60_000, "1×2048 on 41×2048"],
    ["one pixel", 1, 1, "64×64"],
  ])("%s: %i × %i", (_what, width, height, expected) => {
    expect(shapeOf(width, height)).toBe(expected);
  });

  test("whatever the size, tiles cover it to its end, keep its shape and suit every model", () => {
    const side = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 90_000 }));
    fc.assert(
      fc.property(side, side, (width, height) => {
        const { scaled, canvas, starts, length, overlap } = shapePicture({ width, height });
        const reach = Math.max(canvas.width, canvas.height);
        expect((starts.at(-1) ?? 0) + length).toBe(reach);
        for (const [index, start] of starts.entries()) {
          expect(start).toBe(index * (length - overlap));
        }
        expect(starts.length).toBeLessThanOrEqual(10);
        expect(length).toBeLessThanOrEqual(2_048);
        const short = Math.min(canvas.width, canvas.height);
        expect(short).toBeGreaterThanOrEqual(32);
        expect(length / short).toBeLessThanOrEqual(65);
        const grown = scaled.width * height - scaled.height * width;
        expect(Math.abs(grown)).toBeLessThanOrEqual(14 * Math.max(width, height));
      }),
    );
  });
});

describe("faults of files", () => {
  test.each(pictureFaults)("%s has a name, a reason in both languages and a policy", (name) => {
    const problem = faultProblem("a.png", { name, detail: "HEIC" });
    expect(problem).toMatchObject({ ref: "a.png", fault: { name }, kind: faultRules[name].kind });
    expect(["sender", "reader"]).toContain(faultRules[name].blame);
    const verdict = judgeMedia([problem], "review");
    const reason = verdict.kind === "end" ? verdict.reasons[0] : undefined;
    if (reason === undefined) throw new Error("there is no reason");
    expect(reasonText(reason, "zh")).toMatch(/^图片无法读取（a\.png: .*\p{Script=Han}.*）$/u);
    expect(reasonText(reason, "en")).toMatch(/^a picture cannot be read \(a\.png: [^\p{Script=Han}]+\)$/u);
  });
});

describe("the strategy of a tiled picture", () => {
  const choice = (strategy: Strategy): StrategyChoice => ({
    strategy,
    probabilities: {
      text: strategy === "text" ? 1 : 0,
      picture: strategy === "picture" ? 1 : 0,
      mixed: strategy === "mixed" ? 1 : 0,
    },
    unsure: false,
    model: "m",
  });

  test.each([
    [1, [0]],
    [2, [0, 1]],
    [3, [0, 1, 2]],
    [12, [0, 6, 11]],
  ])("of %i tiles these are asked about: %j", (count, expected) => {
    expect(tilesToAsk(Array.from({ length: count }, (_, index) => index))).toEqual(expected);
  });

  test.each<readonly [readonly Strategy[], Strategy]>([
    [["text"], "text"],
    [["text", "text", "text"], "text"],
    [["picture", "picture"], "picture"],
    [["text", "picture", "text"], "mixed"],
    [["text", "mixed"], "mixed"],
  ])("%j is %s", (given, expected) => {
    const agreed = agreedStrategy(given.map(choice));
    expect(agreed.strategy).toBe(expected);
    const { text, picture, mixed } = agreed.probabilities;
    expect(text + picture + mixed).toBeCloseTo(1, 9);
  });
});
