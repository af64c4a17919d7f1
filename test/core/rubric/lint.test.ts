/** Lint: every verified wording, each code with an example of its own, in Chinese and English. */
import { lintRubric } from "@touchstone/core/domain/rubric/lint";
import { type LintFinding, lintCodes } from "@touchstone/core/domain/rubric/lint-finding";
import { lintText } from "@touchstone/core/domain/rubric/lint-text";
import type { Criterion } from "@touchstone/core/schema/rubric";
import { describe, expect, test } from "vitest";
import { criterion } from "./rubric-fixture.ts";

const about = (text: string, points = 2, part: object = {}): Criterion =>
  criterion("c", points, { text, deliverable: { file: "memo.md", locator: "第 2 节" }, ...part });
const codes = (text: string, points = 2, part: object = {}): string[] =>
  lintText(about(text, points, part)).map(({ code }) => code);
const errors = (text: string): string[] => codes(text).filter((code) => code.startsWith("E"));

describe("wording that is an error", () => {
  test.each([
    "模型需要准确且完整地回答用户的问题。",
    "报告同时给出营收和利润。",
    "列出三项风险，并说明依据。",
    "The memo states both the price and the date.",
    "Names the parties as well as the governing law.",
    "写明金额；写明日期",
    "既写明金额，又写明日期",
    "不仅写明金额，还写明日期",
    "写明金额，而且写明日期",
    "写明金额以及日期",
    "States the price and also the date.",
  ])("E1 %s", (text) => {
    expect(errors(text)).toEqual(["E1"]);
  });

  test.each([
    "打分：1-5 分",
    "方案的可行程度",
    "How well does the memo explain the plan?",
    "在 1–10 之间评价",
  ])("E7 %s", (text) => {
    expect(errors(text)).toEqual(["E7"]);
  });
});

describe("wording that is clean", () => {
  test.each([
    "并非所有脱敏字段被遗漏",
    "合并报表中“货币资金”期末数为 1,234 万元",
    "姑且不论来源，结论为不通过",
    "引用了《风险、合规与审计指引》第3条",
    "不同时间段的数据分表列示",
    "并购对价为 3.2 亿元",
    "Cites the file `terms and conditions.pdf`",
    "提及 2026 年的参与人数",
    "利率为 1-5%",
  ])("%s", (text) => {
    expect(codes(text)).toEqual([]);
  });
});

