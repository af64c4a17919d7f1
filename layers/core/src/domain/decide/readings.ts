/** Brings together what code and judge say of each field, for the decision. SCORE calls it. */
import type { ReasonCode } from "../../schema/outcome.ts";
import type { FieldValue } from "../../schema/sample.ts";
import type { FieldConfidence } from "../confidence/field-confidence.ts";
import type { Answer } from "../judge/answer.ts";
import type { AnswerFault as ReaderFault } from "../judge/completion.ts";
import type { AnswerFault, FieldReading } from "./decide.ts";

/** What a scorer in code found; `why` is the reason where it could not tell. */
export type ExactScore =
  | { readonly field: string; readonly value: string }
  | {
      readonly field: string;
      readonly value: null;
      readonly why: Extract<ReasonCode, "no-reference" | "answer-ambiguous">;
    };

/** A comparison in code as a reading: it carries no probability, since it is no guess. */
export const exactReading = (score: ExactScore): FieldReading => ({
  id: score.field,
  value: score.value,
  source: "exact",
  raw: null,
  calibrated: null,
  distribution: null,
  problem: score.value === null ? score.why : null,
});

/** The judge's word on the fields it was asked; missing logprobs stay missing. */
export const judgeReadings = (
  asked: readonly string[],
  answer: Answer,
  confidences: ReadonlyMap<string, FieldConfidence>,
): readonly FieldReading[] =>
  asked.map((id) => {
    const problem = answer.problems.find((candidate) => candidate.field === id);
    const confidence = confidences.get(id);
    const value: FieldValue | null = answer.values.get(id)?.value ?? null;
    return {
      id,
      value,
      source: confidence && confidence.pRaw !== null ? "logprob" : "none",
      raw: confidence?.pRaw ?? null,
      calibrated: null,
      distribution: confidence?.distribution ?? null,
      problem: problem ? (problem.kind === "missing" ? "field-missing" : "value-not-allowed") : null,
    };
  });

/** The decision's name for why an answer as a whole could not be read. */
export const answerFaultOf = (kind: ReaderFault): AnswerFault => {
  switch (kind) {
    case "cut":
      return "answer-cut";
    case "looped":
      return "answer-looped";
    case "too-long":
      return "context-cut";
    case "refused":
    case "filtered":
      return "answer-refused";
    case "unreadable":
      return "answer-unreadable";
    case "ambiguous":
      return "answer-ambiguous";
    default:
      return kind satisfies never;
  }
};
