/** A template and a way to build prompts from it; used by the prompt tests. */
import { buildPrompt, type JudgePrompt, type PromptInput } from "@touchstone/core/domain/judge/prompt";
import type { Sample } from "@touchstone/core/schema/sample";
import { type Template, templateSchema } from "@touchstone/core/schema/template";

export const nonce = "9f8e7d6c5b4a3210";

export const template: Template = templateSchema.parse({
  task: "reply-check",
  version: 1,
  family: "dialogue",
  title: { zh: "回复质检", en: "Reply check" },
  standard: "# 判定\n- G：回答切题。\n- B：答非所问。",
  fields: [
    {
      id: "quality",
      kind: "label",
      title: "质量",
      question: "回答好不好？",
      labels: [
        { code: "G", name: "好", description: "切题" },
        { code: "B", name: "差" },
      ],
    },
    { id: "note", kind: "text", title: "说明", required: false, maxLength: 50 },
  ],
  rubric: [{ id: "r1", text: "给出下一步", kind: "positive", points: 3 }],
});

export const sample: Sample = { id: "s-1", input: "几点关门？", output: "晚上十点关门。" };

export function prompt(input: Partial<PromptInput> = {}): JudgePrompt {
  const used = input.template ?? template;
  return buildPrompt({
    template: used,
    fields: used.fields,
    sample,
    examples: [],
    gists: [],
    problems: [],
    images: [],
    nonce,
    ...input,
  });
}

/** The same template with other settings of its judge. */
export const withJudge = (judge: Partial<Template["judge"]>): Template => ({
  ...template,
  judge: { ...template.judge, ...judge },
});
