import { scoreExact } from "@touchstone/core/domain/score-exact/score-exact";
import { sampleSchema } from "@touchstone/core/schema/sample";
import { type Scorer, scorerSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";

/** Y, N, or why neither. */
function score(kind: Scorer["kind"], output: string, reference: string, input = ""): string {
  const sample = sampleSchema.parse({ id: "s-1", input, output, reference });
  const found = scoreExact({ field: "correct", kind, right: "Y", wrong: "N" }, sample);
  return found.value ?? found.detail;
}

describe("choice letters", () => {
  test.each([
    ["【解析】B 不对。\n【答案】: D <eoa>", "D", "Y"],
    ["所以正确答案应该是 A。\n【答案】：Ｂ", "B", "Y"],
    ["答案：BC", "CB", "Y"],
    ["答案：B、C", "BC", "Y"],
    ["答案：B", "BC", "N"],
    ["选 B", "B", "Y"],
    ["很多同学会选 C，其实不对。应选 B。", "B", "Y"],
    ["不是 A，而是 B。", "B", "Y"],
    ["第一眼看像 AC；所以最后选 ABC。", "AC", "N"],
    ["the answer is (C)", "C", "Y"],
    ["**Answer: C**", "C", "Y"],
    ["I would choose B (Newton).", "B", "Y"],
    ["The answer is A because it melts.", "A", "Y"],
    ["The answer is a good question.", "A", "no-answer"],
    ["The answer is not B.", "B", "no-answer"],
    ["Because of the cold, none fits.", "B", "no-answer"],
    ["B. Newton", "B", "Y"],
    ["(c)", "C", "no-answer"],
    ["\\boxed{D}", "D", "Y"],
    ["答案：B\n再想一想，答案：C", "B", "several-answers"],
    ["B 和 C 都说得通", "B", "no-answer"],
    ["不选 B", "B", "no-answer"],
    ["【答案】: 题目有误，四个选项都没有语病。", "D", "no-answer"],
    ["(1)【答案】B\n(2)【答案】C\n(3)【答案】B", "B,C,B", "Y"],
    ["(1)【答案】B\n(2)【答案】C\n(3)【答案】D", "B,C,B", "N"],
    ["【答案】B\n【答案】C", "B,C", "several-answers"],
    ["答案：B", "", "no-reference"],
  ])("%j against %s is %s", (output, reference, expected) => {
    expect(score("exact-choice", output, reference)).toBe(expected);
  });
});

describe("numbers", () => {
  test.each([
    ["答案：252", "252", "", "Y"],
    ["20×0.85=17，17−2=15。答：15 元。", "15", "实付多少元？", "Y"],
    ["答：15 角。", "15", "实付多少元？", "unit-unclear"],
    ["很多同学会算成 3，其实不对。所以是 5。", "5", "", "Y"],
    ["Not 3 but 5.", "5", "", "Y"],
    ["The answer is 1,024.", "1024", "", "Y"],
    ["\\boxed{\\frac{1}{2}}", "0.5", "", "Y"],
    ["36+64=100", "100", "", "Y"],
    ["42", "42.0", "", "Y"],
    ["每段 30 米", "30", "每段多少厘米？", "unit-unclear"],
    ["可能是 3，也可能是 5", "5", "", "several-answers"],
    ["答案：2\n更正，答案：3", "2", "", "several-answers"],
    ["算不出来", "2", "", "no-answer"],
    ["答案：2", "很多", "", "no-reference"],
    ["答案：-17", "17", "", "N"],
  ])("%j against %s, asked %j, is %s", (output, reference, question, expected) => {
    expect(score("exact-number", output, reference, question)).toBe(expected);
  });
});

describe("what a task declares about numbers", () => {
  const declared = (policy: object, output: string, reference: string, input = ""): string => {
    const scorer = scorerSchema.parse({
      field: "c",
      kind: "exact-number",
      right: "Y",
      wrong: "N",
      ...policy,
    });
    const found = scoreExact(scorer, sampleSchema.parse({ id: "s-1", input, output, reference }));
    return found.value ?? found.detail;
  };

  test.each([
    [{}, "答案：3.14", "π", "", "N"],
    [{ tolerance: 2e-3 }, "答案：3.14", "π", "", "Y"],
    [{ tolerance: 1e-3 }, "答案：3.14", "π", "", "N"],
    [{ tolerance: 0.5 }, "一共 9.8 米", "10", "一共多少米？", "Y"],
    [{ tolerance: 0.5 }, "答：9.4 米。", "10", "一共多少米？", "N"],
    [{}, "答案：50%", "0.5", "", "N"],
    [{ percent: true }, "答案：50%", "0.5", "", "Y"],
    [{ percent: true }, "答案：0.28", "28%", "", "Y"],
    [{ tolerance: 0.1 }, "答案：1.05\n更正，答案：1", "1", "", "several-answers"],
  ])("%j: %j against %s, asked %j, is %s", (policy, output, reference, question, expected) => {
    expect(declared(policy, output, reference, question)).toBe(expected);
  });

  test("is declared for numbers alone", () => {
    const text = { field: "c", kind: "exact-text", right: "Y", wrong: "N", tolerance: 1 };
    expect(scorerSchema.safeParse(text).success).toBe(false);
  });
});

describe("texts", () => {
  test.each([
    ["北京", "北京", "Y"],
    ["  北京。", "北京", "Y"],
    ["答案：北京", "北京", "Y"],
    ["Ｎｅｗ　York", "new york", "Y"],
    ["床前明月光，疑是地上霜", "床前明月光, 疑是地上霜。", "Y"],
    ["南京", "北京", "N"],
    ["答案：北京\n答案：南京", "北京", "several-answers"],
    [" ", "北京", "no-answer"],
    ["3.14", "3.140", "N"],
  ])("%j against %s is %s", (output, reference, expected) => {
    expect(score("exact-text", output, reference)).toBe(expected);
  });
});

test("the last answer of a dialogue counts; pictures alone have no text", () => {
  const scorer: Scorer = { field: "correct", kind: "exact-choice", right: "Y", wrong: "N" };
  const messages = [
    { role: "assistant", content: "答案：A" },
    { role: "user", content: "再想想" },
    { role: "assistant", content: "答案：B" },
  ];
  const dialogue = sampleSchema.parse({ id: "s-1", messages, reference: "B" });
  expect(scoreExact(scorer, dialogue)).toEqual({ field: "correct", value: "Y" });
  const picture = sampleSchema.parse({
    id: "s-2",
    output: [{ type: "image", ref: "a.png" }],
    reference: "B",
  });
  expect(scoreExact(scorer, picture)).toMatchObject({ value: null, detail: "no-output" });
});
