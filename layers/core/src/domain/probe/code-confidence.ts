/** The probabilities of a verdict that stands alone or in a whole answer, whichever the judge wrote. */
import { findNodeAtLocation } from "jsonc-parser";
import type { ChatCompletion } from "../../schema/chat.ts";
import { alignTokens } from "../confidence/align-tokens.ts";
import { labelConfidence } from "../confidence/field-confidence.ts";
import { findAnswerObject } from "../judge/answer-json.ts";
import type { Span } from "../judge/field-values.ts";

/** By code, summing to 1; null where the answer is no such code or its tokens have no probabilities. */
export const codeConfidence = (
  completion: ChatCompletion,
  codes: readonly string[],
): Readonly<Record<string, number>> | null => {
  const choice = completion.choices?.[0];
  const content = choice?.message?.content ?? "";
  const tokens = choice?.logprobs?.content ?? [];
  const alignment = tokens.length === 0 ? null : alignTokens(content, tokens);
  const span = alignment && codeSpan(content, codes);
  if (!alignment || !span) return null;
  const code = content.slice(...span).replaceAll('"', "");
  return labelConfidence(content, alignment, span, codes, code).distribution;
};

const codeSpan = (content: string, codes: readonly string[]): Span | null => {
  const alone = /^\s*("?)(\w+)\1\s*$/.exec(content);
  if (alone && codes.includes(alone[2] ?? "")) {
    const start = content.search(/\S/);
    return [start, content.trimEnd().length];
  }
  const object = findAnswerObject(content);
  const node = "kind" in object ? undefined : findNodeAtLocation(object.root, ["fields", "heads"]);
  if ("kind" in object || node?.type !== "string" || !codes.includes(String(node.value))) return null;
  return [object.start + node.offset, object.start + node.offset + node.length];
};
