/** Asks the judge about a sample: prompt, call, one retry with the fault shown, reading. */
import { fieldConfidences } from "@touchstone/core/domain/confidence/field-confidence";
import type { FieldReading } from "@touchstone/core/domain/decide/decide";
import { sha256 } from "@touchstone/core/domain/decide/fingerprint";
import { judgeReadings } from "@touchstone/core/domain/decide/readings";
import { type Answer, readAnswer } from "@touchstone/core/domain/judge/answer";
import type { NoAnswer } from "@touchstone/core/domain/judge/completion";
import { answerProblem, withCorrection } from "@touchstone/core/domain/judge/correction";
import { buildPrompt, type JudgePrompt } from "@touchstone/core/domain/judge/prompt";
import { recallExamples } from "@touchstone/core/domain/judge/recall";
import type { BlobStore, ChatModel, Clock, TemplateStore } from "@touchstone/core/ports";
import type { ChatCompletion, ChatTurn } from "@touchstone/core/schema/chat";
import { formatSampleKey } from "@touchstone/core/schema/identity";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import type { Result } from "@touchstone/core/schema/result";
import type { Sample } from "@touchstone/core/schema/sample";
import type { Field, Template } from "@touchstone/core/schema/template";
import { pictureKey } from "../_batch/staged-picture.ts";

export interface JudgePorts {
  readonly judge: ChatModel;
  readonly blobs: BlobStore;
  readonly templates: TemplateStore;
  readonly clock: Clock;
  readonly resultsBucket: string;
  /** Longest time one call may take. */
  readonly judgeTimeoutMs: number;
}

export interface Judgement {
  readonly prompt: JudgePrompt;
  readonly promptSha256: string;
  readonly answer: Answer | NoAnswer;
  readonly readings: readonly FieldReading[];
  readonly model: string;
  readonly usage: Result["usage"];
  readonly judgeMs: number;
}

const maxPictureBytes = 8 * 1024 * 1024;
/** A cut answer gets twice the room at its second try. */
const moreRoom = 2;

export const askJudge = async (
  request: ScoreRequest,
  sample: Sample,
  template: Template,
  fields: readonly Field[],
  ports: JudgePorts,
): Promise<Judgement> => {
  const prompt = await promptOf(request, sample, template, fields, ports);
  const context = { fields, sample, gists: request.gists };
  const started = ports.clock();
  const first = await call(prompt.messages, template, 1, ports);
  let answer = readAnswer(first, context);
  let last = first;
  const completions = [first];
  const problem = answerProblem(answer);
  // A refusal is an answer: asking again would only cost more.
  if (problem !== null && answer.kind !== "refused" && answer.kind !== "filtered") {
    const { language } = template.judge;
    const cut = answer.kind === "cut";
    const turns = withCorrection(prompt.messages, cut ? null : textOf(first), problem, language);
    last = await call(turns, template, cut ? moreRoom : 1, ports);
    answer = readAnswer(last, context);
    completions.push(last);
  }
  const readings =
    answer.kind === "answer"
      ? judgeReadings(
          fields.map((field) => field.id),
          answer,
          fieldConfidences(fields, answer, last),
        )
      : [];
  return {
    prompt,
    promptSha256: sha256(JSON.stringify(prompt.messages)),
    answer,
    readings,
    model: last.model ?? ports.judge.model,
    usage: usageOf(completions),
    judgeMs: ports.clock() - started,
  };
};

/** The very prompt of a request; the same request always gives the same one. */
export const promptOf = async (
  request: ScoreRequest,
  sample: Sample,
  template: Template,
  fields: readonly Field[],
  ports: Pick<JudgePorts, "blobs" | "templates" | "resultsBucket">,
): Promise<JudgePrompt> => {
  const examples = await ports.templates.examples(request.template);
  const images = await Promise.all(
    request.gists.map(async ({ ref, gist }) => {
      const staged = { bucket: ports.resultsBucket, key: pictureKey(gist.hash) };
      const { bytes, head } = await ports.blobs.read(staged, maxPictureBytes);
      const mediaType = head.contentType ?? "image/jpeg";
      return { ref, dataUrl: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` };
    }),
  );
  return buildPrompt({
    template,
    fields,
    sample,
    examples: recallExamples(examples, sample, template.memory.examples),
    gists: request.gists,
    problems: request.problems,
    images,
    // The key holds the object version that S3 gave the file after it was written, so no author can know it.
    nonce: sha256(formatSampleKey(request.key)).slice(0, 16),
  });
};

const call = (
  messages: readonly ChatTurn[],
  template: Template,
  room: number,
  ports: JudgePorts,
): Promise<ChatCompletion> =>
  ports.judge.complete(
    {
      messages,
      temperature: template.judge.temperature,
      max_tokens: template.judge.maxTokens * room,
      logprobs: template.judge.topLogprobs > 0,
      ...(template.judge.topLogprobs > 0 ? { top_logprobs: template.judge.topLogprobs } : {}),
    },
    AbortSignal.timeout(ports.judgeTimeoutMs),
  );

const textOf = (completion: ChatCompletion): string | null =>
  completion.choices?.[0]?.message?.content ?? null;

const usageOf = (completions: readonly ChatCompletion[]): Result["usage"] => ({
  judgeCalls: completions.length,
  promptTokens: sum(completions.map((completion) => completion.usage?.prompt_tokens ?? 0)),
  completionTokens: sum(completions.map((completion) => completion.usage?.completion_tokens ?? 0)),
});

const sum = (values: readonly number[]): number =>
  Math.round(values.reduce((total, value) => total + value, 0));
