/** Reads the verdicts on criteria out of an answer, as strictly as fields. Called by `readAnswer`. */
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { Criterion, CriterionCode } from "../../schema/rubric.ts";
import { codesOf } from "../rubric/asked-criteria.ts";
import type { AnswerObject } from "./answer-json.ts";
import { checkCode, type FieldProblem, type Span, spanOf } from "./field-values.ts";

export interface CriterionAnswer {
  readonly id: string;
  readonly met: CriterionCode;
  readonly quotes: readonly string[];
}

/** The same with the place of its verdict in the answer, for the tokens' probabilities. */
export interface PlacedCriterionAnswer extends CriterionAnswer {
  readonly rawSpan: Span;
}

export interface CriterionAnswers {
  readonly verdicts: readonly PlacedCriterionAnswer[];
  /** Criteria without a usable verdict; the others stand. */
  readonly problems: readonly FieldProblem[];
}

/** Quotes beyond this are not read; nor is one longer than 500 characters. */
const mostQuotes = 5;
const longestQuote = 500;

/** The verdicts of the asked criteria, each by itself: what is wrong with one says nothing about the others. */
export function readCriteria(criteria: readonly Criterion[], object: AnswerObject): CriterionAnswers {
  const verdicts: PlacedCriterionAnswer[] = [];
  const problems: FieldProblem[] = [];
  const all = findNodeAtLocation(object.root, ["criteria"]);
  for (const criterion of criteria) {
    const node = all?.type === "object" ? findNodeAtLocation(all, [criterion.id]) : undefined;
    const read = readCriterion(criterion, node, object);
    if ("met" in read) verdicts.push(read);
    else problems.push(read);
  }
  return { verdicts, problems };
}

function readCriterion(
  criterion: Criterion,
  node: Node | undefined,
  object: AnswerObject,
): PlacedCriterionAnswer | FieldProblem {
  const { id } = criterion;
  const wrong = (detail: string): FieldProblem => ({ field: id, kind: "not-allowed", detail });
  if (node === undefined || node.type === "null") {
    return { field: id, kind: "missing", detail: "the answer leaves this criterion out" };
  }
  if (node.type !== "object") return wrong('an object with "quotes" and "met" is wanted');
  const metNode = findNodeAtLocation(node, ["met"]);
  if (metNode === undefined) return { field: id, kind: "missing", detail: 'it has no "met"' };
  const codes = codesOf(criterion);
  const checked = checkCode(codes, metNode, object);
  const met = "value" in checked ? codes.find((code) => code === checked.value) : undefined;
  if (met === undefined) return wrong(`"met" must be one of ${codes.join(", ")}`);
  const quotes = readQuotes(findNodeAtLocation(node, ["quotes"]));
  if (quotes === null) return wrong('"quotes" must be a list of texts');
  return { id, met, quotes, rawSpan: spanOf(metNode, object) };
}

/** No quotes and null are none; anything but texts is a fault. */
function readQuotes(node: Node | undefined): readonly string[] | null {
  if (node === undefined || node.type === "null") return [];
  const nodes = node.type === "array" ? (node.children ?? []) : [node];
  if (nodes.some(({ type }) => type !== "string")) return null;
  return nodes
    .map(({ value }) => String(value))
    .filter((quote) => quote.trim() !== "" && quote.length <= longestQuote)
    .slice(0, mostQuotes);
}
