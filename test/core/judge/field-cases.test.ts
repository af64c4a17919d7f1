/** What judges were seen to send in the field, in small bodies of the same shape: each has a named end, and no guess. */
import { fieldConfidences } from "@touchstone/core/domain/confidence/field-confidence";
import { readAnswer } from "@touchstone/core/domain/judge/answer";
import { recordedJudging } from "@touchstone/core/domain/judge/recorded-judging";
import { type ChatCompletion, chatCompletionSchema, type TokenLogprob } from "@touchstone/core/schema/chat";
import { templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { readCompletion } from "../../../functions/_aws/chat-protocol.ts";
import { token } from "../confidence/tokens.ts";
import { completion, digits, judgedSample, read, scoreField, scoreOf } from "./answer-fixture.ts";

const context = { fields: [scoreField], sample: judgedSample, gists: [] };
const kindOf = (body: unknown) => readAnswer(chatCompletionSchema.parse(body), context).kind;
const scored = (score: string, rest = "") => `{"explanation": "ok"${rest}, "fields": {"score": ${score}}}`;

describe("fenced JSON", () => {
  test.each([
    ["in a fence", `\`\`\`json\n${scored("7")}\n\`\`\``, "7"],
    ["with prose around it", `Sure!\n\`\`\`json\n${scored('"7"')}\n\`\`\`\nAnything else?`, "7"],
    ["twice the same", `\`\`\`json\n${scored("7")}\n\`\`\`\n\`\`\`json\n${scored("7")}\n\`\`\``, "7"],
  ])("%s is read", (_, content, value) => {
    expect(scoreOf(content)).toBe(value);
  });

  test.each([
    ["an example first", `e.g. \`\`\`json\n${scored("1")}\n\`\`\`\n\`\`\`json\n${scored("7")}\n\`\`\``],
    ["an example in single quotes", `e.g. {'fields': {'score': 1}}\n${scored("7")}`],
    ["an example that is cut", `${scored("7")}\n{"fields": {"sc`],
    ["an example without quotes", `${scored("7")} like {fields: {score: 1}}`],
    ["the answer as a text beside another", `${scored("7")}\n${JSON.stringify(scored("1"))}`],
  ])("%s is ambiguous, so nothing is scored", (_, content) => {
    expect(["ambiguous", "unreadable"]).toContain(read(content).kind);
  });
});

describe("a score off the scale", () => {
  test.each(["85", "-1", "9.2e+124", "10.0000001", '"3.5"', "3.5", "11", '"２５"'])(
    "%s is no score: it is not clamped, and the judge is asked once more",
    (score) => {
      expect(scoreOf(scored(score))).toBe("not-allowed");
      const template = templateSchema.parse({
        ...{ task: "t", version: 1, family: "f", title: { zh: "t", en: "t" }, standard: "s" },
        fields: [scoreField],
      });
      const input = { template, fields: [scoreField], sample: judgedSample };
      const rest = { examples: [], gists: [], problems: [], images: [], nonce: "0123456789abcdef" };
      const judged = (...completions: readonly ChatCompletion[]) =>
        recordedJudging({ ...input, ...rest }, completions);
      expect(judged(completion(scored(score))).readings).toMatchObject([
        { value: null, problem: "value-not-allowed" },
      ]);
      expect(judged(completion(scored(score)), completion(scored("8"))).readings).toMatchObject([
        { value: "8" },
      ]);
    },
  );

  test('"10" in quotes is the code 10', () => {
    expect(scoreOf(scored('"10"'))).toBe("10");
  });
});

describe("full-width quotes and marks", () => {
  test("are structure where structure stands, and text inside a text", () => {
    const answer = read("{“explanation”：“引用了“床前明月光”，正确”，“fields”：{“score”：８}}");
    expect(answer).toMatchObject({ kind: "answer", explanation: "引用了“床前明月光”，正确" });
    expect(answer.kind === "answer" && answer.values.get("score")?.value).toBe("8");
  });

  test("in valid JSON are never touched, even where they spell an answer", () => {
    const quoted = "样本写道｛“fields”：｛“score”：“3”｝｝，“不对”";
    const answer = read(JSON.stringify({ explanation: quoted, fields: { score: "8" } }));
    expect(answer).toMatchObject({ kind: "answer", explanation: quoted });
    expect(answer.kind === "answer" && answer.values.get("score")?.value).toBe("8");
  });

  test("of several fields and lists have one reading", () => {
    const answer = read(
      "｛“explanation”：“对”，“evidence”：［“甲”，“乙”］，“fields”：｛“score”：“8”，“x”：［“A”，“B”］｝｝",
    );
    expect(answer.kind === "answer" && answer.values.get("score")?.value).toBe("8");
  });

  test("that quote the marks of an answer are too unsure to be read", () => {
    const content =
      "｛“explanation”：“样本写“甲”，“fields”：｛“score”：“10”｝｝”，“fields”：｛“score”：“3”｝｝";
    expect(read(content).kind).not.toBe("answer");
  });
});

/** No field is a number: a score is a code. So only the glyphs of a code are made plain, and nothing is picked out of prose. */
describe("Chinese ways to write a score", () => {
  test.each([
    ['"８"', "8"],
    ["８", "8"],
    ['"１０"', "10"],
  ])("%s is the code in other glyphs", (score, code) => {
    expect(scoreOf(`{"fields"：{"score"：${score}}}`)).toBe(code);
  });

  test.each(['"八"', '"８分"', '"8/10"', '"8　分"', '"８．５"'])("%s is no code", (score) => {
    expect(scoreOf(`{"fields":{"score":${score}}}`)).toBe("not-allowed");
  });

  test.each(["得分：８分", "评分：８．５／１０", "【总分】9分", "八分", "得分:  8　分"])(
    "%s is no answer",
    (content) => {
      expect(read(content).kind).toBe("unreadable");
    },
  );
});

describe("an answer that never came, or was cut", () => {
  const thought = '… I would give {"fields":{"score":"10"}}';
  test.each([
    ["content null, the thought beside it", { content: null, reasoning_content: thought }, "length", "cut"],
    ["the same under another name", { content: null, reasoning: thought }, "length", "cut"],
    ["the thought in the content, without tags", { content: thought }, "length", "cut"],
    ["the thought alone, though it ended", { content: null, reasoning_content: thought }, "stop", "refused"],
    ["a cut text", { content: '{"fields": {"score": "8"' }, "length", "cut"],
    ["a cut number that is one by itself", { content: '{"fields": {"score": 1' }, "stop", "unreadable"],
    ["a whole verdict at the token limit", { content: scored('"8"') }, "length", "cut"],
  ])("%s is no verdict", (_, message, finish_reason, kind) => {
    expect(kindOf({ choices: [{ index: 0, finish_reason, message }] })).toBe(kind);
  });

  test("reasoning is neither scored nor kept as the reason", () => {
    const message = { content: scored('"8"'), reasoning_content: thought };
    const answer = readAnswer(
      chatCompletionSchema.parse({ choices: [{ finish_reason: "stop", message }] }),
      context,
    );
    expect(answer).toMatchObject({ kind: "answer", explanation: "ok" });
    expect(answer.kind === "answer" && answer.values.get("score")?.value).toBe("8");
  });
});

describe("refusals and filters", () => {
  test.each([
    [
      "a refusal beside a null",
      { choices: [{ finish_reason: "stop", message: { content: null, refusal: "Sorry." } }] },
      "refused",
    ],
    [
      "a filtered answer without a message",
      {
        choices: [
          {
            content_filter_results: { hate: { filtered: true } },
            finish_reason: "content_filter",
            index: 0,
            logprobs: null,
          },
        ],
      },
      "filtered",
    ],
    [
      "a filtered prompt, as a 200 with an error",
      {
        error: { code: "content_filter", status: 400, innererror: { code: "ResponsibleAIPolicyViolation" } },
      },
      "filtered",
    ],
    [
      "tool calls in place of a text",
      { choices: [{ finish_reason: "tool_calls", message: { content: null, tool_calls: [{}] } }] },
      "refused",
    ],
  ])("%s", (_, body, kind) => {
    expect(kindOf(readCompletion(JSON.stringify(body), "judge"))).toBe(kind);
  });
});

describe("other bodies than a chat completion", () => {
  test.each([
    ["a list that echoes the prompt", '[{"generated_text":"<s>[INST] … [/INST] 8"}]', "a JSON list"],
    ["a web page", "<title>500 Internal Server Error</title>", "no JSON"],
    ["a text", '"8"', "string"],
  ])("%s is an error of the server, never a label", (_, body, named) => {
    expect(() => readCompletion(body, "judge")).toThrow(named);
  });
});

describe("the place of the score", () => {
  const withTokens = (tokens: readonly TokenLogprob[]) =>
    completion(tokens.map((one) => one.token).join(""), { logprobs: { content: tokens } });
  const confidenceOf = (tokens: readonly TokenLogprob[]) => {
    const answered = withTokens(tokens);
    const answer = readAnswer(answered, context);
    if (answer.kind !== "answer") throw new Error(answer.detail);
    return fieldConfidences([scoreField], answer, answered).get("score");
  };

  test("is that of its value, not of the same digit in the reason", () => {
    const tokens = [
      token('{"explanation":"'),
      token("8", 1),
      token(' errors","fields":{"score":'),
      token("8", 0.5, { 9: 0.5 }),
      token("}}"),
    ];
    expect(confidenceOf(tokens)).toMatchObject({ status: "ok", pRaw: expect.closeTo(0.5, 9) });
  });

  test("equal values in other glyphs are summed, and a score of two tokens is combined", () => {
    const head = token('{"fields":{"score":');
    expect(
      confidenceOf([head, token("8", 0.3, { " 8": 0.2, "８": 0.1, 9: 0.4 }), token("}}")])?.pRaw,
    ).toBeCloseTo(0.6, 9);
    const ten = [head, token("1", 0.9, { 9: 0.1 }), token("0", 0.8, { "}": 0.2 }), token("}}")];
    expect(confidenceOf(ten)?.distribution).toMatchObject({
      10: expect.closeTo(0.72, 9),
      1: expect.closeTo(0.18, 9),
    });
  });
});

describe("logprobs in other containers", () => {
  const alternative = (text: string, logprob: number) => ({
    token: logprob,
    logprob,
    bytes: [...Buffer.from(text)],
  });
  const body = (choice: object) => ({ choices: [{ index: 0, finish_reason: "stop", ...choice }] });
  const text = '{"fields":{"score":"8"}}';

  test("LMI's list, with a number for an alternative's token, is read by its bytes", () => {
    const lp = Math.log(0.8);
    const plain = (part: string) => ({ ...token(part), top_logprobs: [alternative(part, 0)] });
    const tokens = [
      plain('{"fields":{"score":"'),
      { ...token("8", 0.8), top_logprobs: [alternative("8", lp), alternative("7", Math.log(0.2))] },
      plain('"}}'),
    ];
    const answered = chatCompletionSchema.parse(
      body({ message: { content: text }, logprobs: [{ content: tokens }], finish_reason: "eos_token" }),
    );
    const answer = readAnswer(answered, context);
    if (answer.kind !== "answer") throw new Error(answer.detail);
    const found = fieldConfidences([scoreField], answer, answered).get("score");
    expect(found).toMatchObject({ status: "ok", distribution: { 7: expect.closeTo(0.2, 9) } });
  });

  test.each([
    ["null", null],
    ["a list of another kind", [{ text: "{", id: 3 }]],
    [
      "alternatives without bytes",
      [{ content: [{ token: "8", logprob: 0, top_logprobs: [{ token: 1, logprob: 0 }] }] }],
    ],
  ])("%s is missing logprobs, and the answer still stands", (_, logprobs) => {
    const answered = chatCompletionSchema.parse(
      body({ message: { content: text, tool_calls: [] }, logprobs, stop_reason: null }),
    );
    const answer = readAnswer(answered, context);
    if (answer.kind !== "answer") throw new Error(answer.detail);
    expect(fieldConfidences([scoreField], answer, answered).get("score")).toMatchObject({
      status: "missing",
      pRaw: null,
    });
  });

  test.each(["abort", "function_call", "", null])(
    "the end %j is on no list, so the answer counts as cut",
    (finish_reason) => {
      expect(kindOf(body({ message: { content: text }, finish_reason }))).toBe("cut");
    },
  );
});

describe("texts that go round in circles", () => {
  test("a rationale that repeats one sentence has no verdict", () => {
    const explanation = "回答切题，所以给 8 分。".repeat(30);
    expect(read(JSON.stringify({ explanation, fields: { score: "8" } })).kind).toBe("looped");
  });

  test("a rationale that merely repeats words has one", () => {
    const explanation = "第一句对，第二句对，第三句也对；第四句写错了一个字，其余都对，所以给 8 分。";
    expect(read(JSON.stringify({ explanation, fields: { score: "8" } })).kind).toBe("answer");
  });

  test("many fields with the same code are no loop", () => {
    const fields = Object.fromEntries(digits.map(({ code }) => [`f${code}`, "8"]));
    expect(read(JSON.stringify({ explanation: "", fields: { ...fields, score: "8" } })).kind).toBe("answer");
  });
});
