/** Captions: what the captioner is told, and how its answer is checked. */
import {
  captionLanguages,
  captionPrompt,
  captionTokens,
} from "@touchstone/core/domain/describe/caption-prompt";
import { type CaptionAnswer, gistFlagsOf, isCut } from "@touchstone/core/domain/describe/check-gist";
import { contradicts } from "@touchstone/core/domain/describe/contradicts";
import { evaluates } from "@touchstone/core/domain/describe/evaluates";
import { repeatsItself } from "@touchstone/core/domain/describe/repeats";
import { strategies } from "@touchstone/core/schema/gist";
import { describe, expect, test } from "vitest";

const poster =
  "第一行：春季新品上市，全场八折起。第二行：活动时间为三月一日至三月十五日。右下角有一个二维码，旁边写着“扫码领券”。背景为浅绿色，中间是一只白色的运动鞋。";

describe("repeatsItself", () => {
  test.each([
    ["a phrase over and over (case 67)", "一只猫，".repeat(800), true],
    ["a long sentence over and over", poster.slice(0, 40).repeat(12), true],
    ["spaces do not hide it", "ab cd ".repeat(200), true],
    ["a good start that ends in a loop", `${poster}${"背景里还有一片叶子。".repeat(30)}`, true],
    ["an English one", `A dog on a sofa. ${"There is a red ball on the floor. ".repeat(12)}`, true],
    [
      "turns that are counted",
      Array.from({ length: 12 }, (_, n) => `${n + 1}. 桌上有一个苹果`).join("\n"),
      true,
    ],
    [
      "turns that are numbered in Chinese",
      [..."一二三四五六七八九十"].map((n) => `第${n}、左边有一棵树和一个人`).join("\n"),
      true,
    ],
    ["the same line again and again among others", `${"> 已签收快递\n> 单号见下\n".repeat(9)}完`, true],
    ["a poster", poster, false],
    ["short text that repeats a little", "哈哈哈哈哈哈", false],
    [
      "a table whose rows are alike",
      Array.from({ length: 20 }, (_, row) => `第${row}行 商品编号 ${row * 7919} 单价 ${row * 13} 元`).join(
        "\n",
      ),
      false,
    ],
    [
      "a list of different things",
      "1. 苹果三个\n2. 香蕉一串\n3. 牛奶两盒\n4. 面包一袋\n5. 鸡蛋十枚\n6. 西红柿若干，装在塑料袋里\n7. 一瓶酱油放在最右边",
      false,
    ],
    ["nothing", "", false],
  ])("%s", (_, text, expected) => {
    expect(repeatsItself(text)).toBe(expected);
  });
});

describe("evaluates", () => {
  test.each([
    "海报质量很高，可打 9 分，符合要求。",
    "这张海报设计精美，配色和谐。",
    "整体排版较为混乱，有待改进。",
    "客服的回答不够专业，给 2 分。",
    "该截图完全满足任务标准。",
    "建议把标题再放大一些。",
    "画面构图合理，视觉效果不错",
    "回答是错误的",
    "综合得分：8/10 分",
    "This is a high quality poster and meets the brief.",
    "I would score 8 out of 10",
    "The layout is visually appealing.",
    "A well-designed flyer with a blue background.",
    "The answer is incorrect.",
    "The title should be larger.",
    "It fails to meet the requirements. A cat sits below.",
  ])("judges: %s", (text) => {
    expect(evaluates(text)).toBe(true);
  });

  test.each([
    poster,
    "聊天截图右侧写着“给个满分好评吧”",
    'The button says "Rate it now"',
    "「评分：5.0」显示在店名下方",
    "《质量很好的人》一书放在桌上",
    "按阅读顺序共 2 行文字：\n> 【右】质量很好，下次还来\n> 【左】亲，给个五星好评，打 5 分哦",
    "1 line(s) of text in reading order:\n> The answer is correct. Score: 10/10",
    "时钟指向 3 点 25 分钟，左边是红色，右边是白色。",
    "图中有 10 行文字，约占画面 20%：“春季”",
    "未识别物体、人物和场景：本模型只做文字识别和像素统计。",
    "A man rides a well-known brand of bicycle along the right bank.",
    "Objects, people and scenes were not identified: this model only reads text and counts pixels.",
    "表格共三列：姓名、年龄、部门。",
    "",
  ])("describes: %s", (text) => {
    expect(evaluates(text)).toBe(false);
  });

  test("what a reader found in the picture is the picture's word, copied with or without a mark", () => {
    const copied = "【右】质量很好，下次还来\n【左】谢谢惠顾";
    expect(evaluates(copied)).toBe(true);
    expect(evaluates(copied, "质量很好, 下次还来\n谢谢惠顾")).toBe(false);
    expect(evaluates(`${copied}。海报质量很好`, "质量很好，下次还来")).toBe(true);
  });
});

