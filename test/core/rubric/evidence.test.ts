/** Quotes are checked in code: word for word or nearly so, in the very file, reference, gist or output that is named. */
import { standsIn } from "@touchstone/core/domain/rubric/near-copy";
import { isNamed } from "@touchstone/core/domain/rubric/source-texts";
import { machineVerdicts, openQuotes } from "@touchstone/core/domain/rubric/verdicts";
import { evidenceState, foundQuotes } from "@touchstone/core/domain/rubric/verify-quotes";
import type { Sample } from "@touchstone/core/schema/sample";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gist } from "../../contract/records.ts";
import { criterion } from "./rubric-fixture.ts";

const sample: Sample = {
  id: "s-1",
  output: "见附件。",
  reference: "货币资金期末数应为 1,234 万元。",
  deliverables: [
    { name: "纪要.md", content: "# 结论\n本季度签约额为 3,200 万元，\n同比增长 12%。" },
    {
      name: "附表.md",
      content: [
        { type: "text", text: "逾期合同 3 份。" },
        { type: "image", ref: "图.png" },
      ],
    },
  ],
};
const gists = [{ ref: "图.png", gist: { ...gist(), text: "柱状图：华东 40%，华南 35%", flags: [] } }];
const inFile = (file: string, evidence: object = {}) =>
  criterion("c", 1, { deliverable: { file }, evidence });
const found = (quote: string, part = inFile("纪要.md")) =>
  foundQuotes(part, [quote], sample, gists).length > 0;

describe("a quote", () => {
  test.each([
    ["word for word", "本季度签约额为 3,200 万元", true],
    ["across a line break", "3,200 万元，同比增长 12%", true],
    ["in full-width digits and other spaces", "本季度签约额为３，２００万元", true],
    ["with one character in ten wrong", "本季度签约额为3,200万元,同比增涨12%", true],
    ["with another figure", "签约额为 4,100 万元", false],
    ["that stands in another file", "逾期合同 3 份", false],
    ["that stands in the output alone", "见附件", false],
    ["that nobody wrote", "客户已书面确认全部条款", false],
    ["of one character", "本", false],
    ["of marks alone", "，。", false],
  ])("%s", (_, quote, expected) => {
    expect(found(quote)).toBe(expected);
  });

  test("of a picture may go across its lines, with the marks of copied ones or without", () => {
    const copied = [
      { ref: "图.png", gist: { ...gist(), text: "共 2 行：\n> 华东 40%\n> 华南 35%", flags: [] } },
    ];
    const picture = criterion("c", 1, { evidence: { source: "gist" } });
    for (const quote of ["华东 40%\n华南 35%", "> 华东 40%\n> 华南 35%", "华南 35%"])
      expect(foundQuotes(picture, [quote], sample, copied)).toEqual([quote]);
  });

  test("is looked for where the criterion says: file by pattern, reference, gist, output", () => {
    expect(found("逾期合同3份", inFile("附*.md"))).toBe(true);
    expect(found("华东 40%", inFile("附表.md"))).toBe(true);
    expect(found("1,234 万元", criterion("c", 1, { evidence: { source: "reference" } }))).toBe(true);
    expect(found("华东 40%", criterion("c", 1, { evidence: { source: "gist" } }))).toBe(true);
    expect(found("见附件", criterion("c", 1, { evidence: { source: "output" } }))).toBe(true);
    expect(found("逾期合同3份", criterion("c", 1))).toBe(true);
    expect(found("本季度", inFile("没有.md"))).toBe(false);
  });
});

test("file names: `*` stands for anything, nothing else is a pattern", () => {
  expect(isNamed("report-2026.md", "report-*.md")).toBe(true);
  expect(isNamed("report.md", "report.m.")).toBe(false);
  expect(isNamed("a+b(1).md", "a+b(1).md")).toBe(true);
  expect(isNamed("my-report.md", "report*")).toBe(false);
});

describe("similarity", () => {
  const levenshtein = (a: string, b: string): number => {
    const row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
      let corner = row[0] ?? 0;
      row[0] = i;
      for (let j = 1; j <= b.length; j++) {
        const above = row[j] ?? 0;
        row[j] = Math.min(above + 1, (row[j - 1] ?? 0) + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1));
        corner = above;
      }
    }
    return row[b.length] ?? 0;
  };
  const best = (quote: string, text: string): number => {
    let most = 0;
    for (let start = 0; start <= text.length; start++)
      for (let end = start; end <= text.length; end++) {
        const window = text.slice(start, end);
        most = Math.max(most, 1 - levenshtein(quote, window) / Math.max(quote.length, window.length));
      }
    return most;
  };

  test("property: it is the best over all stretches of the text, at least 0.9", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(letters, letters, (quote, text) => {
        expect(standsIn(quote, text)).toBe(best(quote, text) >= 0.9);
      }),
      { numRuns: 300 },
    );
  });

  test("two edits in twenty pass, three do not", () => {
    const text = "abcdefghijklmnopqrstuvwxyz0123456789";
    expect(standsIn("abcdeXghijklmnopqrsX", text)).toBe(true);
    expect(standsIn("abXdeXghijklmnoXqrst", text)).toBe(false);
  });

  test("a long document costs little", () => {
    const document = "甲乙丙丁戊己庚辛壬癸".repeat(5_000);
    expect(standsIn("甲乙丙丁子丑己庚辛壬癸甲乙丙丁戊己庚丑寅", document)).toBe(false);
  });
});

describe("verdicts of the machine", () => {
  const needs = inFile("纪要.md", { minSpans: 2 });
  const verdictOn = (met: "Y" | "N", quotes: readonly string[]) =>
    machineVerdicts([needs], [{ id: "c", met, quotes, confidence: 0.97 }], sample, gists)[0];

  test("Y with quotes enough is verified, with too few, invented or repeated ones unverified", () => {
    const [one, two] = ["签约额为 3,200 万元", "同比增长 12%"];
    expect(verdictOn("Y", [one, two])).toEqual({ id: "c", met: "Y", confidence: 0.97, evidence: "verified" });
    for (const quotes of [[one], [one, one], [one, "客户已书面确认全部条款"], []])
      expect(verdictOn("Y", quotes)?.evidence).toBe("unverified");
    expect(verdictOn("N", [])?.evidence).toBeUndefined();
  });

  test("where no quote is required, a missing one is no fault", () => {
    expect(evidenceState(criterion("c", 1), "Y", [])).toBeUndefined();
    expect(evidenceState(criterion("c", 1, { evidence: { required: false } }), "Y", [])).toBeUndefined();
  });

  test("a criterion that the judge left out has no verdict", () => {
    expect(machineVerdicts([needs], [], sample, gists)).toEqual([{ id: "c", met: null, confidence: null }]);
  });

  test("the reviewer is shown the judge's quotes of open criteria, found or not", () => {
    const readings = [{ id: "c", met: "Y" as const, quotes: ["利润翻了一番"], confidence: 0.97 }];
    expect(openQuotes([needs], ["c"], readings, sample, gists)).toEqual([
      { quote: "利润翻了一番", found: false },
    ]);
    expect(openQuotes([needs], [], readings, sample, gists)).toEqual([]);
  });
});
