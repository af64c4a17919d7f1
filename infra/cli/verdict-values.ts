/** Reads the answers of a verdict from the command line; pure. */
import type { FieldValue } from "@touchstone/core/schema/sample";
import { usage } from "./problem.ts";
import { reviewProblems } from "./words/review-words.ts";

/** `field=code`, by the kinds of the claimed task's fields; lists are separated by commas. The API checks the codes. */
export const verdictValues = (
  answers: readonly string[],
  kinds: Readonly<Record<string, string>>,
): Record<string, FieldValue> => {
  const values = new Map<string, FieldValue>();
  for (const answer of answers) {
    const equals = answer.indexOf("=");
    const field = answer.slice(0, Math.max(0, equals)).trim();
    if (field === "") throw usage(reviewProblems.badAnswer(answer));
    if (values.has(field)) throw usage(reviewProblems.twiceAnswered(field));
    const value = answer.slice(equals + 1).trim();
    values.set(field, isList(kinds, field) ? listOf(value) : value);
  }
  return Object.fromEntries(values);
};

const isList = (kinds: Readonly<Record<string, string>>, field: string): boolean =>
  Object.hasOwn(kinds, field) && (kinds[field] === "labels" || kinds[field] === "list");

const listOf = (value: string): string[] =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
