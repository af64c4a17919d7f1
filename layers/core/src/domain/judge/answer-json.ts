/** Finds the one JSON object of an answer, with offsets into the answer as it came. Called by `readAnswer`. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { NoAnswer } from "./completion.ts";
import { straightenPunctuation } from "./wide-punctuation.ts";

export interface AnswerObject {
  readonly root: Node;
  /** Offset of the object's text in the answer: add it to the offsets of `root`. */
  readonly start: number;
  /** The object's text; differs from the answer only by structural punctuation, never in length. */
  readonly text: string;
}

type Parsed = { readonly root: Node } | { readonly fault: string };

/**
 * Strict JSON; around it only a thought, code fences, prose and trailing control tokens are tolerated. Two objects
 * that differ are `ambiguous`; duplicate keys, NaN and unclosed objects are `unreadable`.
 */
export function findAnswerObject(content: string): AnswerObject | NoAnswer {
  const start = afterThought(content);
  if (start === null) return { kind: "cut", detail: "the answer ends inside its thought" };
  const body = withoutControl(content.slice(start));
  const regions = objectRegions(body);
  if (regions === null) return straightened(body, start) ?? unreadable("a JSON object is not closed");
  const objects: AnswerObject[] = [];
  let fault: string | null = null;
  for (const region of regions) {
    const text = body.slice(region.start, region.end);
    const parsed = parseStrict(text);
    if ("root" in parsed) objects.push({ root: parsed.root, start: start + region.start, text });
    else fault ??= parsed.fault;
  }
  const [first] = objects;
  if (first === undefined) return straightened(body, start) ?? unreadable(fault);
  if (fault !== null) return { kind: "ambiguous", detail: `beside a JSON object stands another: ${fault}` };
  if (objects.some((object) => canonical(object.root) !== canonical(first.root))) {
    return { kind: "ambiguous", detail: "the answer holds JSON objects that differ" };
  }
  return first;
}

/** Whether an answer is one JSON object and nothing else; a thought before it and control tokens after it do not count. */
export function isPlainObject(content: string): boolean {
  const start = afterThought(content);
  return start !== null && "root" in parseStrict(withoutControl(content.slice(start)).trimStart());
}

const unreadable = (fault: string | null): NoAnswer => ({
  kind: "unreadable",
  detail: fault ?? "the answer holds no JSON object",
});

/** Where the answer proper starts; null when a thought is never closed. */
function afterThought(content: string): number | null {
  const opened = /^\s*<think(?:ing)?>/i.exec(content);
  const close = /<\/think(?:ing)?>/i.exec(content);
  if (opened) return close ? close.index + close[0].length : null;
  // Some chat templates open the thought inside the prompt, so that only its end is seen.
  if (close && !/^\s*[{`｛]/.test(content)) return close.index + close[0].length;
  return 0;
}

/** Special tokens that some servers leave at the end of a text. */
const controlAtEnd = /(?:<\|[\w-]{1,40}\|>|<\/s>|<eos>|<end_of_turn>|<｜[^｜<>]{1,40}｜>)$/i;

function withoutControl(text: string): string {
  const trimmed = text.trimEnd();
  const control = controlAtEnd.exec(trimmed);
  return control ? withoutControl(trimmed.slice(0, control.index)) : trimmed;
}

/** Stretches from a `{` to its matching `}` that look like JSON objects, outermost ones; null if one never closes. */
function objectRegions(body: string): { start: number; end: number }[] | null {
  const regions: { start: number; end: number }[] = [];
  const opening = /\{\s*"/g;
  for (let match = opening.exec(body); match; match = opening.exec(body)) {
    const end = closingBrace(body, match.index);
    if (end === null) return null;
    regions.push({ start: match.index, end });
    opening.lastIndex = end;
  }
  return regions;
}

/** An answer nests three levels; a parser's stack is not there for what nests like this. */
const deepest = 64;

function closingBrace(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const unit = text[index];
    if (inString) {
      if (unit === "\\") index++;
      else if (unit === '"') inString = false;
    } else if (unit === '"') inString = true;
    else if (unit === "{" || unit === "[") depth++;
    else if ((unit === "}" || unit === "]") && --depth === 0) return index + 1;
    if (depth > deepest) return null;
  }
  return null;
}

function parseStrict(text: string): Parsed {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error) return { fault: `not JSON at character ${error.offset}: ${printParseErrorCode(error.error)}` };
  if (root?.type !== "object") return { fault: "the answer is no JSON object" };
  const twice = duplicateKey(root);
  return twice ? { fault: "a key stands twice in one object" } : { root };
}

function duplicateKey(node: Node): boolean {
  const children = node.children ?? [];
  if (node.type === "object") {
    const keys = children.map((property) => String(property.children?.[0]?.value));
    if (new Set(keys).size !== keys.length) return true;
  }
  return children.some(duplicateKey);
}

/** The object once its structural punctuation is straightened; only for text in which no plain object was found. */
function straightened(body: string, start: number): AnswerObject | null {
  const from = body.search(/[{｛]/);
  const to = Math.max(body.lastIndexOf("}"), body.lastIndexOf("｝")) + 1;
  if (from < 0 || to <= from) return null;
  const text = straightenPunctuation(body.slice(from, to));
  if (text === null) return null;
  const parsed = parseStrict(text);
  return "root" in parsed ? { root: parsed.root, start: start + from, text } : null;
}

/** The same text for objects that are equal, whatever their spacing and key order. */
function canonical(node: Node): string {
  const children = node.children ?? [];
  if (node.type === "array") return `[${children.map(canonical).join(",")}]`;
  if (node.type !== "object") return JSON.stringify(node.value);
  const entries = children.map((property) => {
    const [key, value] = property.children ?? [];
    return `${JSON.stringify(key?.value)}:${value ? canonical(value) : ""}`;
  });
  return `{${entries.sort().join(",")}}`;
}
