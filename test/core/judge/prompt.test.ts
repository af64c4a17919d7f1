import { sha256 } from "@touchstone/core/domain/decide/fingerprint";
import { type JudgePrompt, turnText } from "@touchstone/core/domain/judge/prompt";
import { estimateTokens } from "@touchstone/core/domain/judge/token-estimate";
import type { PlacedGist } from "@touchstone/core/schema/gist";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";
import { describe, expect, test } from "vitest";
import { nonce, prompt, sample, template, withJudge } from "./prompt-fixture.ts";

const textOf = (built: JudgePrompt, turn: number): string => {
  const message = built.messages[turn];
  return message ? turnText(message) : "";
};
const userText = (built: JudgePrompt): string => textOf(built, 1);

const gist = (ref: string, text: string, flags: PlacedGist["gist"]["flags"] = []): PlacedGist => ({
  ref,
  gist: {
    hash: sha256(ref),
    strategy: "text",
    unsure: false,
    text,
    flags,
    width: 10,
    height: 10,
    captioner: "ocr",
    strategyModel: "m",
    tokens: 5,
  },
});
const placed = (output: unknown): Sample => sampleSchema.parse({ id: "s-2", output });

describe("buildPrompt", () => {
  test("keeps standard, rubric and fields in the system turn, and the sample between fences in the user's", () => {
    const built = prompt();
    const system = textOf(built, 0);
    expect(system).toContain("<standard> 标注标准\n# 判定");
    expect(system).toContain('1. "quality" (单选) 质量 — 回答好不好？\n   - "G" 好: 切题');
    expect(system).toContain('- "r1" [Y|N] (加分项) 给出下一步');
    expect(system).not.toContain(nonce);
    expect(userText(built)).toContain(`<<${nonce} output>>\n晚上十点关门。\n<</${nonce} output>>`);
    expect(userText(built)).toMatch(/"fields": \{"quality": "G\|B", "note": "…"\}\}$/);
    expect(built).toMatchObject({ cuts: [], suspicions: [], fenceBroken: false });
  });

  test("asks only the fields it is given, in the language of the template", () => {
    const built = prompt({ template: withJudge({ language: "en" }), fields: template.fields.slice(0, 1) });
    expect(textOf(built, 0)).toContain('1. "quality" (one label) 质量');
    expect(textOf(built, 0)).not.toContain('"note"');
    expect(userText(built)).toContain("Answer now.");
  });

  test("puts a picture, and its description, where it stands in the content", () => {
    const shown = placed([
      { type: "text", text: "先看这张" },
      { type: "image", ref: "a.png" },
      { type: "text", text: "再看这张" },
      { type: "image", ref: "b.png" },
      { type: "image", ref: "a.png" },
    ]);
    const built = prompt({
      sample: shown,
      gists: [gist("a.png", "菜单"), gist("b.png", "价目", ["cut"])],
      images: [{ ref: "a.png", dataUrl: "data:image/png;base64,AA==" }],
    });
    const content = built.messages[1]?.content;
    expect(Array.isArray(content) && content.map((part) => part.type)).toEqual(["text", "image_url", "text"]);
    const user = userText(built);
    const order = [
      "先看这张",
      "[图1：a.png]",
      "菜单",
      "再看这张",
      "[图2：b.png]",
      "没有写完",
      "价目",
      "（同上图）",
    ];
    expect(order.map((piece) => user.indexOf(piece))).toEqual(
      order.map((piece) => user.indexOf(piece)).toSorted((left, right) => left - right),
    );
    expect(order.every((piece) => user.includes(piece))).toBe(true);
  });

  test("shows of a description that goes round in circles only a part, and warns of it", () => {
    const shown = placed([{ type: "image", ref: "a.png" }]);
    const built = prompt({
      sample: shown,
      gists: [gist("a.png", "一只猫，".repeat(800), ["repeats", "cut"])],
    });
    const user = userText(built);
    expect(user).toContain("（这段描述可能不可靠：反复重复、没有写完）");
    expect(user.match(/一只猫/g)?.length).toBeLessThan(40);
    expect(built.cuts).toMatchObject([{ section: "gists" }]);
  });

  test("says that a picture is not there, and why", () => {
    const shown = placed([{ type: "image", ref: "a.png" }]);
    const built = prompt({
      sample: shown,
      problems: [{ ref: "a.png", kind: "missing", message: "not in the bucket" }],
    });
    expect(userText(built)).toContain("（没有可用的图片：没有上传）");
  });

  test("shows candidates as letters and hides their ids", () => {
    const pair = sampleSchema.parse({
      id: "s-3",
      candidates: [
        { id: "model-x", output: "一" },
        { id: "model-y", output: "二" },
      ],
    });
    const user = userText(prompt({ sample: pair }));
    expect(user).toContain(`<<${nonce} candidate B>>\n二`);
    expect(user).not.toContain("model-");
  });

  test("shows roles, names, deliverables and test outcomes", () => {
    const rich = sampleSchema.parse({
      id: "s-4",
      messages: [{ role: "user", name: "小王", content: "在吗" }],
      deliverables: [{ name: "报告.md", content: "正文" }],
      executions: [{ name: "t1", outcome: "passed", group: "unit" }],
    });
    const user = userText(prompt({ sample: rich }));
    expect(user).toContain(`<<${nonce} message 1 user>>\n[小王]`);
    expect(user).toContain("报告.md");
    expect(user).toContain("unit / t1: passed");
  });

  test("shows examples with the asked labels alone, and leaves out those without any", () => {
    const labelled = { ...sample, id: "e-1", output: "不知道" };
    const built = prompt({
      fields: template.fields.slice(0, 1),
      examples: [
        { sample: labelled, labels: { quality: "B", note: "没有回答" } },
        { sample, labels: { other: "x" } },
      ],
    });
    expect(userText(built)).toContain(`<<${nonce} labels>>\n{"quality":"B"}\n`);
    expect(userText(built)).not.toContain("example 2");
  });

  test("is the same for the same input", () => {
    expect(prompt()).toEqual(prompt());
  });
});

