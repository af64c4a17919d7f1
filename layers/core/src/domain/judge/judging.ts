/**
 * How one sample is judged, call by call, without a call being made here: a generator that says what to ask next and
 * reads what came back. SCORE answers it with a judge, `touchstone score` with recorded answers.
 */
import type { ChatCompletion, ChatRequest, ChatTurn } from "../../schema/chat.ts";
import type { FormatRule } from "../../schema/format.ts";
import type { Field, Template } from "../../schema/template.ts";
import { criterionReadings } from "../confidence/criterion-confidence.ts";
import { fieldConfidences } from "../confidence/field-confidence.ts";
import { type Vote, voted, voteOn } from "../confidence/vote.ts";
import type { FieldReading } from "../decide/decide.ts";
import { judgeReadings } from "../decide/readings.ts";
import { judgedCriteria } from "../rubric/asked-criteria.ts";
import type { CriterionReading } from "../rubric/verdicts.ts";
import { type Answer, type AnswerContext, readAnswer } from "./answer.ts";
import type { NoAnswer } from "./completion.ts";
import { answerProblem, withCorrection } from "./correction.ts";
import { formatFaults } from "./format-rules.ts";
import { buildPrompt, type JudgePrompt, type PromptInput } from "./prompt.ts";

/** `retry` and `vote` may be left out, where nobody pays for them: what was answered before stands then. */
export const callPurposes = ["answer", "retry", "vote"] as const;
export type CallPurpose = (typeof callPurposes)[number];

export interface JudgeCall {
  readonly purpose: CallPurpose;
  readonly request: Omit<ChatRequest, "model">;
}

export type JudgeReply =
  | { readonly kind: "answered"; readonly completion: ChatCompletion }
  /** The model takes fewer tokens: so many, where it said. */
  | { readonly kind: "too-long"; readonly limitTokens: number | null }
  /** The call was not made, or came to nothing that matters. */
  | { readonly kind: "none" };

export interface Judging {
  /** The prompt that the judge took: of a retry or a vote, the one that it goes back to. */
  readonly prompt: JudgePrompt;
  /** The context it was built for, where the model took fewer tokens than the template says. */
  readonly contextTokens: number | null;
  readonly answer: Answer | NoAnswer;
  readonly readings: readonly FieldReading[];
  /** What the judge said of the rubric's criteria. */
  readonly criteria: readonly CriterionReading[];
  /** Rules of form that the first answer broke; null where there was none to look at. */
  readonly format: readonly FormatRule[] | null;
  /** Every completion that came, in order. */
  readonly completions: readonly ChatCompletion[];
}

/** What is left of the context for the one attempt after a model said that it was too long. */
const shrinkTo = 0.8;
/** A cut answer gets so many times the room at its second try. */
const moreRoom = 2;

/** Yields calls to make at once; wants as many replies, in their order. */
export function* judging(
  input: PromptInput,
): Generator<readonly JudgeCall[], Judging, readonly JudgeReply[]> {
  const { template } = input;
  const asked = judgedCriteria(template.rubric);
  const context: AnswerContext = { ...input, criteria: asked };
  let prompt = buildPrompt(input);
  let contextTokens: number | null = null;
  let reply = yield* ask({ purpose: "answer", request: callFor(prompt.messages, template) });
  if (reply.kind === "too-long") {
    contextTokens = shrunk(template, prompt, reply.limitTokens);
    prompt = buildPrompt({ ...input, template: withContext(template, contextTokens) });
    reply = yield* ask({ purpose: "answer", request: callFor(prompt.messages, template) });
  }
  if (reply.kind !== "answered") {
    const answer = noAnswerOf(reply);
    return { prompt, contextTokens, answer, readings: [], criteria: [], format: null, completions: [] };
  }

  const completions = [reply.completion];
  let last = reply.completion;
  let answer = readAnswer(last, context);
  const format = formatFaults(answer, template);
  const problem = answerProblem(answer);
  if (problem !== null && isWorthRetrying(answer)) {
    const again = yield* ask(retryCall(prompt, last, answer, problem, template));
    if (again.kind === "answered") {
      last = again.completion;
      answer = readAnswer(last, context);
      completions.push(last);
    }
  }
  const base = { prompt, contextTokens, answer, format, completions };
  if (answer.kind !== "answer") return { ...base, readings: [], criteria: [] };

  const ids = input.fields.map((field) => field.id);
  const readings = judgeReadings(ids, answer, fieldConfidences(input.fields, answer, last));
  const criteria = criterionReadings(asked, answer.criteria, answer.content, last);
  const vote = answer.problems.length > 0 ? null : voteOn(input.fields, readings, template.judge.vote);
  if (vote === null) return { ...base, readings, criteria };
  const replies = yield voteCalls(prompt, template, vote);
  const answered = replies.flatMap((one) => (one.kind === "answered" ? [one.completion] : []));
  completions.push(...answered);
  const settled = answered.length < vote.calls ? readings : readings.map(countVotes(vote, answered, context));
  return { ...base, readings: settled, criteria };
}

