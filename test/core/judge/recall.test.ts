import { recallExamples } from "@touchstone/core/domain/judge/recall";
import { termsOf } from "@touchstone/core/domain/judge/terms";
import { sampleSchema } from "@touchstone/core/schema/sample";
import { describe, expect, test } from "vitest";

const example = (id: string, output: string, quality: string) => ({
  sample: sampleSchema.parse({ id, output }),
  labels: { quality },
});
const examples = [
  example("e-1", "电热水壶保修一年", "G"),
  example("e-2", "羽绒服可以机洗吗", "G"),
  example("e-3", "水壶的容量是多少升", "G"),
  example("e-4", "the kettle holds two litres", "B"),
  example("e-5", "跑步鞋偏小半码", "G"),
];
const ask = (output: string) => sampleSchema.parse({ id: "s-1", output });
const ids = (output: string, n: number): string[] =>
  recallExamples(examples, ask(output), n).map(({ sample }) => sample.id);

describe("recallExamples", () => {
  test("finds what shares words, in Chinese and in English", () => {
    expect(ids("这个水壶容量多大", 1)).toEqual(["e-3"]);
    expect(ids("Does the kettle fit?", 1)).toEqual(["e-4"]);
  });

  test("fills up with others, so that every answer is represented", () => {
    expect(ids("水壶容量", 3)).toContain("e-4");
    expect(ids("水壶容量", 9)).toHaveLength(5);
    expect(ids("完全无关", 2)).toHaveLength(2);
  });

  test("never recalls the sample itself", () => {
    const own = recallExamples(examples, { ...ask("电热水壶保修一年"), id: "e-1" }, 9);
    expect(own.map(({ sample }) => sample.id)).not.toContain("e-1");
  });

  test("recalls nothing where there is nothing", () => {
    expect(recallExamples([], ask("水壶"), 5)).toEqual([]);
    expect(ids("水壶", 0)).toEqual([]);
  });

  test("cuts CJK into pairs and words at their borders", () => {
    expect(termsOf("保修ＡＢ 1 年, Kettle's 你")).toEqual(["保修", "ab", "1", "年", "kettle", "s", "你"]);
  });
});
