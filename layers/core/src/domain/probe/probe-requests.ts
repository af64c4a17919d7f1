/** What a probe asks a judge: a verdict on which nothing is known, in full and as a single code. Called by the CLI. */
import type { ChatRequest, ChatTurn } from "../../schema/chat.ts";
import type { Sample } from "../../schema/sample.ts";
import { type Template, templateSchema } from "../../schema/template.ts";
import { closeFence } from "../judge/fence.ts";
import { buildPrompt } from "../judge/prompt.ts";

type Request = Omit<ChatRequest, "model">;

/** A coin that nobody sees: whoever judges it honestly is undecided. */
export const probeTemplate: Template = templateSchema.parse({
  task: "probe",
  version: 1,
  family: "probe",
  title: { zh: "探测", en: "Probe" },
  standard: "抛出一枚均匀的硬币，盖住不看。\n- Y：正面朝上。\n- N：反面朝上。\n看不见时按直觉选一个。",
  fields: [
    {
      id: "heads",
      kind: "label",
      title: "正面",
      question: "盖住的硬币是正面朝上吗？",
      labels: [
        { code: "Y", name: "是", description: "正面" },
        { code: "N", name: "否", description: "反面" },
      ],
    },
  ],
  judge: { language: "zh", maxTokens: 400 },
});

/** Holds Chinese words to be quoted, so that the answer's tokens show how the server sends them. */
export const probeSample: Sample = { id: "probe", output: "评语：优秀。硬币已经落下，被手盖住。" };

/** Codes that no sample asks for: only a server that forces its choices says them. */
export const forcedCodes = ["Q", "Z"] as const;

const mark = "5eed5eed5eed5eed";

/** The prompt with another closing line; null leaves it as it is. */
const messages = (closing: string | null): readonly ChatTurn[] => {
  const { fields } = probeTemplate;
  const prompt = buildPrompt({
    template: probeTemplate,
    fields,
    sample: probeSample,
    ...{ examples: [], gists: [], problems: [], images: [] },
    nonce: mark,
  });
  return prompt.messages.map((turn) => {
    if (turn.role !== "user" || closing === null || typeof turn.content !== "string") return turn;
    const end = turn.content.lastIndexOf(closeFence(mark, "sample"));
    return { ...turn, content: `${turn.content.slice(0, end)}${closeFence(mark, "sample")}\n${closing}` };
  });
};

const sampling = (temperature: number, maxTokens: number) => ({
  temperature,
  max_tokens: maxTokens,
  logprobs: true,
  top_logprobs: 20,
});

/** The whole answer, as samples are judged. */
export const fullRequest = (): Request => ({
  messages: messages(null),
  ...sampling(0, probeTemplate.judge.maxTokens),
});

/** The code alone, whose probabilities depend on no words before it. */
export const codeRequest = (temperature: number): Request => ({
  messages: messages("现在作答。只输出一个代码：Y 或 N，不加任何其他文字。"),
  ...sampling(temperature, probeTemplate.judge.maxTokens),
});

/** The same with other codes forced, in the ways that servers know, newest first. */
export const guidedRequests = (): readonly {
  readonly by: "structured_outputs" | "guided_choice" | "response_format";
  readonly request: Request;
}[] => {
  const request = codeRequest(0);
  const schema = {
    type: "object",
    properties: { code: { enum: forcedCodes } },
    required: ["code"],
    additionalProperties: false,
  };
  return [
    { by: "structured_outputs", request: { ...request, structured_outputs: { choice: forcedCodes } } },
    { by: "guided_choice", request: { ...request, guided_choice: forcedCodes } },
    {
      by: "response_format",
      request: {
        ...request,
        response_format: { type: "json_schema", json_schema: { name: "code", strict: true, schema } },
      },
    },
  ];
};