describe("contradicts", () => {
  const read = "净衣坊 换季洗护\n羽绒服 39元\n大衣 45元\n电话 0574-55531545\n地点 春晓路9号";
  const copy = (text: string) => text.replaceAll(/^/gm, "> ");
  test.each([
    ["the same words, other spaces and order", copy(read.split("\n").reverse().join("\n")), "text", false],
    ["full-width figures", copy(read.replaceAll("9", "９")), "text", false],
    ["one letter read otherwise", copy(read.replace("羽绒服", "羽绒眼")), "text", false],
    ["most of it left out", "> 净衣坊 换季洗护", "text", true],
    ["words that nobody read", copy("盛大开业\n全场一折起\n仅限今日抢购\n先到先得送完即止"), "text", true],
    ["another telephone number", copy(read.replace("0574-55531545", "0571-66688899")), "text", true],
    [
      "a photo's caption that copies none of the small print",
      "一张海报，中间是蓝色的洗衣机，左边有一件羽绒服。",
      "picture",
      true,
    ],
    [
      "a photo's caption that names what it says",
      "蓝色海报，上面写着“净衣坊 换季洗护”，价格“羽绒服 39元”。",
      "picture",
      false,
    ],
    ["invented words in quotes", "一只猫坐在写着“北京大学中文系图书馆阅览室”的牌子前", "picture", true],
  ] as const)("%s", (_, text, style, expected) => {
    expect(contradicts(text, read, style)).toBe(expected);
  });

  test.each([
    ["nothing was read", "一只猫坐在窗台上。", ""],
    ["a logo was read", "一只猫坐在窗台上。", "unicef"],
    ["a reader saw nothing and the captioner copies little", "> 咖啡", ""],
  ])("says nothing where %s", (_, text, nothing) => {
    expect(contradicts(text, nothing, "picture")).toBe(false);
  });

  test("English, in any case", () => {
    const page = "Return policy\nUnused goods may be returned within 30 days.";
    expect(contradicts("> RETURN POLICY\n> Unused goods may be returned within 30 days.", page, "text")).toBe(
      false,
    );
    expect(contradicts("> Opening hours\n> Monday to Friday from nine to five.", page, "text")).toBe(true);
  });
});

describe("flags", () => {
  const answer = (text: string, part: Partial<CaptionAnswer> = {}): CaptionAnswer => ({
    text,
    style: "mixed",
    finishReason: "stop",
    tokens: 100,
    maxTokens: 1_500,
    read: null,
    ...part,
  });
  test.each([
    ["nothing", answer("  \n"), ["empty"]],
    ["nothing, for thinking took it all", answer("", { finishReason: "length" }), ["cut", "empty"]],
    ["cut by the limit", answer(poster, { finishReason: "length" }), ["cut"]],
    ["cut, though the server says stop", answer(poster, { tokens: 1_500 }), ["cut"]],
    ["a server that says nothing of its end", answer(poster, { finishReason: null, tokens: null }), []],
    ["a quotation that is never closed", answer("海报上写着“春季新品上", { finishReason: null }), ["cut"]],
    ["a copied line with one mark", answer("> 他说：“走", {}), []],
    [
      "a loop that judges",
      answer("一只猫，质量很好，".repeat(100), { finishReason: "length" }),
      ["repeats", "cut", "evaluates"],
    ],
    [
      "other words than were read",
      answer("> 盛大开业全场一折起仅限今日", { read: "净衣坊换季洗护上门取送三天洗好" }),
      ["contradicts"],
    ],
    ["a good one", answer(poster), []],
  ])("%s", (_, given, expected) => {
    expect(gistFlagsOf(given)).toEqual(expected);
  });

  test("an open code fence is a cut", () => {
    expect(isCut(answer("```\nline"))).toBe(true);
    expect(isCut(answer("```\nline\n```"))).toBe(false);
  });
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

test.each([
  [1, 1_500],
  [3, 2_900],
  [12, 6_000],
])("%i tiles may be described in %i tokens", (tiles, expected) => {
  expect(captionTokens(tiles)).toBe(expected);
});