function* ask(call: JudgeCall): Generator<readonly JudgeCall[], JudgeReply, readonly JudgeReply[]> {
  const [reply] = yield [call];
  return reply ?? { kind: "none" };
}

const callFor = (messages: readonly ChatTurn[], template: Template, room = 1): JudgeCall["request"] => ({
  messages,
  temperature: template.judge.temperature,
  max_tokens: template.judge.maxTokens * room,
  logprobs: template.judge.topLogprobs > 0,
  ...(template.judge.topLogprobs > 0 ? { top_logprobs: template.judge.topLogprobs } : {}),
});

/** Less than the prompt has, than the template allows, and than the model says it takes. */
const shrunk = (template: Template, prompt: JudgePrompt, limit: number | null): number => {
  const { contextTokens, maxTokens } = template.judge;
  const known = Math.min(contextTokens, prompt.tokens + maxTokens, limit ?? Number.POSITIVE_INFINITY);
  return Math.floor(known * shrinkTo);
};

/** The same template with another context; a prompt is rebuilt with it. */
export const withContext = (template: Template, contextTokens: number): Template => ({
  ...template,
  judge: { ...template.judge, contextTokens },
});

const noAnswerOf = (reply: Exclude<JudgeReply, { kind: "answered" }>): NoAnswer => {
  switch (reply.kind) {
    case "too-long":
      return {
        kind: "too-long",
        detail: "the model takes fewer tokens, also after the prompt was shortened",
      };
    case "none":
      return { kind: "refused", detail: "the judge was not asked" };
    default:
      return reply satisfies never;
  }
};

/** A refusal is an answer: asking again would only cost more. */
const isWorthRetrying = (answer: Answer | NoAnswer): boolean =>
  answer.kind !== "refused" && answer.kind !== "filtered" && answer.kind !== "too-long";

const retryCall = (
  prompt: JudgePrompt,
  first: ChatCompletion,
  answer: Answer | NoAnswer,
  problem: string,
  template: Template,
): JudgeCall => {
  // What was cut or went round in circles would only lead the second try the same way.
  const isShown = answer.kind !== "cut" && answer.kind !== "looped";
  const previous = isShown ? (first.choices?.[0]?.message?.content ?? null) : null;
  const turns = withCorrection(prompt.messages, previous, problem, template.judge.language);
  return { purpose: "retry", request: callFor(turns, template, answer.kind === "cut" ? moreRoom : 1) };
};

/** The same question again, warmer and without logprobs; the seeds differ, so that a seeded server does not echo. */
const voteCalls = (prompt: JudgePrompt, template: Template, vote: Vote): readonly JudgeCall[] =>
  Array.from({ length: vote.calls }, (_, index) => ({
    purpose: "vote",
    request: {
      messages: prompt.messages,
      temperature: vote.temperature,
      max_tokens: template.judge.maxTokens,
      seed: index + 1,
    },
  }));

/** An answer that cannot be read agrees with nothing. */
const countVotes = (vote: Vote, completions: readonly ChatCompletion[], context: AnswerContext) => {
  const answers = completions.map((completion) => readAnswer(completion, context));
  const fields = new Map<string, Field>(context.fields.map((field) => [field.id, field]));
  return (reading: FieldReading): FieldReading => {
    const field = fields.get(reading.id);
    if (!field || !vote.fields.includes(reading.id)) return reading;
    return voted(
      field,
      reading,
      answers.map((one) => (one.kind === "answer" ? (one.values.get(reading.id)?.value ?? null) : null)),
    );
  };
};
