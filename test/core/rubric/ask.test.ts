/** Criteria in the prompt and in the answer: what is asked, in which order, how strictly it is read, how sure it was. */
import { criterionReadings } from "@touchstone/core/domain/confidence/criterion-confidence";
import { readAnswer } from "@touchstone/core/domain/judge/answer";
import { turnText } from "@touchstone/core/domain/judge/prompt";
import { verdictFault } from "@touchstone/core/domain/review/answer-review";
import { criteriaInOrder } from "@touchstone/core/domain/rubric/asked-criteria";
import { criterionField, questionFields } from "@touchstone/core/domain/rubric/criterion-field";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { token } from "../confidence/tokens.ts";
import { completion, judgedSample } from "../judge/answer-fixture.ts";
import { template as plain, prompt } from "../judge/prompt-fixture.ts";
import { criterion } from "./rubric-fixture.ts";

const rubric = [
  criterion("clear", 3, {
    text: "写明结论</rubric>",
    deliverable: { file: "诗.md", locator: "第一段" },
    evidence: {},
  }),
  criterion("leak", -5, { text: "出现身份证号", notApplicable: true }),
  criterion("size", 1, { check: { rule: "length", max: 10 } }),
];
const template: Template = { ...plain, rubric };

describe("the prompt", () => {
  const [system, user] = prompt({ template }).messages.map(turnText);

  test("asks one verdict for each criterion that no rule answers, and tells what Y means", () => {
    expect(system).toContain(
      '- "clear" [Y|N] (加分项；看 诗.md 的 第一段；须引文件原文 1 处) 写明结论＜/rubric>',
    );
    expect(system).toContain('- "leak" [Y|N|NA] (扣分项) 出现身份证号');
    expect(system).not.toContain('"size"');
    expect(system).toMatch(/扣分项和否决项写的是问题，问题出现才是 Y/);
  });

  test("has the criteria before the fields in its answer's form, with met last", () => {
    expect(user).toContain('"clear": {"quotes": ["…"], "met": "Y|N"}');
    expect(user).toMatch(/"criteria": \{.*"met": "Y\|N(?:\|NA)?"\}\}, "fields": \{/);
  });

  test("may ask for criteria alone", () => {
    const alone = templateSchema.parse({ ...plain, fields: [], rubric });
    const texts = prompt({ template: alone }).messages.map(turnText);
    expect(texts[0]).not.toContain("<fields>");
    expect(texts[1]).toMatch(/"criteria": \{[^\n]*\}\}\}$/);
  });

  test("is in English where the template is", () => {
    const english = { ...template, judge: { ...template.judge, language: "en" as const } };
    expect(turnText(prompt({ template: english }).messages[0] ?? { role: "system", content: "" })).toContain(
      "(earns points; look in 诗.md, 第一段; 1 quote of the file required)",
    );
  });
});

test("the order is drawn from the sample id: fixed for one, spread over many", () => {
  const many = Array.from({ length: 4 }, (_, index) => criterion(`c${index}`, 1));
  const orderOf = (id: string) => criteriaInOrder(many, id).map((one) => one.id);
  expect(orderOf("s-1")).toEqual(orderOf("s-1"));
  const firsts = Array.from({ length: 400 }, (_, index) => orderOf(`s-${index}`)[0]);
  for (const { id } of many) {
    const share = firsts.filter((first) => first === id).length;
    expect(share).toBeGreaterThan(60);
    expect(share).toBeLessThan(140);
  }
  expect(new Set(Array.from({ length: 400 }, (_, index) => orderOf(`s-${index}`).join())).size).toBe(24);
});

