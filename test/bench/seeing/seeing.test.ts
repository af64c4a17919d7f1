/** The seeing bench's counts, which are easy to get wrong and hard to see. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { copiedLines } from "./captions.ts";
import { characterErrors, editDistance, errorRate } from "./character-errors.ts";
import { type Classified, confusionOf } from "./confusion.ts";

const text = fc.array(fc.constantFrom("a", "b", "字"), { maxLength: 12 });

test("edit distance: known values", () => {
  expect(editDistance([..."kitten"], [..."sitting"])).toBe(3);
  expect(editDistance([], [..."abc"])).toBe(3);
  expect(editDistance([..."上午九点"], [..."下午九点钟"])).toBe(2);
});

test("edit distance is a distance", () => {
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, a)).toBe(0);
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

test("width of characters, spaces and line breaks do not count; order and wording do", () => {
  expect(characterErrors(["第１行，", "ab c"], ["第1行,ab", "c"])).toEqual({ characters: 7, errors: 0 });
  expect(characterErrors(["ab", "cd"], ["cd", "ab"]).errors).toBe(4);
  expect(errorRate([characterErrors(["abcd"], ["abcx"]), characterErrors(["ab"], ["ab"])])).toBeCloseTo(
    1 / 6,
  );
  expect(errorRate([])).toBeNull();
});

const said = (truth: Classified["truth"], strategy: Classified["truth"], unsure = false): Classified => ({
  file: `${truth}.png`,
  truth,
  group: null,
  choice: { strategy, unsure, probabilities: { text: 0.2, picture: 0.3, mixed: 0.5 } },
});

test("confusion: rows are the truth, unsure counts as mixed, two classes are told by their own probabilities", () => {
  const result = confusionOf([
    said("text", "text"),
    said("text", "picture", true),
    said("picture", "picture"),
    said("mixed", "mixed"),
  ]);
  expect(result).toMatchObject({
    images: 4,
    accuracy: 0.75,
    unsure: 1,
    confusion: {
      text: { text: 1, mixed: 1, picture: 0 },
      mixed: { text: 0, mixed: 1, picture: 0 },
      picture: { text: 0, mixed: 0, picture: 1 },
    },
    twoClass: {
      accuracy: 0.3333,
      confusion: { text: { text: 0, picture: 2 }, picture: { text: 0, picture: 1 } },
    },
  });
});

test("of a caption the copied lines count, without the captioner's marks; of one without copy marks, all", () => {
  expect(copiedLines("聊天截图：\n> 【左】在吗\n> [right] yes > no\n> 【大字】标题\n横图")).toEqual([
    "在吗",
    "yes > no",
    "标题",
  ]);
  expect(copiedLines("第一行\n第二行")).toEqual(["第一行", "第二行"]);
});
