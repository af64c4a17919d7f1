/** Asks the judge about a sample: makes the calls that `judging` wants, as far as time and budget go. */
import type { Judged } from "@touchstone/core/domain/decide/judged-result";
import { type JudgeCall, type JudgeReply, judging } from "@touchstone/core/domain/judge/judging";
import { errorCode, limitTokens } from "@touchstone/core/errors";
import type { Clock } from "@touchstone/core/ports";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import type { Sample } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { type PromptPorts, promptInput } from "../_batch/prompt-input.ts";
import { withCallSignal } from "../_pressure/call-signal.ts";
import type { SampleJudge } from "./sample-judge.ts";

export interface JudgePorts extends PromptPorts {
  readonly clock: Clock;
  /** Longest time one call may take. */
  readonly judgeTimeoutMs: number;
}

/** What is asked about one sample, of whom, and until when (epoch milliseconds). */
export interface Question {
  readonly request: ScoreRequest;
  readonly sample: Sample;
  readonly template: Template;
  readonly judge: SampleJudge;
  readonly deadline: number;
}

/** Null where the batch's budget has no call left; one that cannot pay for a second try has its first answer. */
export const askJudge = async (question: Question, ports: JudgePorts): Promise<Judged | null> => {
  const { request, sample, template, judge } = question;
  const { key, template: pin, gists, problems } = request;
  const steps = judging(await promptInput({ key, pin, template, sample, gists, problems }, ports));
  const started = ports.clock();
  let step = steps.next();
  while (!step.done) {
    const replies: JudgeReply[] = [];
    for (const call of step.value) {
      const reply = await replyTo(call, question, ports);
      if (reply === null) return null;
      replies.push(reply);
      // Less than all votes are none, so the others need not be paid.
      if (reply.kind === "none") break;
    }
    step = steps.next(replies);
  }
  const last = step.value.completions.at(-1);
  return { judging: step.value, model: last?.model ?? judge.model.model, judgeMs: ports.clock() - started };
};

/** One after the other, since a sample has one place at the endpoint. Null: the first call cannot be paid. */
const replyTo = async (
  { purpose, request }: JudgeCall,
  { judge, deadline }: Question,
  ports: JudgePorts,
): Promise<JudgeReply | null> => {
  const isLate = purpose === "vote" && ports.clock() + ports.judgeTimeoutMs > deadline;
  if (isLate) return { kind: "none" };
  if (!(await judge.pay())) return purpose === "answer" ? null : { kind: "none" };
  try {
    const limits = { timeoutMs: ports.judgeTimeoutMs, deadline, clock: ports.clock };
    const completion = await withCallSignal(limits, (signal) => judge.model.complete(request, signal));
    return { kind: "answered", completion };
  } catch (error) {
    if (errorCode(error) === "context-too-long") return { kind: "too-long", limitTokens: limitTokens(error) };
    // The answer is there and paid; the vote on it can be done without.
    if (purpose === "vote") return { kind: "none" };
    throw error;
  }
};
