/** From what code and judge found about a sample to its stored result. SCORE and `touchstone score` call it. */
import type { ChatCompletion } from "../../schema/chat.ts";
import type { ScoreRequest } from "../../schema/messages.ts";
import type { Result } from "../../schema/result.ts";
import type { RubricResult } from "../../schema/rubric.ts";
import type { Sample } from "../../schema/sample.ts";
import type { Template } from "../../schema/template.ts";
import type { Judging } from "../judge/judging.ts";
import { assessRubric } from "../rubric/assess.ts";
import { machineVerdicts, openQuotes } from "../rubric/verdicts.ts";
import { decide, type FieldReading } from "./decide.ts";
import { judgeFingerprint, promptSha256 } from "./fingerprint.ts";
import { promptDoubts } from "./prompt-doubts.ts";
import { answerFaultOf } from "./readings.ts";
import { scoredResult } from "./scored-result.ts";

/** A judging that has ended, with the model that answered and how long it took. */
export interface Judged {
  readonly judging: Judging;
  readonly model: string;
  readonly judgeMs: number;
}

export interface Findings {
  readonly request: ScoreRequest;
  readonly sample: Sample;
  readonly template: Template;
  /** What scorers in code found. */
  readonly exact: readonly FieldReading[];
  /** Null where no judge was asked. */
  readonly judged: Judged | null;
  /** Short hash of the judge server's probe; null where it was not probed. */
  readonly probe: string | null;
  readonly startedAt: number;
  readonly now: number;
}

/** The decision on everything that was found, as the result that is stored. */
export const judgedResult = (findings: Findings): Result => {
  const { request, sample, template, exact, judged, probe, startedAt, now } = findings;
  const judging = judged?.judging ?? null;
  const answer = judging?.answer ?? null;
  const fault = answer && answer.kind !== "answer" ? answer : null;
  const rubric = rubricOf(findings);
  const decision = decide({
    template,
    readings: [...exact, ...(judging?.readings ?? [])],
    answerFault: fault ? { code: answerFaultOf(fault.kind), detail: fault.detail } : null,
    ...(rubric ? { rubric } : {}),
    doubts: judging ? promptDoubts(judging.prompt) : [],
  });
  return scoredResult({
    request,
    sample,
    template,
    fingerprint: judgeFingerprint(judged?.model ?? "none", request.template, template, probe),
    decision,
    judge:
      judged === null
        ? null
        : {
            model: judged.model,
            promptSha256: promptSha256(judged.judging.prompt.messages),
            contextTokens: judged.judging.contextTokens,
            format: judged.judging.format,
            explanation: answer?.kind === "answer" ? answer.explanation : "",
            evidence: [
              ...openQuotes(
                template.rubric,
                rubric?.open ?? [],
                judged.judging.criteria,
                sample,
                request.gists,
              ),
              ...(answer?.kind === "answer" ? answer.evidence : []),
            ],
            usage: usageOf(judged.judging.completions),
            judgeMs: judged.judgeMs,
          },
    startedAt,
    now,
  });
};

const rubricOf = ({ template, judged, sample, request }: Findings): RubricResult | null => {
  const { rubric, grading, decision } = template;
  if (rubric.length === 0) return null;
  const verdicts = machineVerdicts(rubric, judged?.judging.criteria ?? [], sample, request.gists);
  return assessRubric(rubric, grading, verdicts, decision.provisionalThreshold);
};

const usageOf = (completions: readonly ChatCompletion[]): Result["usage"] => ({
  judgeCalls: completions.length,
  promptTokens: sum(completions.map((completion) => completion.usage?.prompt_tokens ?? 0)),
  completionTokens: sum(completions.map((completion) => completion.usage?.completion_tokens ?? 0)),
});

/** Servers may send fractions; results hold whole tokens. */
const sum = (values: readonly number[]): number =>
  Math.round(values.reduce((total, value) => total + value, 0));
