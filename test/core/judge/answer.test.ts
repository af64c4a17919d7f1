import { readAnswer } from "@touchstone/core/domain/judge/answer";
import { answerProblem, withCorrection } from "@touchstone/core/domain/judge/correction";
import { chatCompletionSchema } from "@touchstone/core/schema/chat";
import { fieldSchema } from "@touchstone/core/schema/template";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completion, digits, judgedSample, read, scoreField, scoreOf } from "./answer-fixture.ts";

const plain = '{"explanation":"对","evidence":["床前明月光"],"fields":{"score":"8"}}';
const context = { fields: [scoreField], sample: judgedSample, gists: [] };
const outcome = (body: unknown) => readAnswer(chatCompletionSchema.parse(body), context);

describe("what is tolerated around the object", () => {
  test.each([
    ["nothing", plain],
    ["a code fence", `\`\`\`json\n${plain}\n\`\`\``],
    ["prose before and after a fence", `Here it is:\n\`\`\`\n${plain}\n\`\`\`\nDone.`],
    ["a thought with another verdict in it", `<think>maybe {"fields":{"score":"3"}}</think>\n${plain}`],
    ["a thought whose start is in the prompt", `so 3, no, 8.</think>${plain}`],
    ["control tokens at the end", `${plain}<|im_end|>\n<|endoftext|>`],
    ["the same object twice", `\`\`\`json\n${plain}\n\`\`\`\n${plain}`],
    ["braces in prose", `Since \\frac{1}{2} of {it} is right: ${plain}`],
  ])("%s", (_, content) => {
    expect(scoreOf(content)).toBe("8");
  });

  test("the place of the value is that of the answer as it came", () => {
    const content = `<think>8</think>\n${plain}`;
    const answer = read(content);
    const span = answer.kind === "answer" ? answer.values.get("score")?.rawSpan : undefined;
    expect(content.slice(...(span ?? [0, 0]))).toBe('"8"');
  });
});

describe("what is no answer", () => {
  test.each([
    ["two objects that differ", `${plain}\n{"fields":{"score":"3"}}`, "ambiguous"],
    ["a duplicate key", '{"fields":{"score":"8","score":"3"}}', "unreadable"],
    ["NaN", '{"fields":{"score":NaN}}', "unreadable"],
    ["Infinity", '{"confidence":Infinity,"fields":{"score":"8"}}', "unreadable"],
    ["a trailing comma", '{"fields":{"score":"8",}}', "unreadable"],
    ["a comment", '{"fields":{/* 8 */"score":"8"}}', "unreadable"],
    ["an open object", '{"fields":{"score":"8"', "unreadable"],
    ["no object", "8 分", "unreadable"],
    ["no fields", '{"score":"8"}', "unreadable"],
    ["an endless thought", "<think>8, because", "cut"],
    ["brackets without end", `{"a":${"[".repeat(20_000)}`, "looped"],
    ["brackets too deep", `{"a":${"[".repeat(100)}1${"]".repeat(100)}}`, "unreadable"],
    ["blank text", " \n ", "refused"],
  ])("%s", (_, content, kind) => {
    expect(read(content).kind).toBe(kind);
  });

  test.each([
    ["length", "cut"],
    ["content_filter", "filtered"],
    ["weird_reason", "cut"],
    [null, "cut"],
    ["stop", "answer"],
    ["eos_token", "answer"],
    ["stop_sequence", "answer"],
  ])("finish reason %s", (reason, kind) => {
    expect(readAnswer(completion(plain, { finish_reason: reason }), context).kind).toBe(kind);
  });

  test.each([
    ["null content, only reasoning, out of room", completion(null, { finish_reason: "length" }), "cut"],
    ["null content", completion(null), "refused"],
    ["a refusal", completion(null, { message: { content: null, refusal: "I can't" } }), "refused"],
    ["no message", { choices: [{ finish_reason: "content_filter", index: 0 }] }, "filtered"],
    ["no message and no reason", { choices: [{ finish_reason: "stop", index: 0 }] }, "refused"],
    ["a tool call", completion(null, { finish_reason: "tool_calls" }), "refused"],
    [
      "an empty list of tool calls",
      completion(plain, { message: { content: plain, tool_calls: [] } }),
      "answer",
    ],
    ["an error in a 200", { error: { code: "content_filter", message: "…" } }, "filtered"],
    ["another error in a 200", { error: { code: "overloaded" } }, "refused"],
    ["no choices", { choices: [] }, "refused"],
    ["nothing", {}, "refused"],
    [
      "logprobs of another shape",
      completion(plain, { logprobs: [{ text: "{", id: 3, log_prob: -0.1 }] }),
      "answer",
    ],
  ])("%s", (_, body, kind) => {
    expect(outcome(body).kind).toBe(kind);
  });
});