describe("wording that is a warning", () => {
  test.each([
    ["甲方与乙方名称与合同首页一致", ["W2"]],
    ["States that revenue is 12.4M and margin is 31%", ["W2"]],
    ["结论清晰", ["W1"]],
    ["Gives a comprehensive overview of Q3", ["W1"]],
    ["给出至少三个例子", ["W5"]],
    ["Gives at least three examples", ["W5"]],
    [`写明${"长".repeat(60)}`, ["W6"]],
    [`States that ${"word ".repeat(40)}`, ["W6"]],
  ])("%s", (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test("W3: nothing to check, unless a figure, a name or a place is there", () => {
    const unplaced = { deliverable: { file: "memo.md" } };
    expect(codes("写明负责人", 2, unplaced)).toEqual(["W3"]);
    expect(codes("States the owner", 2, unplaced)).toEqual(["W3"]);
    for (const text of [
      "写明负责人“李雷”",
      "首页写明负责人",
      "写明 3 位负责人",
      "写明 CFO",
      "Names the owner on page 1",
    ])
      expect(codes(text, 2, unplaced), text).toEqual([]);
    expect(codes("写明负责人")).toEqual([]);
  });
});

describe("E8: a fault phrased as a good thing", () => {
  test.each([
    "避免编造数据",
    "没有错别字",
    "金额与合同一致",
    "正确引用第3条",
    "Does not contain fabricated figures",
    "The total is correct",
    "Avoids misleading claims",
  ])("%s", (text) => {
    expect(codes(text, -3)).toContain("E8");
  });

  test.each([
    "编造数据",
    "金额与合同不一致",
    "未写明签约金额",
    "遗漏了第3条",
    "写出完整的身份证号码 18 位，泄露隐私",
    "The total is incorrect",
    "Fails to give an accurate total",
    "Contains fabricated figures",
  ])("not %s", (text) => {
    expect(codes(text, -3)).not.toContain("E8");
  });

  test("nor what earns points", () => {
    expect(codes("没有错别字", 3)).not.toContain("E8");
  });
});

describe("the rubric as a whole", () => {
  const lint = (rubric: readonly Criterion[], minCriteria = 1, files: readonly string[] | null = null) =>
    lintRubric(rubric, { minCriteria }, files).map(({ code, criterion: id }) => `${code} ${id}`);
  const one = (id: string, text: string, points: number, part: object = {}) =>
    criterion(id, points, { text, deliverable: { file: "memo.md", locator: "首段" }, ...part });
  const sound = [
    one("a", "写明签约额 3,200 万元", 2),
    one("b", "写明交付日期 2026-08-01", 2),
    one("d", "写明负责人“韩梅梅”", 2),
    one("e", "列出三个里程碑", 2),
    one("v", "写出完整的身份证号", 0),
  ];

  test("a sound one has no findings", () => {
    expect(lint(sound)).toEqual([]);
  });

  test("E2: fewer criteria than the task needs, 35 unless it says otherwise", () => {
    expect(lint(sound, 6)).toEqual(["E2 null"]);
    expect(lint(sound, 5)).toEqual([]);
  });

  test("E3: no file named, or one that no deliverable has", () => {
    const [first, ...rest] = sound;
    const nameless = { ...(first ?? one("a", "x", 1)), deliverable: undefined };
    expect(lint([nameless, ...rest])).toEqual(["E3 a"]);
    expect(
      lint([{ ...nameless, evidence: { required: false, minSpans: 1, source: "output" } }, ...rest]),
    ).toEqual([]);
    expect(lint(sound, 1, ["memo.md"])).toEqual([]);
    expect(lint(sound, 1, ["report.md"])).toHaveLength(5);
  });

  test("E4: no veto and nothing at −7 or below", () => {
    const light = sound.map((item) => (item.id === "v" ? one("v", "出现错别字", -3) : item));
    expect(lint(light)).toEqual(["E4 null"]);
    expect(lint(light.map((item) => (item.id === "v" ? one("v", "出现错别字", -7) : item)))).toEqual([]);
  });

  test("E5: the same twice", () => {
    expect(lint([...sound, one("x", "写明签约额3,200万元。", 1)])).toEqual(["E5 x"]);
  });

  test("E6: both sides of one predicate", () => {
    expect(lint([...sound, one("x", "未写明签约额 3,200 万元", -2)])).toEqual(["E6 x"]);
    const english = [
      one("p", "States the delivery date 2026-08-01", 2),
      one("n", "Does not state the delivery date 2026-08-01", -2),
    ];
    expect(lint([...sound, ...english])).toEqual(["E6 n"]);
  });

  test("W4: one criterion has over 30% of the positive points", () => {
    const heavy = sound.map((item) => (item.id === "a" ? { ...item, points: 3 } : item));
    expect(lint(heavy)).toEqual(["W4 a"]);
  });

  test("W7: more than six positive ones for each negative", () => {
    const six = Array.from({ length: 2 }, (_, index) =>
      one(`x${index}`, `写明第 ${index + 41}${index} 号合同的日期${"乙丙".repeat(index)}`, 2),
    );
    expect(lint([...sound, ...six])).toEqual([]);
    expect(lint([...sound, ...six, one("y", "列出 2027 年的预算上限", 2)])).toEqual(["W7 null"]);
  });

  test("every finding is told in both languages, with a way out", () => {
    const seen = new Map<string, LintFinding>();
    const poor = [
      one("a", "给出至少三个例子，并且说明理由的充分程度", 9, { deliverable: undefined }),
      one("b", "States the owner or team", 1, { deliverable: { file: "memo.md" } }),
      one("b2", "States the owner or team", 1),
      one("n", "Does not state the owner or team; correct total", -1),
      one("w", "长".repeat(61), 1),
      ...Array.from({ length: 5 }, (_, index) => one(`z${index}`, `写明第 ${index} 号`, 1)),
    ];
    for (const found of lintRubric(poor, { minCriteria: 35 }, null)) seen.set(found.code, found);
    expect([...seen.keys()].sort()).toEqual([...lintCodes].filter((code) => code !== "E6").sort());
    for (const { code, severity, text, suggestion } of seen.values()) {
      expect(severity).toBe(code.startsWith("E") ? "error" : "warning");
      for (const words of [text, suggestion]) {
        expect(words.zh).toMatch(/\p{Script=Han}/u);
        expect(words.en).toMatch(/^[\x20-\x7e−]|\p{Script=Han}/u);
        expect(words.en).toMatch(/[a-z]{2}/);
      }
    }
  });
});
