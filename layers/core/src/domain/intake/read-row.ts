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
    };

/** The id a bad line claims to have, or a stand-in that names the line. */
export const claimedId = (value: unknown, line: number): string =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  typeof value.id === "string" &&
  value.id.trim() !== ""
    ? value.id.trim().slice(0, 256)
    : `line-${line}`;

/** The first fault that zod found, in words that name the field and never repeat its text. */
export const describeIssue = (error: z.ZodError): { readonly field: string; readonly message: string } => {
  const issue = error.issues[0];
  if (!issue) return { field: "", message: "the line does not fit the sample schema" };
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => `"${key}"`).join(", ");
    return {
      field: [path, issue.keys[0]].filter(Boolean).join("."),
      message: `unknown field ${keys}; put extra data under "meta"`,
    };
  }
  return { field: path, message: issue.message };
};

const bad = (line: number, bytes: number, sampleId: string, field: string, message: string): Row => ({
  kind: "bad",
  line,
  sampleId,
  bytes,
  fault: { code: "bad-line", field, message: message.slice(0, 400) },
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
    return bad(line, bytes, `line-${line}`, "", `not JSON: ${jsonComplaint(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return bad(line, bytes, `line-${line}`, "", "a line must be one JSON object");
  }
  return rowFromValue(value, line, bytes);
};

/** A line that could not even be read as text. */
export const unreadableRow = (line: number, bytes: number, message: string): Row =>
  bad(line, bytes, `line-${line}`, "", message);

/** V8 quotes the text around the fault; only the kind and the place of it may leave this function. */
const jsonComplaint = (error: unknown): string => {
  const message = error instanceof Error ? error.message : "";
  const position = /position (\d+)/.exec(message)?.[1];
  const kind = /Unexpected (token|end|number|string|non-whitespace)/.exec(message)?.[0] ?? "syntax fault";
  return position === undefined
    ? kind.toLowerCase()
    : `${kind.toLowerCase()} at character ${Number(position) + 1}`;
};
