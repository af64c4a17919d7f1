import { fieldConfidences } from "@touchstone/core/domain/confidence/field-confidence";
import { readAnswer } from "@touchstone/core/domain/judge/answer";
import { buildPrompt } from "@touchstone/core/domain/judge/prompt";
import type { LabelledExample } from "@touchstone/core/ports";
import { type ChatCompletion, type ChatTurn, chatCompletionSchema } from "@touchstone/core/schema/chat";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { baselineModel } from "../../infra/endpoints/baseline-judge/chat-protocol.ts";
import { startBaselineJudge } from "../../infra/endpoints/baseline-judge/server.ts";

let server: Awaited<ReturnType<typeof startBaselineJudge>>;
beforeAll(async () => {
  server = await startBaselineJudge({ port: 0 });
});
afterAll(() => server.close());

const post = (body: string): Promise<Response> =>
  fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });

async function complete(messages: readonly ChatTurn[], options: object = {}): Promise<ChatCompletion> {
  const response = await post(JSON.stringify({ messages, logprobs: true, top_logprobs: 20, ...options }));
  expect(response.status).toBe(200);
  return chatCompletionSchema.parse(await response.json());
}

const template = (extra: object = {}): Template =>
  templateSchema.parse({
    task: "reply-check",
    version: 1,
    family: "dialogue",
    title: { zh: "回复质检", en: "Reply check" },
    standard: "# 是否礼貌 polite\n- Y：礼貌。\n- N：辱骂顾客，禁止出现「买不起」「没长眼睛」。",
    fields: [
      {
        id: "polite",
        kind: "label",
        title: "是否礼貌",
        labels: [
          { code: "Y", name: "礼貌" },
          { code: "N", name: "不礼貌" },
        ],
      },
    ],
    ...extra,
  });
const reply = (output: string, id = "s-1"): Sample => sampleSchema.parse({ id, input: "能退吗？", output });
const examples = [
  ["您好，七天内可以退货。", "Y"],
  ["感谢咨询，可以退的。", "Y"],
  ["您好，支持退换。", "Y"],
  ["买不起就别问。", "N"],
  ["没长眼睛吗，自己看。", "N"],
].map(([output = "", polite = ""], index) => ({ sample: reply(output, `e-${index}`), labels: { polite } }));

const promptFor = (
  sample: Sample,
  used = template(),
  shown: readonly LabelledExample[] = examples,
): readonly ChatTurn[] =>
  buildPrompt({
    template: used,
    fields: used.fields,
    sample,
    examples: shown,
    gists: [],
    problems: [],
    images: [],
    nonce: "0123456789abcdef",
  }).messages;

async function judge(sample: Sample, used = template(), shown: readonly LabelledExample[] = examples) {
  const completion = await complete(promptFor(sample, used, shown));
  const answer = readAnswer(completion, { fields: used.fields, sample, gists: [] });
  if (answer.kind !== "answer") throw new Error(answer.detail);
  return { completion, answer, confidences: fieldConfidences(used.fields, answer, completion) };
}

