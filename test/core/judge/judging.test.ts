import { promptSha256 } from "@touchstone/core/domain/decide/fingerprint";
import { type JudgeCall, type JudgeReply, judging } from "@touchstone/core/domain/judge/judging";
import { type ChatCompletion, chatCompletionSchema } from "@touchstone/core/schema/chat";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { token } from "../confidence/tokens.ts";
import { nonce, template as rubricTemplate, sample } from "./prompt-fixture.ts";

const template: Template = { ...rubricTemplate, rubric: [] };

const withVote = (vote: object, part: object = {}): Template =>
  templateSchema.parse({ ...template, ...part, judge: { ...template.judge, vote } });

const inputOf = (used: Template) => ({
  template: used,
  fields: used.fields,
  sample,
  ...{ examples: [], gists: [], problems: [], images: [], nonce },
});

/** An answer with the code, of probability `p`; without logprobs where `p` is null. */
const answer = (code: string, p: number | null = 0.99): ChatCompletion => {
  const other = code === "G" ? "B" : "G";
  const tokens = [
    token('{"explanation":"理由","evidence":[],"fields":{"quality":"'),
    token(code, p ?? 1, { [other]: 1 - (p ?? 1) + 1e-9 }),
    token('","note":null}}'),
  ];
  return chatCompletionSchema.parse({
    model: "m",
    choices: [
      {
        finish_reason: "stop",
        message: { content: tokens.map((one) => one.token).join("") },
        logprobs: p === null ? null : { content: tokens },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  });
};
const text = (content: string, finish_reason = "stop"): ChatCompletion =>
  chatCompletionSchema.parse({ choices: [{ finish_reason, message: { content } }] });
const answered = (completion: ChatCompletion): JudgeReply => ({ kind: "answered", completion });

/** Runs a judging to its end on the replies, in turn; returns it with the calls that it made. */
const run = (replies: readonly JudgeReply[], used: Template = template) => {
  const steps = judging(inputOf(used));
  const calls: JudgeCall[] = [];
  const left = [...replies];
  let step = steps.next();
  while (!step.done) {
    calls.push(...step.value);
    step = steps.next(step.value.map(() => left.shift() ?? { kind: "none" }));
  }
  return { ...step.value, calls, purposes: calls.map(({ purpose }) => purpose) };
};
const qualityOf = ({ readings }: ReturnType<typeof run>) => readings.find(({ id }) => id === "quality");

describe("a first answer that is good", () => {
  test("is one call", () => {
    const judged = run([answered(answer("G"))]);
    expect(judged.purposes).toEqual(["answer"]);
    expect(qualityOf(judged)).toMatchObject({ value: "G", source: "logprob" });
    expect(judged).toMatchObject({ format: [], contextTokens: null });
    expect(judged.completions).toHaveLength(1);
  });
});

describe("the one retry", () => {
  test("shows the answer and what is wrong with it; the prompt of record is the first one", () => {
    const judged = run([answered(text('{"fields":{"quality":"X"}}')), answered(answer("B"))]);
    expect(judged.purposes).toEqual(["answer", "retry"]);
    expect(judged.calls[1]?.request.messages.slice(0, 2)).toEqual(judged.prompt.messages);
    expect(judged.calls[1]?.request.messages[2]).toMatchObject({ role: "assistant" });
    expect(qualityOf(judged)?.value).toBe("B");
    expect(judged.format).toEqual(["allowed"]);
    expect(promptSha256(judged.prompt.messages)).toBe(promptSha256(judged.calls[0]?.request.messages ?? []));
  });

  test("of a cut answer has more room and does not show it", () => {
    const judged = run([answered(text('{"fields":', "length")), answered(answer("B"))]);
    const [first, second] = judged.calls;
    expect(second?.request.max_tokens).toBe(2 * (first?.request.max_tokens ?? 0));
    expect(second?.request.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
    expect(qualityOf(judged)?.value).toBe("B");
  });

  test("that nobody pays for leaves the first answer as it is", () => {
    const judged = run([answered(text("sorry"))]);
    expect(judged.purposes).toEqual(["answer", "retry"]);
    expect(judged.answer.kind).toBe("unreadable");
  });

  test("is not made after a refusal, and a second bad answer is the last", () => {
    const refusal = chatCompletionSchema.parse({ choices: [{ message: { refusal: "no" } }] });
    expect(run([answered(refusal)]).purposes).toEqual(["answer"]);
    const twice = run([answered(text("a")), answered(text("b"))]);
    expect(twice.purposes).toEqual(["answer", "retry"]);
    expect(twice.answer.kind).toBe("unreadable");
  });
});

describe("a model that says it is too long", () => {
  const long = { ...template, standard: "标准。".repeat(3_000) };
  const cutTo = (limitTokens: number | null) =>
    run([{ kind: "too-long", limitTokens }, answered(answer("G"))], long);

  test("is asked once more with less, and the result says with how much", () => {
    const judged = cutTo(4_096);
    expect(judged.purposes).toEqual(["answer", "answer"]);
    expect(judged.contextTokens).toBe(3_276);
    expect(judged.prompt.tokens).toBeLessThanOrEqual(3_276 - template.judge.maxTokens);
    expect(judged.prompt.cuts[0]).toMatchObject({ section: "standard" });
    expect(qualityOf(judged)?.value).toBe("G");
  });

  test("gets less than the prompt had, where it does not say how much it takes", () => {
    const judged = cutTo(null);
    const [first, second] = judged.calls.map(({ request }) => JSON.stringify(request.messages).length);
    expect(second).toBeLessThan(0.85 * (first ?? 0));
  });

  test("a second time has no verdict", () => {
    const judged = run([
      { kind: "too-long", limitTokens: null },
      { kind: "too-long", limitTokens: null },
    ]);
    expect(judged.purposes).toEqual(["answer", "answer"]);
    expect(judged).toMatchObject({ answer: { kind: "too-long" }, format: null, completions: [] });
  });

  test("at the retry keeps the first answer", () => {
    const judged = run([answered(text("sorry")), { kind: "too-long", limitTokens: null }]);
    expect(judged.answer.kind).toBe("unreadable");
  });
});

describe("the vote", () => {
  const voting = withVote({ samples: 5, from: 0.5, below: 0.9 });
  const others = (...codes: string[]) => codes.map((code) => answered(answer(code, null)));

  test("is held on the borderline alone", () => {
    expect(run([answered(answer("G", 0.95))], voting).purposes).toEqual(["answer"]);
    expect(run([answered(answer("G", 0.7)), ...others("G", "G", "G", "G")], voting).purposes).toEqual([
      "answer",
      ...Array.from({ length: 4 }, () => "vote"),
    ]);
    expect(run([answered(answer("G", 0.7))]).purposes).toEqual(["answer"]);
  });

  test("counts agreement, smoothed by the labels, and says where it comes from", () => {
    const judged = run([answered(answer("G", 0.7)), ...others("G", "G", "B", "G")], voting);
    expect(qualityOf(judged)).toMatchObject({
      value: "G",
      source: "vote",
      raw: 5 / 7,
      distribution: { G: 5 / 7, B: 2 / 7 },
    });
    expect(judged.completions).toHaveLength(5);
  });

  test("takes the value of the most; the first one's in a tie", () => {
    const most = run([answered(answer("G", 0.7)), ...others("B", "B", "B", "G")], voting);
    expect(qualityOf(most)).toMatchObject({ value: "B", raw: 4 / 7 });
    const tie = withVote({ samples: 4, from: 0.5, below: 0.9 });
    expect(qualityOf(run([answered(answer("G", 0.7)), ...others("B", "B", "G")], tie))?.value).toBe("G");
  });

  test("an answer that cannot be read agrees with nothing", () => {
    const judged = run(
      [answered(answer("G", 0.7)), ...others("G", "G", "G"), answered(text("no idea"))],
      voting,
    );
    expect(qualityOf(judged)?.raw).toBeCloseTo(5 / 7, 9);
  });

  test("stands in for logprobs that never came", () => {
    const judged = run([answered(answer("G", null)), ...others("G", "G", "G", "G")], voting);
    expect(qualityOf(judged)).toMatchObject({ value: "G", source: "vote", raw: 6 / 7 });
    expect(qualityOf(run([answered(answer("G", null))]))).toMatchObject({ source: "none", raw: null });
  });

  test("that is not whole is none, and nothing is mixed", () => {
    const judged = run([answered(answer("G", 0.7)), ...others("G", "G")], voting);
    expect(qualityOf(judged)).toMatchObject({ value: "G", source: "logprob" });
    expect(qualityOf(judged)?.raw).toBeCloseTo(0.7, 6);
    expect(judged.completions).toHaveLength(3);
  });

  test("asks warmly, without logprobs, each time with another seed", () => {
    const votes = run([answered(answer("G", 0.7))], voting).calls.slice(1);
    expect(votes.map(({ request }) => request.temperature)).toEqual([0.7, 0.7, 0.7, 0.7]);
    expect(new Set(votes.map(({ request }) => request.seed)).size).toBe(4);
    expect(votes.some(({ request }) => request.logprobs)).toBe(false);
  });

  test("changes the fields on the borderline and no other", () => {
    const two = withVote(
      { samples: 3, below: 0.9 },
      {
        fields: ["quality", "tone"].map((id) => ({
          ...{ kind: "label", id, title: id },
          labels: [
            { code: "G", name: "good" },
            { code: "B", name: "bad" },
          ],
        })),
      },
    );
    const both = (quality: number, tone: number) => {
      const tokens = [
        token('{"fields":{"quality":"'),
        token("G", quality, { B: 1 - quality }),
        token('","tone":"'),
        token("G", tone, { B: 1 - tone }),
        token('"}}'),
      ];
      return chatCompletionSchema.parse({
        choices: [
          {
            finish_reason: "stop",
            message: { content: tokens.map((one) => one.token).join("") },
            logprobs: { content: tokens },
          },
        ],
      });
    };
    const judged = run([answered(both(0.6, 0.99)), answered(both(0.9, 0.9)), answered(both(0.9, 0.9))], two);
    expect(judged.readings).toMatchObject([
      { id: "quality", source: "vote", raw: 4 / 5 },
      { id: "tone", source: "logprob" },
    ]);
    expect(judged.readings[1]?.raw).toBeCloseTo(0.99, 9);
  });

  test("is not held where a person will look in any case", () => {
    expect(run([answered(answer("G", 0.505))], withVote({ from: 0.6, below: 0.9 })).purposes).toEqual([
      "answer",
    ]);
  });

  test("is off by default, and its band must be one", () => {
    expect(template.judge.vote).toBeUndefined();
    const bad = { ...template, judge: { ...template.judge, vote: { from: 0.9, below: 0.5 } } };
    expect(templateSchema.safeParse(bad).success).toBe(false);
  });
});

describe("loops", () => {
  const looping = `{"explanation":"${"回答切题，给 8 分。".repeat(20)}`;

  test.each([
    ["until the token limit", text(looping, "length")],
    ["before it stops", text(looping)],
    ["inside an answer that is whole", text(`${looping}","fields":{"quality":"G"}}`)],
  ])("%s are no verdict, and are not shown again", (_, completion) => {
    const judged = run([answered(completion)]);
    expect(judged.answer.kind).toBe("looped");
    expect(judged.format).toEqual(["json"]);
    expect(judged.calls[1]?.request).toMatchObject({ max_tokens: template.judge.maxTokens });
    expect(judged.calls[1]?.request.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
  });

  test("a cut answer without one is merely cut", () => {
    expect(run([answered(text('{"explanation":"回答切题，给', "length"))]).answer.kind).toBe("cut");
  });
});
