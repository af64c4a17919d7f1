/** From what code and judge found about a sample to its stored result. SCORE and `touchstone score` call it. */
import type { ChatCompletion } from "../../schema/chat.ts";
import type { ScoreRequest } from "../../schema/messages.ts";
import type { Result } from "../../schema/result.ts";
import type { RubricResult } from "../../schema/rubric.ts";
import type { Sample } from "../../schema/sample.ts";
import type { Template } from "../../schema/template.ts";
import type { FamilyTrust } from "../../schema/trust.ts";
import type { Judging } from "../judge/judging.ts";
import { assessRubric, type CriterionVerdict } from "../rubric/assess.ts";
import { machineVerdicts, openQuotes, withConfidences } from "../rubric/verdicts.ts";
import { answerConfidence } from "./answer-confidence.ts";
import { decide, type FieldReading } from "./decide.ts";
import { fingerprintParts, judgeFingerprint, promptSha256 } from "./fingerprint.ts";
import { promptDoubts } from "./prompt-doubts.ts";
import { answerFaultOf } from "./readings.ts";
import { scoredResult } from "./scored-result.ts";
import { calibrated, type Vouching, vouchingOf } from "./vouching.ts";

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
  /** Of the task's family; null where nobody calibrated or certified it. */
  readonly trust: FamilyTrust | null;
  readonly startedAt: number;
  readonly now: number;
}

/** The decision on everything that was found, as the result that is stored. */
export const judgedResult = (findings: Findings): Result => {
  const { request, sample, template, exact, judged, probe, startedAt, now } = findings;
  const judging = judged?.judging ?? null;
  const answer = judging?.answer ?? null;
  const fault = answer && answer.kind !== "answer" ? answer : null;
  const model = judged?.model ?? "none";
  const fingerprint = judgeFingerprint(model, request.template, template, probe);
  const parts = fingerprintParts(model, request.template, template, probe);
  const vouching = vouchingOf(template, { task: template.task, fingerprint, parts }, findings.trust);
  const readings = [...exact, ...(judging?.readings ?? [])];
  const verdicts =
    template.rubric.length === 0
      ? []
      : machineVerdicts(template.rubric, judging?.criteria ?? [], sample, request.gists);
  const uncleared = unclearedVetoes(template, verdicts, vouching);
  const rubric = rubricOf(template, verdicts, uncleared, vouching);
  const decision = decide({
    template,
    readings,
    answerFault: fault ? { code: answerFaultOf(fault.kind), detail: fault.detail } : null,
    ...(rubric ? { rubric } : {}),
    vouching,
    uncleared,
    confidence: answerConfidence(template, readings, verdicts),
    doubts: judging ? promptDoubts(judging.prompt) : [],
  });
  return scoredResult({
    request,
    sample,
    template,
    fingerprint,
    vouching,
    decision: decision.rubric
      ? { ...decision, rubric: withConfidences(decision.rubric, verdicts) }
      : decision,
    judge:
      judged === null
        ? null
        : {
            model: judged.model,
            promptSha256: promptSha256(judged.judging.prompt.messages),
            contextTokens: judged.judging.contextTokens,
            format: judged.judging.format,
            integration: judged.judging.prompt.integration,
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

/** The judge's "no violation" that a certificate of whole answers does not speak for. */
const unclearedVetoes = (
  { rubric }: Template,
  verdicts: readonly CriterionVerdict[],
  { clearsVeto }: Vouching,
): readonly string[] => {
  const vetoes = new Set(
    rubric.flatMap(({ id, kind, check }) => (kind === "veto" && check === "llm" ? [id] : [])),
  );
  return verdicts
    .filter(({ id, met, confidence }) => vetoes.has(id) && met !== "Y" && !clearsVeto(id, confidence))
    .map(({ id }) => id);
};

/** Assessed on calibrated probabilities; a veto that is not cleared is open, however sure the judge is. */
const rubricOf = (
  { rubric, grading }: Template,
  verdicts: readonly CriterionVerdict[],
  uncleared: readonly string[],
  vouching: Vouching,
): RubricResult | null => {
  if (rubric.length === 0) return null;
  const believed = verdicts.map((verdict): CriterionVerdict => {
    const { id, by, confidence } = verdict;
    if (uncleared.includes(id)) return { ...verdict, confidence: null };
    if (by !== undefined || confidence === null) return verdict;
    return { ...verdict, confidence: calibrated(vouching, confidence) };
  });
  return assessRubric(rubric, grading, believed, vouching.threshold);
};

const usageOf = (completions: readonly ChatCompletion[]): Result["usage"] => ({
  judgeCalls: completions.length,
  promptTokens: sum(completions.map((completion) => completion.usage?.prompt_tokens ?? 0)),
  completionTokens: sum(completions.map((completion) => completion.usage?.completion_tokens ?? 0)),
});

/** Servers may send fractions; results hold whole tokens. */
const sum = (values: readonly number[]): number =>
  Math.round(values.reduce((total, value) => total + value, 0));
