/** Completions as servers send them, and a reader of them; used by the answer tests. */
import { type Answer, readAnswer } from "@touchstone/core/domain/judge/answer";
import type { NoAnswer } from "@touchstone/core/domain/judge/completion";
import { type ChatCompletion, chatCompletionSchema } from "@touchstone/core/schema/chat";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";
import { type Field, fieldSchema } from "@touchstone/core/schema/template";

export const digits = Array.from({ length: 11 }, (_, index) => ({ code: `${index}`, name: `${index} 分` }));

export const scoreField: Field = fieldSchema.parse({
  kind: "ordinal",
  id: "score",
  title: "评分",
  labels: digits,
});

export const judgedSample: Sample = sampleSchema.parse({
  id: "s-1",
  input: "静夜思的第一句是什么？",
  output: "床前明月光，　疑是地上霜。",
  deliverables: [{ name: "诗.md", content: "全文" }],
  candidates: [
    { id: "m-1", output: "甲" },
    { id: "m-2", output: "乙" },
  ],
});

/** A finished completion with that text; `choice` overrides parts of it. */
export function completion(content: string | null, choice: object = {}): ChatCompletion {
  return chatCompletionSchema.parse({
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content }, ...choice }],
  });
}

export function read(content: string, fields: readonly Field[] = [scoreField]): Answer | NoAnswer {
  return readAnswer(completion(content), { fields, sample: judgedSample, gists: [] });
}

/** The one value of a text that must hold an answer. */
export function scoreOf(content: string, field: Field = scoreField): unknown {
  const answer = read(content, [field]);
  if (answer.kind !== "answer") throw new Error(`${answer.kind}: ${answer.detail}`);
  return answer.values.get(field.id)?.value ?? answer.problems[0]?.kind;
}