describe("the baseline judge", () => {
  test("answers in the asked form, and its logprobs are its probabilities", async () => {
    const { completion, answer, confidences } = await judge(reply("穷就别买，买不起别来烦我。"));
    expect(answer.values.get("polite")?.value).toBe("N");
    const found = confidences.get("polite");
    expect(found?.status).toBe("ok");
    expect(found?.mode).toBe("bytes");
    expect(found?.validMass).toBeCloseTo(1, 6);
    expect(found?.pRaw).toBeGreaterThan(0.5);
    expect(found?.pRaw).toBeLessThan(1);
    expect(Object.keys(found?.distribution ?? {})).toEqual(["Y", "N"]);
    expect(completion.model).toBe(baselineModel);
    expect(completion.usage?.completion_tokens).toBe(completion.choices?.[0]?.logprobs?.content?.length);
    expect(answer.explanation).toContain("不理解语义");
    expect(answer.evidence.every(({ found: isThere }) => isThere)).toBe(true);
    expect(answer.evidence).not.toEqual([]);
  });

  test("learns from the examples in the prompt", async () => {
    const turned = examples.map(({ sample, labels }) => ({
      sample,
      labels: { polite: labels.polite === "Y" ? "N" : "Y" },
    }));
    const seen = await judge(reply("您好，可以退货。"));
    const other = await judge(reply("您好，可以退货。"), template(), turned);
    const yes = (judged: typeof seen): number => judged.confidences.get("polite")?.distribution?.Y ?? 0;
    expect(yes(seen)).toBeGreaterThan(0.5);
    expect(yes(other)).toBeLessThan(yes(seen));
  });

  test("gives the same answer to the same prompt", async () => {
    const messages = promptFor(reply("可以退。"));
    const content = async () => (await complete(messages)).choices?.[0]?.message?.content;
    expect(await content()).toBe(await content());
  });

  test("answers sets, lists, text and English", async () => {
    const used = template({
      judge: { language: "en" },
      fields: [
        {
          id: "tags",
          kind: "labels",
          title: "Tags",
          labels: [
            { code: "A", name: "greets" },
            { code: "B", name: "refuses" },
          ],
        },
        { id: "best", kind: "list", title: "Best", of: "candidates" },
        { id: "note", kind: "text", title: "Note", required: false },
        { id: "why", kind: "text", title: "Why" },
      ],
    });
    const shown = ["您好", "您好，可以", "不行", "不可以"].map((output, index) => ({
      sample: reply(output, `e-${index}`),
      labels: { tags: index < 2 ? ["A"] : ["B"] },
    }));
    const { answer, confidences } = await judge(reply("您好呀"), used, shown);
    expect(answer.problems).toEqual([]);
    expect(answer.values.get("tags")?.value).toEqual(["A"]);
    expect(confidences.get("tags")).toMatchObject({ status: "ok" });
    expect(confidences.get("tags")?.pRaw).toBeLessThan(1);
    expect(answer.explanation).toMatch(/^Lexical baseline/);
  });

  test("swapping two candidates swaps their probabilities", async () => {
    const used = template({
      fields: [
        {
          id: "better",
          kind: "label",
          title: "Better",
          labels: [
            { code: "A", name: "first" },
            { code: "B", name: "second" },
          ],
        },
      ],
    });
    const pair = (first: string, second: string): Sample =>
      sampleSchema.parse({
        id: "s-1",
        input: "Give three tips",
        candidates: [
          { id: "m-1", output: first },
          { id: "m-2", output: second },
        ],
      });
    const [good, bad] = ["1. Sleep\n2. Walk\n3. Drink water", "I cannot help with that."];
    const one = (await judge(pair(good, bad), used, [])).confidences.get("better")?.distribution;
    const other = (await judge(pair(bad, good), used, [])).confidences.get("better")?.distribution;
    expect(one?.A).toBeGreaterThan(0.5);
    expect(other?.B).toBeCloseTo(one?.A ?? 0, 9);
  });

  test("cuts at max_tokens like any server, which is no verdict", async () => {
    const completion = await complete(promptFor(reply("可以退。")), { max_tokens: 10 });
    expect(completion.choices?.[0]?.finish_reason).toBe("length");
    const context = { fields: template().fields, sample: reply("可以退。"), gists: [] };
    expect(readAnswer(completion, context).kind).toBe("cut");
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["no messages", "{}"],
    ["another prompt", JSON.stringify({ messages: [{ role: "user", content: "Hello" }] })],
    ["a bad parameter", JSON.stringify({ messages: [], top_logprobs: 21 })],
    ["streaming", JSON.stringify({ messages: [], stream: true })],
  ])("refuses %s as OpenAI servers do", async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    const error: unknown = await response.json();
    expect(error).toMatchObject({ error: { type: "invalid_request_error", message: expect.any(String) } });
  });

  test("says who it is", async () => {
    const models: unknown = await (await fetch(`${server.url}/v1/models`)).json();
    expect(models).toMatchObject({ data: [{ id: baselineModel }] });
    expect(baselineModel).toContain("not a language model");
  });
});