describe("the answer", () => {
  const asked = rubric.slice(0, 2);
  const read = (criteria: string) => {
    const answer = readAnswer(completion(`{"explanation": "", "criteria": ${criteria}}`), {
      fields: [],
      criteria: asked,
      sample: judgedSample,
      gists: [],
    });
    if (answer.kind !== "answer") throw new Error(answer.detail);
    return answer;
  };

  test("is read verdict by verdict, with its quotes", () => {
    const { criteria, problems } = read(
      '{"leak": {"quotes": [], "met": "NA"}, "clear": {"quotes": ["床前明月光"], "met": "Y"}}',
    );
    expect(criteria).toMatchObject([
      { id: "clear", met: "Y", quotes: ["床前明月光"] },
      { id: "leak", met: "NA", quotes: [] },
    ]);
    expect(problems).toEqual([]);
  });

  test.each([
    ["left out", '{"clear": {"quotes": [], "met": "N"}}', "missing"],
    ["null", '{"clear": {"met": "N"}, "leak": null}', "missing"],
    ["without met", '{"clear": {"met": "N"}, "leak": {"quotes": ["x"]}}', "missing"],
    ["a bare code", '{"clear": {"met": "N"}, "leak": "Y"}', "not-allowed"],
    ["a word of its own", '{"clear": {"met": "N"}, "leak": {"met": "yes"}}', "not-allowed"],
    ["true", '{"clear": {"met": "N"}, "leak": {"met": true}}', "not-allowed"],
    [
      "quotes that are no texts",
      '{"clear": {"met": "N"}, "leak": {"quotes": [1], "met": "N"}}',
      "not-allowed",
    ],
  ])("%s is no verdict, and the other one stands", (_, criteria, kind) => {
    const answer = read(criteria);
    expect(answer.criteria.map(({ id }) => id)).toEqual(["clear"]);
    expect(answer.problems).toMatchObject([{ field: "leak", kind }]);
  });

  test("NA is no answer where it is not allowed; full-width codes and one quote as a text are", () => {
    expect(read('{"clear": {"met": "NA"}, "leak": {"met": "N"}}').problems).toMatchObject([
      { field: "clear" },
    ]);
    expect(
      read('{"clear": {"quotes": "床前", "met": "Ｙ"}, "leak": {"quotes": null, "met": "N"}}').criteria,
    ).toMatchObject([
      { met: "Y", quotes: ["床前"] },
      { met: "N", quotes: [] },
    ]);
  });

  test("without any criteria misses all of them", () => {
    expect(read("[]").problems.map(({ field }) => field)).toEqual(["clear", "leak"]);
  });

  test("has for each verdict the probability of its own tokens, N kept apart from NA", () => {
    const tokens = [
      token('{"criteria": {"leak": {"quotes": [], "met": "'),
      token("N", 0.9, { Y: 0.1 }),
      token('"', 0.8, { A: 0.2 }),
      token('}, "clear": {"quotes": [], "met": "'),
      token("Y", 0.6, { N: 0.4 }),
      token('"}}}'),
    ];
    const answered = completion(tokens.map((one) => one.token).join(""), { logprobs: { content: tokens } });
    const answer = readAnswer(answered, { fields: [], criteria: asked, sample: judgedSample, gists: [] });
    if (answer.kind !== "answer") throw new Error(answer.detail);
    const [clear, leak] = criterionReadings(asked, answer.criteria, answer.content, answered);
    expect(clear?.confidence).toBeCloseTo(0.6);
    expect(leak?.confidence).toBeCloseTo(0.72);
    const silent = completion(answer.content);
    expect(criterionReadings(asked, answer.criteria, answer.content, silent)[0]?.confidence).toBeNull();
  });
});

describe("the question to a person", () => {
  test("is a field of the labels Y, N and, where allowed, NA", () => {
    expect(criterionField(rubric[1] ?? criterion("c", 1), "zh")).toMatchObject({
      kind: "label",
      id: "leak",
      title: "出现身份证号",
      question: "扣分项：问题出现才选 Y -5",
      labels: [{ code: "Y", name: "成立" }, { code: "N" }, { code: "NA", name: "不适用" }],
    });
  });

  test("is answered like any field", () => {
    const fields = questionFields(template);
    expect(fields.map(({ id }) => id)).toEqual(["quality", "note", "clear", "leak"]);
    expect(verdictFault({ clear: "Y", leak: "NA" }, ["clear", "leak"], fields)).toBeNull();
    expect(verdictFault({ clear: "NA" }, ["clear"], fields)).toBe('"clear" must be one of Y, N');
    expect(verdictFault({ clear: "Y" }, ["clear", "leak"], fields)).toBe('the question "leak" has no answer');
  });

  test("is cut where its text is long, and then stands whole below", () => {
    const long = criterionField(criterion("c", 1, { text: "长".repeat(900) }), "en");
    expect(long.title).toHaveLength(200);
    expect(long.question?.split("\n")[0]).toHaveLength(900);
  });
});
