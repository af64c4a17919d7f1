/** Turns one line of a batch file into a sample, or into an error that names the field. */
import type * as z from "zod";
import type { ReasonCode } from "../../schema/outcome.ts";
import { type Sample, sampleSchema } from "../../schema/sample.ts";

export interface RowFault {
  readonly code: Extract<ReasonCode, "bad-line" | "duplicate-id">;
  /** Path of the field at fault, e.g. `output` or `candidates.0.id`; empty for the line as a whole. */
  readonly field: string;
  readonly message: string;
}

export type Row =
  | { readonly kind: "sample"; readonly line: number; readonly sample: Sample; readonly bytes: number }
  | {
      readonly kind: "bad";
      readonly line: number;
      readonly sampleId: string;
      readonly fault: RowFault;
      readonly bytes: number;
      /** The file could not be read any further: this stands for all the rest of it. */
      readonly endsFile?: true;
    };

type BadRow = Extract<Row, { kind: "bad" }>;

/** The id a bad line claims to have, or a stand-in that names the line. */
export const claimedId = (value: unknown, line: number): string =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  typeof value.id === "string" &&
  value.id.trim() !== ""
    ? value.id.trim().slice(0, 256)
    : `line-${line}`;

/** Keys are the sender's own text, and so as long as the sender likes; what we store and send is not. */
const fieldLength = 200;
const messageLength = 400;

/** The first fault that zod found, in words that name the field and never repeat its text. */
export const describeIssue = (error: z.ZodError): { readonly field: string; readonly message: string } => {
  const first = error.issues[0];
  if (!first) return { field: "", message: "the line does not fit the sample schema" };
  const issue = deepest(first);
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => `"${key}"`).join(", ");
    return {
      field: fieldName([...path, ...issue.keys.slice(0, 1)]),
      message: `unknown field ${keys.slice(0, fieldLength)}; put extra data under "meta"`,
    };
  }
  const message = issue.code === "invalid_union" ? allowedTypes(issue.errors.flat()) : issue.message;
  return { field: fieldName(path), message: message.slice(0, messageLength) };
};

const fieldName = (path: readonly string[]): string => path.join(".").slice(0, fieldLength);

type Issue = z.core.$ZodIssue;

/** Where several shapes are allowed, the fault of the one that fitted furthest says most. */
const deepest = (issue: Issue): Issue => {
  if (issue.code !== "invalid_union") return issue;
  return issue.errors
    .flatMap((branch) => branch[0] ?? [])
    .map((inner) => deepest({ ...inner, path: [...issue.path, ...inner.path] }))
    .reduce((best, candidate) => (candidate.path.length > best.path.length ? candidate : best), issue);
};

const allowedTypes = (issues: readonly Issue[]): string => {
  const types = issues.flatMap((issue) => (issue.code === "invalid_type" ? [issue.expected] : []));
  return types.length === 0
    ? "this is not one of the allowed values"
    : `must be ${[...new Set(types)].join(" or ")}`;
};

const bad = (line: number, bytes: number, sampleId: string, field: string, message: string): BadRow => ({
  kind: "bad",
  line,
  sampleId,
  bytes,
  fault: { code: "bad-line", field, message: message.slice(0, messageLength) },
});

/** Checks a value that a line holds, whatever file format it came from. */
export const rowFromValue = (value: unknown, line: number, bytes: number): Row => {
  const parsed = sampleSchema.safeParse(value);
  if (parsed.success) return { kind: "sample", line, sample: parsed.data, bytes };
  const { field, message } = describeIssue(parsed.error);
  return bad(line, bytes, claimedId(value, line), field, message);
};

/** Reads one line of JSON. */
export const rowFromJson = (text: string, line: number, bytes: number): Row => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(line, bytes, `line-${line}`, "", `not JSON: ${jsonComplaint(error, text)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return bad(line, bytes, `line-${line}`, "", "a line must be one JSON object");
  }
  return rowFromValue(value, line, bytes);
};

/** A line that could not even be read as text. */
export const unreadableRow = (line: number, bytes: number, message: string): BadRow =>
  bad(line, bytes, `line-${line}`, "", message);

/** The last row of a file that cannot be read from here on. */
export const endOfFile = (line: number, message: string): Row => ({
  ...unreadableRow(line, 0, message),
  endsFile: true,
});

/** Python's json writes these by default. */
const pythonNumber = /[:,[]\s*-?(NaN|Infinity)\b/;

/** V8 quotes the text around some faults; only the kind and the place of the fault may leave this function. */
const jsonComplaint = (error: unknown, text: string): string => {
  if (pythonNumber.test(text)) return "NaN and Infinity are not JSON; write null";
  const message = error instanceof Error ? error.message : "";
  const [, what, position] = /^([^"]+?),?(?: in| after)? JSON at position (\d+)/.exec(message) ?? [];
  if (what !== undefined) return `${what.toLowerCase()} at character ${Number(position) + 1}`;
  if (message.startsWith("Unexpected end")) return "the line ends too early";
  return "an unexpected character";
};
