/** How the gists of several pictures share one prompt. */
import { type DescribedPicture, planIntegration } from "@touchstone/core/domain/describe/plan-integration";
import { estimateTokens } from "@touchstone/core/domain/judge/token-estimate";
import type { ContentPart } from "@touchstone/core/schema/content";
import { type GistFlag, integrationPatterns, type Strategy, strategies } from "@touchstone/core/schema/gist";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** `a` to `z` are pictures, `V` a video, anything else a text; a digit behind a letter names other content. */
const partsOf = (pattern: string): ContentPart[] =>
  pattern
    .split(" ")
    .filter((word) => word !== "")
    .map((word): ContentPart => {
      if (word === "V") return { type: "video", ref: "v.mp4" };
      return /^[a-z]$/.test(word) ? { type: "image", ref: word } : { type: "text", text: word };
    });
const described = (
  texts: Readonly<Record<string, string>>,
  part: Partial<DescribedPicture> = {},
): Map<string, DescribedPicture> =>
  new Map(
    Object.entries(texts).map(([ref, text]) => [
      ref,
      { hash: ref, strategy: "mixed", text, flags: [], width: 280, height: 560, ...part },
    ]),
  );
const each = (refs: string) =>
  described(Object.fromEntries([...refs].map((ref) => [ref, `> ${ref}的独有内容`])));
const plenty = 100_000;

describe("the pattern", () => {
  test.each([
    ["no picture", "一段话", "", "none"],
    ["a picture that nobody described", "a", "", "none"],
    ["one picture", "看 a", "a", "single"],
    ["the same picture twice", "a 再看 a", "a", "single"],
    ["two side by side", "a b", "ab", "comparison"],
    ["two with words between", "a 这是门口 b 这是大堂", "ab", "one-by-one"],
    ["two with words that compare", "请对比 a 和 b", "ab", "comparison"],
    ["two with English words that compare", "before:and:after a then b", "ab", "one-by-one"],
    ["the same in whole words", "compare a with b", "ab", "comparison"],
    ["a series", "步骤如下 a b c", "abc", "sequence"],
    ["a long series after one of its own", "封面 a 正文 b c d e", "abcde", "sequence"],
    ["each with its words", "一 a 二 b 三 c", "abc", "one-by-one"],
    ["pairs", "一 a b 二 c d", "abcd", "comparison"],
    ["a pair among many", "一 a b 二 c 三 d 四 e", "abcde", "one-by-one"],
    ["a video ends a series", "a b V c", "abc", "comparison"],
  ])("%s: %s", (_what, pattern, refs, expected) => {
    expect(planIntegration(partsOf(pattern), each(refs), plenty).pattern).toBe(expected);
  });

  test("blank text between pictures parts nothing", () => {
    const parts: ContentPart[] = [
      { type: "image", ref: "a" },
      { type: "text", text: " \n" },
      { type: "image", ref: "b" },
    ];
    expect(planIntegration(parts, each("ab"), plenty).pattern).toBe("comparison");
  });
});

describe("numbers", () => {
  test("count the sample's media in order of first appearance, described or not", () => {
    const plan = planIntegration(partsOf("a V b 又 a c"), each("ac"), plenty);
    expect(plan.pictures.map(({ ref, number }) => `${ref}${number}`)).toEqual(["a1", "c4"]);
  });

  test("a copy under another name points at the first, takes no tokens, and saves gist and picture", () => {
    const copies = described(
      { a: "> 同一张菜单上的文字", b: "> 同一张菜单上的文字" },
      { hash: "same", strategy: "text", pieces: 2 },
    );
    const plan = planIntegration(partsOf("a 中间 b"), copies, plenty);
    expect(plan.pictures.map(({ sameAs, share }) => [sameAs, share > 0])).toEqual([
      [null, true],
      [1, false],
    ]);
    expect(plan.saved).toEqual({
      text: estimateTokens("> 同一张菜单上的文字") + 2 * 200,
      picture: 0,
      mixed: 0,
    });
  });
});

