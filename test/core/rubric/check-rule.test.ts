/** Criteria that code answers: phrases, patterns, numbers, lengths, files. */
import { machineVerdicts } from "@touchstone/core/domain/rubric/verdicts";
import { criterionSchema } from "@touchstone/core/schema/rubric";
import type { Sample } from "@touchstone/core/schema/sample";
import { describe, expect, test } from "vitest";
import { gist } from "../../contract/records.ts";
import { criterion } from "./rubric-fixture.ts";

const sample: Sample = {
  id: "s-1",
  output: "done",
  deliverables: [
    {
      name: "memo.md",
      content:
        "致：王总\n签约额 3,200 万元（去年 2,850），占比 １２.5%。\n零下 -5 度；2024-2026 年。联系人：李雷",
    },
    { name: "empty.md", content: "  \n" },
    { name: "chart.md", content: [{ type: "image", ref: "a.png" }] },
  ],
};
const gists = [{ ref: "a.png", gist: { ...gist(), text: "Total 88", flags: [] } }];
const check = (rule: object, file = "memo.md", seen = gists) =>
  machineVerdicts([criterion("c", 1, { check: rule, deliverable: { file } })], [], sample, seen)[0]?.met;

describe("rules", () => {
  test.each([
    ["any phrase", { rule: "contains", phrases: ["没有的", "签约额3,200"] }, "Y"],
    ["all phrases", { rule: "contains", phrases: ["没有的", "签约额"], match: "all" }, "N"],
    ["absent", { rule: "absent", phrases: ["身份证号"] }, "Y"],
    ["not absent, in other widths", { rule: "absent", phrases: ["12.5％"] }, "N"],
    ["a pattern for full-width marks, which NFKC turns", { rule: "regex", pattern: "^致：" }, "N"],
    ["a pattern over NFKC", { rule: "regex", pattern: "致:\\S+总" }, "Y"],
    ["a pattern that ignores case", { rule: "regex", pattern: "LI|李雷", ignoreCase: true }, "Y"],
    ["a number", { rule: "number", equals: 3200 }, "Y"],
    ["part of a number is not that number", { rule: "number", equals: 200 }, "N"],
    ["a number behind its phrase", { rule: "number", equals: 3200, after: "签约额" }, "Y"],
    ["another number behind it", { rule: "number", equals: 2850, after: "签约额" }, "N"],
    ["within tolerance", { rule: "number", equals: 12.4, tolerance: 0.1, after: "占比" }, "Y"],
    ["out of tolerance", { rule: "number", equals: 12.4, tolerance: 0.05, after: "占比" }, "N"],
    ["a negative number", { rule: "number", equals: -5 }, "Y"],
    ["a minus is not left out", { rule: "number", equals: 5 }, "N"],
    ["a dash is no minus", { rule: "number", equals: -2026 }, "N"],
    ["long enough", { rule: "length", min: 40 }, "Y"],
    ["too long", { rule: "length", max: 20 }, "N"],
    ["there", { rule: "present" }, "Y"],
  ])("%s", (_, rule, expected) => {
    expect(check(rule)).toBe(expected);
  });

  test("a file that is missing or empty holds nothing, and not even an absence is proven by it", () => {
    expect(check({ rule: "present" }, "empty.md")).toBe("N");
    for (const rule of [{ rule: "present" }, { rule: "absent", phrases: ["x"] }, { rule: "length", max: 9 }])
      expect(check(rule, "none.md")).toBe("N");
  });

  test("a picture is read by its gist; where nobody could read it code says nothing that it might belie", () => {
    expect(check({ rule: "number", equals: 88 }, "chart.md")).toBe("Y");
    expect(check({ rule: "number", equals: 88 }, "chart.md", [])).toBeNull();
    expect(check({ rule: "absent", phrases: ["x"] }, "chart.md", [])).toBeNull();
    expect(check({ rule: "present" }, "chart.md", [])).toBe("Y");
  });

  test("their confidence is that of code", () => {
    const [verdict] = machineVerdicts([criterion("c", 1, { check: { rule: "present" } })], [], sample, []);
    expect(verdict).toEqual({ id: "c", met: "Y", confidence: 1, by: "rule" });
  });
});

describe("refused by the schema", () => {
  const faults = (check: object) =>
    criterionSchema.safeParse({ id: "c", text: "t", kind: "positive", points: 1, check }).success;
  test.each([
    ["a broken pattern", { rule: "regex", pattern: "(" }],
    ["a pattern that can take for ever", { rule: "regex", pattern: "(a+)+$" }],
    ["the same with braces", { rule: "regex", pattern: "(\\d{1,}x)*" }],
    ["a length without bounds", { rule: "length" }],
    ["a length that nothing has", { rule: "length", min: 9, max: 3 }],
    ["no phrases", { rule: "contains", phrases: [] }],
    ["a rule that does not exist", { rule: "sounds-good" }],
  ])("%s", (_, rule) => {
    expect(faults(rule)).toBe(false);
  });
});