describe("full-width punctuation", () => {
  test("is straightened at structural positions alone", () => {
    const answer = read("{“explanation”：“引用了“床前明月光”，正确”，“fields”：｛“score”：８｝}");
    expect(answer).toMatchObject({ kind: "answer", explanation: "引用了“床前明月光”，正确" });
    expect(answer.kind === "answer" && answer.values.get("score")?.value).toBe("8");
  });

  test("inside valid JSON is left alone", () => {
    const answer = read('{"explanation":"写作“：”，对","fields":{"score":"8"}}');
    expect(answer).toMatchObject({ explanation: "写作“：”，对" });
  });

  test("that can be read in two ways is not read at all", () => {
    expect(read("{“explanation”：“甲”，“fields”：“乙”，“fields”：{“score”：“8”}}").kind).toBe("unreadable");
  });

  test("keeps offsets", () => {
    const content = "{“fields”：{“score”：“8”}}";
    const answer = read(content);
    const span = answer.kind === "answer" ? answer.values.get("score")?.rawSpan : undefined;
    expect(content.slice(...(span ?? [0, 0]))).toBe("“8”");
  });
});

describe("values", () => {
  test.each(["85", "-1", "9.2e+124", "10.0000001", '"3.5"', '"11"', '"八"', "8.0", "[8]", '{"v":8}'])(
    "%s is not allowed, and never clamped",
    (value) => {
      expect(scoreOf(`{"fields":{"score":${value}}}`)).toBe("not-allowed");
    },
  );

  test.each([
    ['"10"', "10"],
    ["10", "10"],
    ['"８"', "8"],
  ])("%s is the code %s", (value, code) => {
    expect(scoreOf(`{"fields":{"score":${value}}}`)).toBe(code);
  });

  test.each(["null", '""', '" "'])("%s is missing", (value) => {
    expect(scoreOf(`{"fields":{"score":${value}}}`)).toBe("missing");
  });

  test("an optional field may be left out", () => {
    const optional = { ...scoreField, required: false };
    expect(read('{"fields":{}}', [optional])).toMatchObject({ kind: "answer", problems: [] });
  });

  test("sets name allowed codes, each once", () => {
    const tags = fieldSchema.parse({ kind: "labels", id: "tags", title: "标签", labels: digits });
    expect(scoreOf('{"fields":{"tags":["1","3"]}}', tags)).toEqual(["1", "3"]);
    expect(scoreOf('{"fields":{"tags":[]}}', tags)).toEqual([]);
    for (const bad of ['["1","1"]', '["x"]', '"1"']) {
      expect(scoreOf(`{"fields":{"tags":${bad}}}`, tags)).toBe("not-allowed");
    }
  });

  test("lists name what the sample has, candidates by their letters", () => {
    const list = (of: string) => fieldSchema.parse({ kind: "list", id: "best", title: "最好", of });
    expect(scoreOf('{"fields":{"best":["B"]}}', list("candidates"))).toEqual(["m-2"]);
    expect(scoreOf('{"fields":{"best":["m-2"]}}', list("candidates"))).toBe("unknown-id");
    expect(scoreOf('{"fields":{"best":["诗.md"]}}', list("deliverables"))).toEqual(["诗.md"]);
  });

  test("text has a length", () => {
    const note = fieldSchema.parse({ kind: "text", id: "note", title: "说明", maxLength: 3 });
    expect(scoreOf('{"fields":{"note":"很好😀"}}', note)).toBe("很好😀");
    expect(scoreOf('{"fields":{"note":"太长了吧"}}', note)).toBe("too-long");
  });
});

describe("evidence", () => {
  test("is looked up in the sample, whatever its spaces and width", () => {
    const quotes = ["床前明月光， 疑是地上霜", "举头望明月", "全文", "第四条"];
    const answer = read(JSON.stringify({ evidence: quotes, fields: { score: "8" } }));
    expect(answer.kind === "answer" && answer.evidence).toEqual([
      { quote: quotes[0], found: true },
      { quote: quotes[1], found: false },
      { quote: quotes[2], found: true },
    ]);
  });
});

describe("the retry", () => {
  test("shows the answer and what is wrong with it", () => {
    const problem = answerProblem(read('{"fields":{"score":"85"}}')) ?? "";
    expect(problem).toContain('"score": the value is not one of 0, 1');
    const turns = withCorrection(
      [{ role: "user", content: "问" }],
      '{"fields":{"score":"85"}}',
      problem,
      "zh",
    );
    expect(turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(turns[2]?.content).toContain(problem);
    expect(answerProblem(read(plain))).toBeNull();
  });
});

describe("whatever a judge writes", () => {
  test("a cut or damaged answer gives its own value or none", () => {
    const edits = fc.array(
      fc.record({
        at: fc.nat(plain.length),
        drop: fc.nat(6),
        put: fc.constantFrom("", '"', "}", "{", "[", "8", "3", "，", "“", "NaN", "```", "<|im_end|>", "\\"),
      }),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(edits, (mutations) => {
        let content = plain;
        for (const { at, drop, put } of mutations)
          content = content.slice(0, at) + put + content.slice(at + drop);
        const answer = read(content);
        if (answer.kind !== "answer") return;
        const found = answer.values.get("score");
        if (!found) return;
        expect(digits.map(({ code }) => code)).toContain(found.value);
        expect(content.slice(...found.rawSpan).normalize("NFKC")).toContain(String(found.value));
      }),
      { seed: 5, numRuns: 2000 },
    );
  });

  test("a prefix of an answer is never an answer", () => {
    for (let length = 0; length < plain.length; length++) {
      expect(read(plain.slice(0, length)).kind).not.toBe("answer");
    }
  });
});