describe("what was said before", () => {
  const header = [
    "> 项目群(6)",
    "> 昨天的会议改到了周五下午三点",
    "> 地点在B座1203会议室",
    "> 请大家准时到场不要迟到",
  ];
  const screens = described({
    a: [...header, "> 收到"].join("\n"),
    b: [...header.slice(1), "> 那预算呢？上次说的是12,800元"].join("\n"),
    c: [header[2], "> 那预算呢？上次说的是12,800元", "> 涨到15,600了，因为加了两页数据可视化"].join("\n"),
  });

  test("in a series is left out, with the pictures that say it", () => {
    const { pictures, saved } = planIntegration(partsOf("a b c"), screens, plenty);
    expect(pictures.map(({ leftOut }) => leftOut)).toEqual([
      null,
      { lines: 3, saidOf: [1] },
      { lines: 2, saidOf: [1, 2] },
    ]);
    expect(pictures[1]?.text).toBe("> 那预算呢？上次说的是12,800元");
    expect(saved.mixed).toBeGreaterThan(20);
    expect(pictures[0]?.group).toEqual([1, 2, 3]);
  });

  test("stays where each picture has words of its own, or where the note would cost as much", () => {
    expect(planIntegration(partsOf("a 一 b 二 c"), screens, plenty).saved.mixed).toBe(0);
    const brief = described({ a: "> 春季新品上市\n> 甲", b: "> 春季新品上市\n> 乙" });
    expect(planIntegration(partsOf("a b"), brief, plenty).pictures[1]?.leftOut).toBeNull();
  });
});

describe("the budget", () => {
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, n) => `> 第${n}行：${n * 7919}`).join("\n");
  test("gives everybody what they need while there is enough", () => {
    const all = described({ a: numbers(10), b: numbers(30) });
    const { pictures } = planIntegration(partsOf("a 一 b"), all, plenty);
    expect(pictures.map(({ share, text }) => share === estimateTokens(text))).toEqual([true, true]);
  });

  test("is shared by information: what says the same again gets less than what says something new", () => {
    const dull = "> 左边有一棵树，右边有一棵树，后面还有一棵树\n".repeat(40);
    const rich = numbers(160);
    const plan = planIntegration(partsOf("a 一 b"), described({ a: dull, b: rich }), 800);
    const [low = 0, high = 0] = plan.pictures.map(({ share }) => share);
    expect(low).toBeGreaterThanOrEqual(80);
    expect(high).toBeGreaterThan(3 * low);
  });

  test("a long page does not silence a caption of one line", () => {
    const plan = planIntegration(
      partsOf("a 一 b"),
      described({ a: numbers(2_000), b: "一只白色的猫坐在窗台上" }),
      500,
    );
    expect(plan.pictures[1]?.share).toBe(estimateTokens("一只白色的猫坐在窗台上"));
  });

  test("a gist that goes round in circles has said it soon", () => {
    const flags: GistFlag[] = ["repeats"];
    const plan = planIntegration(partsOf("a"), described({ a: "一只猫，".repeat(800) }, { flags }), plenty);
    expect(plan.pictures[0]?.share).toBe(120);
  });

  test("whatever the pictures, shares are whole tokens inside the budget, and every token is used that is wanted", () => {
    const gist = fc.record({
      hash: fc.constantFrom("p", "q", "r", "s", "t"),
      strategy: fc.constantFrom<Strategy>(...strategies),
      text: fc.oneof(fc.string({ maxLength: 400 }), fc.nat(200).map(numbers)),
      flags: fc.constantFrom<GistFlag[]>([], ["repeats"], ["cut"]),
      width: fc.constant(280),
      height: fc.constant(560),
    });
    const order = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "字"), { maxLength: 12 });
    fc.assert(
      fc.property(order, fc.tuple(gist, gist, gist, gist, gist), fc.nat(6_000), (words, gists, budget) => {
        const known = new Map(gists.map((one, index) => ["abcde"[index] ?? "", one]));
        const plan = planIntegration(partsOf(words.join(" ")), known, budget);
        expect(integrationPatterns).toContain(plan.pattern);
        const shares = plan.pictures.map(({ share }) => share);
        const total = shares.reduce((sum, share) => sum + share, 0);
        expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
        expect(total).toBeLessThanOrEqual(budget);
        const wanted = plan.pictures.reduce((sum, { text, ref }) => {
          const tokens = estimateTokens(text);
          return sum + (known.get(ref)?.flags.includes("repeats") ? Math.min(120, tokens) : tokens);
        }, 0);
        expect(total).toBeGreaterThanOrEqual(Math.min(budget, wanted) - plan.pictures.length);
        expect(new Set(plan.pictures.map(({ number }) => number)).size).toBe(plan.pictures.length);
        for (const { sameAs, number } of plan.pictures) expect(sameAs === null || sameAs < number).toBe(true);
      }),
    );
  });
});