describe("the budget", () => {
  const long = (unit: string): string => unit.repeat(4000);

  test("is kept, with the least important cut first", () => {
    const examples = Array.from({ length: 40 }, (_, index) => ({
      sample: { ...sample, id: `e-${index}`, output: long("例") },
      labels: { quality: "G" },
    }));
    const built = prompt({ template: withJudge({ contextTokens: 6000, maxTokens: 500 }), examples });
    expect(built.tokens).toBeLessThanOrEqual(5500);
    expect(built.cuts.map(({ section }) => section)).toEqual(["examples"]);
  });

  test("keeps start and end of a text it cuts, and says so", () => {
    const output = `开头${long("中")}结尾`;
    const built = prompt({
      sample: { ...sample, output },
      template: withJudge({ contextTokens: 3000, maxTokens: 500 }),
    });
    expect(built.tokens).toBeLessThanOrEqual(2500);
    expect(built.cuts[0]?.section).toBe("output");
    expect(userText(built)).toMatch(/开头中+\n……（此处因长度省略约 \d+ 个词元）……\n中+结尾/);
  });

  test.each([
    ["standard", { template: { ...withJudge({ contextTokens: 4000 }), standard: long("标") } }],
    ["reference", { sample: { ...sample, reference: long("参") } }],
    ["gists", { sample: placed([{ type: "image", ref: "a.png" }]), gists: [gist("a.png", long("图"))] }],
  ])("records what is cut of the %s", (section, input) => {
    const built = prompt({ template: withJudge({ contextTokens: 4000 }), ...input });
    expect(built.cuts.map((cut) => cut.section)).toContain(section);
    expect(built.tokens).toBeLessThanOrEqual(3200);
    expect(userText(built)).toContain(`<</${nonce} sample>>`);
  });

  test("of two pictures each keeps part of its description", () => {
    const two = placed([
      { type: "image", ref: "a.png" },
      { type: "image", ref: "b.png" },
    ]);
    const gists = [gist("a.png", long("甲")), gist("b.png", long("乙"))];
    const user = userText(prompt({ sample: two, gists, template: withJudge({ contextTokens: 4000 }) }));
    expect(user).toContain("甲甲甲");
    expect(user).toContain("乙乙乙");
  });

  test("estimates one token for a CJK character and two for seven Latin letters", () => {
    expect(estimateTokens("标准")).toBe(2);
    expect(estimateTokens("letters")).toBe(2);
    expect(estimateTokens("")).toBe(0);
  });
});
