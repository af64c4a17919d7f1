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
  const wide = straightened(body, regions);
  if (wide !== null) return isAlone(body, [wide]) ? { ...wide, start: start + wide.start } : anotherBeside;
  if (regions === null) return unreadable("a JSON object is not closed");
  const objects: AnswerObject[] = [];
  let fault: string | null = null;
  for (const region of regions) {
    const text = body.slice(region.start, region.end);
    const parsed = parseStrict(text);
    if ("root" in parsed) objects.push({ root: parsed.root, start: start + region.start, text });
    else fault ??= parsed.fault;
  }
  const [first] = objects;
  if (first === undefined) return unreadable(fault);
  if (fault !== null) return { kind: "ambiguous", detail: `beside a JSON object stands another: ${fault}` };
  if (objects.some((object) => canonical(object.root) !== canonical(first.root))) {
    return { kind: "ambiguous", detail: "the answer holds JSON objects that differ" };
  }
  return isAlone(body, regions) ? first : anotherBeside;
}

interface Region {
  readonly start: number;
  readonly end: number;
}

const anotherBeside: NoAnswer = {
  kind: "ambiguous",
  detail: "beside the JSON object stands something like another",
};

/** Another answer that is no JSON: cut, escaped, or with quotes of another kind; or the start of any other object. */
const anotherAnswer =
  /fields\\?["'“”＂]?\s*[:：]\s*[{｛[［]|(?:explanation|evidence|criteria)\\?["'“”＂]\s*[:：]|[{｛]\s*(?:\\?["'“＂]|(?:explanation|evidence|fields|criteria)\s*[:：])/;

/** Whether nothing around the regions looks like an answer too; the very same text again does not count. */
function isAlone(body: string, regions: readonly Region[]): boolean {
  const around = regions.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`,
    body,
  );
  const [first] = regions;
  const repeated = first ? body.slice(first.start, first.end) : "";
  return !anotherAnswer.test(repeated === "" ? around : around.replaceAll(repeated, " "));
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

const plainOpening = /\{\s*"/;

/** Stretches from a `{` to its matching `}` that look like JSON objects, outermost ones; null if one never closes. */
function objectRegions(body: string): Region[] | null {
  const regions: Region[] = [];
  const opening = new RegExp(plainOpening, "g");
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

/** Closing marks that are tried as the end of an object, from the last one back: prose may hold some too. */
const closersTried = 8;

/** The object with full-width marks, once they are straightened; null where the text holds none that reads one way. */
function straightened(body: string, plain: readonly Region[] | null): (AnswerObject & Region) | null {
  const start = body.search(/｛|\{\s*[“＂]|\{\s*"[^"]*"\s*：/);
  if (start < 0) return null;
  // What stands inside a plain object is its text, whatever it looks like.
  const open = plain === null ? body.search(plainOpening) : Number.POSITIVE_INFINITY;
  const isInside = plain?.some((region) => region.start < start && start < region.end) ?? false;
  if (isInside || (open >= 0 && open < start)) return null;
  const closers = [...body.slice(start).matchAll(/[}｝]/g)].map(({ index }) => start + index + 1).reverse();
  for (const end of closers.slice(0, closersTried)) {
    const text = straightenPunctuation(body.slice(start, end));
    const parsed = text === null ? null : parseStrict(text);
    if (text !== null && parsed !== null && "root" in parsed) return { root: parsed.root, start, end, text };
  }
  return null;
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
