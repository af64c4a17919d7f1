/** Reads a judge's answer: envelope, JSON, fields, evidence. A verdict is whole and allowed, or it is none. Called by SCORE. */
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { ChatCompletion } from "../../schema/chat.ts";
import type { PlacedGist } from "../../schema/gist.ts";
import type { Sample } from "../../schema/sample.ts";
import type { Field } from "../../schema/template.ts";
import { type AnswerObject, findAnswerObject } from "./answer-json.ts";
import { completionText, type NoAnswer } from "./completion.ts";
import { checkEvidence, type Evidence } from "./evidence.ts";
import { type AnswerValue, type FieldProblem, readField } from "./field-values.ts";

export interface Answer {
  readonly kind: "answer";
  readonly explanation: string;
  readonly evidence: readonly Evidence[];
  /** By field id; a field that is optional and left out is not in it. */
  readonly values: ReadonlyMap<string, AnswerValue>;
  /** Fields without a usable value; the answer's other fields stand. */
  readonly problems: readonly FieldProblem[];
  /** The answer's text as it came, which `rawSpan` and token alignment refer to. */
  readonly content: string;
}

export interface AnswerContext {
  /** The fields that were asked. */
  readonly fields: readonly Field[];
  readonly sample: Sample;
  readonly gists: readonly PlacedGist[];
}

/** The answer in a completion, or why there is none; nothing is repaired that could change a value. */
export function readAnswer(completion: ChatCompletion, context: AnswerContext): Answer | NoAnswer {
  const content = completionText(completion);
  if (typeof content !== "string") return content;
  const object = findAnswerObject(content);
  if ("kind" in object) return object;
  const fieldsNode = findNodeAtLocation(object.root, ["fields"]);
  if (fieldsNode?.type !== "object")
    return { kind: "unreadable", detail: 'the answer has no object "fields"' };

  const values = new Map<string, AnswerValue>();
  const problems: FieldProblem[] = [];
  for (const field of context.fields) {
    const node = findNodeAtLocation(fieldsNode, [field.id]);
    const reading = readField(field, node, object, context.sample);
    if (reading.kind === "value") values.set(field.id, reading.value);
    if (reading.kind === "problem") problems.push(reading.problem);
  }
  return {
    kind: "answer",
    explanation: text(findNodeAtLocation(object.root, ["explanation"])),
    evidence: checkEvidence(quotes(object), context.sample, context.gists),
    values,
    problems,
    content,
  };
}

const text = (node: Node | undefined): string => (node?.type === "string" ? String(node.value) : "");

/** Quotes as a list, or a single one as a string; an answer without evidence is still an answer. */
function quotes(object: AnswerObject): string[] {
  const node = findNodeAtLocation(object.root, ["evidence"]);
  const nodes = node?.type === "array" ? (node.children ?? []) : node ? [node] : [];
  return nodes.map(text).filter((quote) => quote !== "");
}
