/** Checks the answered values against the fields; nothing is clamped, rounded or guessed. Called by `readAnswer`. */
import type { Node } from "jsonc-parser";
import type { FieldValue, Sample } from "../../schema/sample.ts";
import type { Field } from "../../schema/template.ts";
import type { AnswerObject } from "./answer-json.ts";
import { candidateLetter } from "./sample-slots.ts";

/** Start and end, in UTF-16 units of the answer as it came; quotes belong to the span. */
export type Span = readonly [start: number, end: number];

export interface AnswerValue {
  readonly value: FieldValue;
  readonly rawSpan: Span;
  /** Spans of the elements, in order, where the value is an array. */
  readonly elementSpans: readonly Span[];
}

export const fieldProblemKinds = ["missing", "not-allowed", "too-long", "unknown-id"] as const;
export interface FieldProblem {
  readonly field: string;
  readonly kind: (typeof fieldProblemKinds)[number];
  readonly detail: string;
}

export type FieldReading =
  | { readonly kind: "value"; readonly value: AnswerValue }
  | { readonly kind: "absent" }
  | { readonly kind: "problem"; readonly problem: FieldProblem };

/** `node` is the field's value in the answer; undefined where the answer has no such key. */
export function readField(
  field: Field,
  node: Node | undefined,
  object: AnswerObject,
  sample: Sample,
): FieldReading {
  const problem = (kind: FieldProblem["kind"], detail: string): FieldReading => ({
    kind: "problem",
    problem: { field: field.id, kind, detail },
  });
  if (node === undefined || node.type === "null" || isBlank(node)) {
    return field.required ? problem("missing", "the answer leaves it out") : { kind: "absent" };
  }
  const checked = checkValue(field, node, object, sample);
  if ("fault" in checked) return problem(checked.kind ?? "not-allowed", checked.fault);
  const elements = node.type === "array" ? (node.children ?? []) : [];
  return {
    kind: "value",
    value: {
      value: checked.value,
      rawSpan: spanOf(node, object),
      elementSpans: elements.map((element) => spanOf(element, object)),
    },
  };
}

const isBlank = (node: Node): boolean => typeof node.value === "string" && node.value.trim() === "";

/** Where a value stands in the answer as it came. */
export const spanOf = (node: Node, object: AnswerObject): Span => [
  object.start + node.offset,
  object.start + node.offset + node.length,
];

interface Fault {
  readonly fault: string;
  /** `not-allowed` where it is not said. */
  readonly kind?: FieldProblem["kind"];
}
type Checked = { readonly value: FieldValue } | Fault;

function checkValue(field: Field, node: Node, object: AnswerObject, sample: Sample): Checked {
  switch (field.kind) {
    case "label":
    case "ordinal":
      return checkCode(
        field.labels.map((label) => label.code),
        node,
        object,
      );
    case "labels":
      return checkEach(node, (element) =>
        checkCode(
          field.labels.map((label) => label.code),
          element,
          object,
        ),
      );
    case "text":
      return checkText(field.maxLength, node);
    case "list": {
      const checked = checkEach(node, (element) => checkId(idsOf(sample, field.of), element));
      return "value" in checked && Array.isArray(checked.value) && checked.value.length > field.maxItems
        ? { fault: `more than ${field.maxItems} items`, kind: "unknown-id" }
        : checked;
    }
    default:
      return field satisfies never;
  }
}

/** A code, as a string or as a bare number or literal that is written exactly like one. */
export function checkCode(
  codes: readonly string[],
  node: Node,
  object: AnswerObject,
): { value: string } | Fault {
  const written =
    node.type === "string"
      ? String(node.value)
      : node.type === "number" || node.type === "boolean"
        ? object.text.slice(node.offset, node.offset + node.length)
        : null;
  if (written === null) return { fault: `one of ${codes.join(", ")} is wanted, not an ${node.type}` };
  // Full-width digits and letters are the same code in other glyphs.
  const code = codes.find((candidate) => candidate === written || candidate === written.normalize("NFKC"));
  return code === undefined ? { fault: `the value is not one of ${codes.join(", ")}` } : { value: code };
}

function checkText(maxLength: number, node: Node): Checked {
  if (node.type !== "string") return { fault: "text is wanted" };
  const text = String(node.value);
  return [...text].length > maxLength
    ? { fault: `longer than ${maxLength} characters`, kind: "too-long" }
    : { value: text };
}

function checkEach(node: Node, check: (element: Node) => { value: string } | Fault): Checked {
  if (node.type !== "array") return { fault: "a list is wanted" };
  const values: string[] = [];
  for (const element of node.children ?? []) {
    const checked = check(element);
    if ("fault" in checked) return checked;
    if (values.includes(checked.value)) return { fault: "an item stands twice" };
    values.push(checked.value);
  }
  return { value: values };
}

/** Names as the judge was shown them, each with the id it stands for. */
function idsOf(
  sample: Sample,
  of: "candidates" | "deliverables" | "executions",
): ReadonlyMap<string, string> {
  switch (of) {
    case "candidates":
      return new Map((sample.candidates ?? []).map(({ id }, index) => [candidateLetter(index), id]));
    case "deliverables":
      return new Map((sample.deliverables ?? []).map(({ name }) => [name, name]));
    case "executions":
      return new Map((sample.executions ?? []).map(({ name }) => [name, name]));
    default:
      return of satisfies never;
  }
}

function checkId(ids: ReadonlyMap<string, string>, node: Node): { value: string } | Fault {
  const id = node.type === "string" ? ids.get(String(node.value)) : undefined;
  return id === undefined
    ? { fault: "the sample has no item of that name", kind: "unknown-id" }
    : { value: id };
}
