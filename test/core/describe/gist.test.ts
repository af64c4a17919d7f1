/** Captions: what the captioner is told, and how its answer is checked. */
import { captionLanguages, captionPrompt } from "@touchstone/core/domain/describe/caption-prompt";
import { evaluates, gistFlagsOf, repeatsItself } from "@touchstone/core/domain/describe/check-gist";
import { strategies } from "@touchstone/core/schema/gist";
import { expect, test } from "vitest";

const poster =
  "第一行：春季新品上市，全场八折起。第二行：活动时间为三月一日至三月十五日。右下角有一个二维码，旁边写着“扫码领券”。背景为浅绿色，中间是一只白色的运动鞋。";

test.each([
  ["a phrase over and over (case 67)", "一只猫，".repeat(800), true],
  ["a long sentence over and over", poster.slice(0, 40).repeat(12), true],
  ["a poster", poster, false],
  ["short text that repeats a little", "哈哈哈哈哈哈", false],
  [
    "a table whose rows are alike",
    Array.from({ length: 20 }, (_, row) => `第${row}行 商品编号 ${row * 7919} 单价 ${row * 13} 元`).join(
      "\n",
    ),
    false,
  ],
  ["spaces do not hide it", "ab cd ".repeat(200), true],
  ["nothing", "", false],
])("repeats itself: %s", (_, text, expected) => {
  expect(repeatsItself(text)).toBe(expected);
});

test.each([
  ["海报质量很高，可打 9 分，符合要求。", true],
  ["This is a high quality poster and meets the brief.", true],
  ["I would score 8 out of 10", true],
  [poster, false],
  ["聊天截图右侧写着“给个满分好评吧”", false],
  ['The button says "Rate it now"', false],
  ["「评分：5.0」显示在店名下方", false],
])("evaluates: %s", (text, expected) => {
  expect(evaluates(text)).toBe(expected);
});

test.each([
  ["  \n", false, ["empty"]],
  [poster, true, ["cut"]],
  ["一只猫，质量很好，".repeat(100), true, ["repeats", "evaluates", "cut"]],
  [poster, false, []],
])("flags", (text, cut, expected) => {
  expect(gistFlagsOf(text, cut)).toEqual(expected);
});

test("every style has its marker in every language, and asks for no judgement", () => {
  const prompts = captionLanguages.flatMap((language) =>
    strategies.map((style) => [style, captionPrompt(style, language)] as const),
  );
  for (const [style, { system, user }] of prompts) {
    expect(system).toContain(`Style: ${style}`);
    expect(system).toMatch(/不做任何评价|Never judge/);
    expect(user.length).toBeLessThan(40);
  }
  expect(new Set(prompts.map(([, { system }]) => system)).size).toBe(prompts.length);
});
