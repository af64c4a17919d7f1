/** One question put to the judge in three ways: with the picture, with its gist, with both; prompts are SCORE's own. */
import { createHash } from "node:crypto";
import { readAnswer } from "@touchstone/core/domain/judge/answer";
import { buildPrompt, type PromptInput } from "@touchstone/core/domain/judge/prompt";
import type { ChatModel } from "@touchstone/core/ports";
import type { PlacedGist } from "@touchstone/core/schema/gist";
import type { Sample } from "@touchstone/core/schema/sample";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import type { PictureQuestion } from "./question.ts";

export const arms = ["image", "gist", "both"] as const;
export type Arm = (typeof arms)[number];

/** A picture as it was seen: its gist, and what a model is shown of it. */
export interface SeenPicture {
  readonly gist: PlacedGist["gist"];
  readonly dataUrls: readonly string[];
}

const ref = "picture";
const timeoutMs = 120_000;

const wording = {
  zh: { standard: "看图回答用户的问题，只依据图片。", title: "对用户问题的回答", yes: "是", no: "否" },
  en: {
    standard: "Answer the user's question by the picture alone.",
    title: "The answer to the user's question",
    yes: "yes",
    no: "no",
  },
} as const;

const templateOf = (language: "zh" | "en"): Template => {
  const { standard, title, yes, no } = wording[language];
  return templateSchema.parse({
    task: "picture-question",
    version: 1,
    family: "picture-question",
    title: { zh: "看图问答", en: "Questions about pictures" },
    standard,
    fields: [
      {
        kind: "label",
        id: "answer",
        title,
        labels: [
          { code: "Y", name: yes },
          { code: "N", name: no },
        ],
      },
    ],
    judge: { language },
  });
};

/** Null where the judge gave no answer that can be read, or none at all. */
export const askArm = async (
  question: PictureQuestion,
  arm: Arm,
  seen: SeenPicture,
  language: "zh" | "en",
  judge: ChatModel,
): Promise<boolean | null> => {
  const input = promptInputOf(question, arm, seen, language);
  const { judge: settings } = input.template;
  const completion = await judge.complete(
    {
      messages: [...buildPrompt(input).messages],
      temperature: 0,
      max_tokens: settings.maxTokens,
      logprobs: true,
      top_logprobs: settings.topLogprobs,
    },
    AbortSignal.timeout(timeoutMs),
  );
  const answer = readAnswer(completion, input);
  if (answer.kind !== "answer") return null;
  const code = answer.values.get("answer")?.value;
  return code === "Y" ? true : code === "N" ? false : null;
};

export const promptInputOf = (
  question: PictureQuestion,
  arm: Arm,
  seen: SeenPicture,
  language: "zh" | "en",
): PromptInput => {
  const template = templateOf(language);
  const sample: Sample = {
    id: question.id,
    messages: [
      {
        role: "user",
        content: [
          { type: "image", ref },
          { type: "text", text: question.text },
        ],
      },
    ],
  };
  return {
    template,
    fields: template.fields,
    sample,
    examples: [],
    gists: arm === "image" ? [] : [{ ref, gist: seen.gist }],
    problems: [],
    images: arm === "gist" ? [] : seen.dataUrls.map((dataUrl) => ({ ref, dataUrl })),
    // The same in all three ways, so that nothing but picture and gist differs.
    nonce: createHash("sha256").update(question.id).digest("hex").slice(0, 16),
  };
};
