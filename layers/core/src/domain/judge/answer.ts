/** Reads a judge's answer: envelope, JSON, fields, evidence. A verdict is whole and allowed, or it is none. Called by SCORE. */
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { ChatCompletion } from "../../schema/chat.ts";
import type { PlacedGist } from "../../schema/gist.ts";
import type { Criterion } from "../../schema/rubric.ts";
import type { Sample } from "../../schema/sample.ts";
import type { Field } from "../../schema/template.ts";
import { repeatsItself } from "../describe/repeats.ts";
import { type AnswerObject, findAnswerObject } from "./answer-json.ts";
import { completionText, type NoAnswer } from "./completion.ts";
import { type PlacedCriterionAnswer, readCriteria } from "./criterion-answers.ts";
import { checkEvidence, type Evidence } from "./evidence.ts";
import { type AnswerValue, type FieldProblem, readField } from "./field-values.ts";
import { endsInLoop } from "./loops.ts";

export interface Answer {
  readonly kind: "answer";
  readonly explanation: string;
  readonly evidence: readonly Evidence[];
  /** By field id; a field that is optional and left out is not in it. */
  readonly values: ReadonlyMap<string, AnswerValue>;
  /** Verdicts on the criteria that were asked. */
  readonly criteria: readonly PlacedCriterionAnswer[];
  /** Fields and criteria without a usable value; all others of the answer stand. */
  readonly problems: readonly FieldProblem[];
  /** The answer's text as it came, which `rawSpan` and token alignment refer to. */
  readonly content: string;
}

export interface AnswerContext {
  /** The fields that were asked. */
  readonly fields: readonly Field[];
  /** The criteria that were asked; none where it is left out. */
  readonly criteria?: readonly Criterion[];
  readonly sample: Sample;
  readonly gists: readonly PlacedGist[];
}

/** The answer in a completion, or why there is none; nothing is repaired that could change a value. */
export function readAnswer(completion: ChatCompletion, context: AnswerContext): Answer | NoAnswer {
  const content = completionText(completion);
  if (typeof content !== "string") return content;
  const object = findAnswerObject(content);
  if ("kind" in object) return object.kind !== "ambiguous" && endsInLoop(content) ? looped : object;
  const explanation = text(findNodeAtLocation(object.root, ["explanation"]));
  // Who argued in circles did not weigh anything, whatever stands at the end.
  if (repeatsItself(explanation)) return looped;
  const fieldsNode = findNodeAtLocation(object.root, ["fields"]);
  if (fieldsNode?.type !== "object" && context.fields.length > 0)
    return { kind: "unreadable", detail: 'the answer has no object "fields"' };

  const values = new Map<string, AnswerValue>();
  const problems: FieldProblem[] = [];
  for (const field of context.fields) {
    const node = fieldsNode && findNodeAtLocation(fieldsNode, [field.id]);
    const reading = readField(field, node, object, context.sample);
    if (reading.kind === "value") values.set(field.id, reading.value);
    if (reading.kind === "problem") problems.push(reading.problem);
  }
  const criteria = readCriteria(context.criteria ?? [], object);
  return {
    kind: "answer",
    explanation,
    evidence: checkEvidence(quotes(object), context.sample, context.gists),
    values,
    criteria: criteria.verdicts,
    problems: [...problems, ...criteria.problems],
    content,
  };
}

const looped: NoAnswer = { kind: "looped", detail: "the answer repeats itself" };

const text = (node: Node | undefined): string => (node?.type === "string" ? String(node.value) : "");

/** Quotes as a list, or a single one as a string; an answer without evidence is still an answer. */
function quotes(object: AnswerObject): string[] {
  const node = findNodeAtLocation(object.root, ["evidence"]);
  const nodes = node?.type === "array" ? (node.children ?? []) : node ? [node] : [];
  return nodes.map(text).filter((quote) => quote !== "");
}
