import { describe, expect, test } from "vitest";
import { cutToWidth, displayWidth } from "../../infra/cli/render/display-width.ts";
import { percent, probability, size } from "../../infra/cli/render/figures.ts";
import { printable, printableLine } from "../../infra/cli/render/printable.ts";
import { shellQuoted } from "../../infra/cli/render/shell-quoted.ts";
import { renderTable } from "../../infra/cli/render/table.ts";

describe("display width", () => {
  test.each([
    ["", 0],
    ["abc", 3],
    ["机审率", 6],
    ["a机b", 4],
    ["（）：，。", 10],
    ["ＡＢ", 4],
    ["한글", 4],
    ["ひらカナ", 8],
    ["é", 1],
    ["e\u0301", 1],
    ["é…–", 3],
    ["👍", 2],
    ["👨‍👩‍👧", 2],
    ["❤️", 2],
    ["𠮷", 2],
    ["a\u200bb", 2],
    ["\u001b[31m红\u001b[39m", 2],
  ])("%j takes %i columns", (text, width) => expect(displayWidth(text)).toBe(width));

  test.each([
    ["机审率很高", 10, "机审率很高"],
    ["机审率很高", 9, "机审率很…"],
    ["机审率很高", 8, "机审率…"],
    ["abc", 2, "a…"],
  ])("%s cut to %i columns is %s", (text, columns, cut) => {
    expect(cutToWidth(text, columns)).toBe(cut);
    expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
  });
});

test("a table is aligned by what is seen, numbers to the right, without blanks at line ends", () => {
  const table = renderTable(
    [{ title: "任务" }, { title: "samples", align: "right" }, { title: "state" }],
    [
      ["导购对话质检", "1200", "\u001b[32mfinal\u001b[39m"],
      ["quiz", "7", "等待人审"],
    ],
  );
  expect(table.split("\n")).toEqual([
    "任务          samples  state",
    "导购对话质检     1200  \u001b[32mfinal\u001b[39m",
    "quiz                7  等待人审",
  ]);
});

test("what comes from outside cannot steer the terminal", () => {
  expect(printable("a\u001b[2Jb\r\nc\td\u202e!\u0000")).toBe("a\ufffd[2Jb\nc  d\ufffd!\ufffd");
  expect(printableLine("one\n  two")).toBe("one ⏎ two");
});

test("figures", () => {
  expect([percent(null), percent(0.9333), percent(1)]).toEqual(["–", "93.3%", "100.0%"]);
  expect([probability(null), probability(0.999), probability(0.7), probability(1)]).toEqual([
    "–",
    "0.99",
    "0.70",
    "1.00",
  ]);
  expect([size(0), size(1023), size(1536), size(5 * 1024 ** 3)]).toEqual([
    "0 B",
    "1023 B",
    "1.5 KB",
    "5.0 GB",
  ]);
});

test("values for a shell are one word", () => {
  expect(shellQuoted("shop-dialogue/day_1.jsonl@v1")).toBe("shop-dialogue/day_1.jsonl@v1");
  expect(shellQuoted("a b's#1")).toBe("'a b'\\''s#1'");
});
