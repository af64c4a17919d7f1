/** Between records and what a table or a template file holds of them: parsing, JSON attributes, size, numbers. */
import { permanent, transient } from "@touchstone/core/errors";

/** The part of a schema that reading needs. */
export interface Schema<Value> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly message: string } };
}

/** Largest record we write: DynamoDB's 400 KB (409,600 bytes) for an item, less a verdict, keys and leases. */
export const maxRecordBytes = 380_000;
/** A verdict stands beside the record it is about, in the same item. */
export const maxVerdictBytes = 25_000;

/**
 * What was stored, checked. A mismatch is transient: it is not the message's fault, and retries end in the
 * dead-letter alarm, where somebody sees it.
 */
export const parseStored = <Value>(schema: Schema<Value>, value: unknown, where: string): Value => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw transient("unavailable", `${where} does not match its schema: ${parsed.error.message}`);
};

/** Path of the first number that JSON and DynamoDB cannot hold, e.g. `fields.0.confidence.raw`; null if none. */
export const nonFinitePath = (value: unknown): string | null => {
  if (typeof value === "number") return Number.isFinite(value) ? null : "";
  if (typeof value !== "object" || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const path = nonFinitePath(inner);
    if (path !== null) return path === "" ? name : `${name}.${path}`;
  }
  return null;
};

const utf8Bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

const largestPart = (value: object): string =>
  Object.entries(value)
    .map(([name, part]) => ({ name, bytes: utf8Bytes(part) }))
    .reduce((most, part) => (part.bytes > most.bytes ? part : most), { name: "", bytes: 0 }).name;

/**
 * A record as JSON text for one attribute. Doubles keep every digit (a DynamoDB number ends at 1e-130 and
 * 9.9e125), text with lone surrogates survives, and a record costs one string to marshal.
 * Numbers that JSON lacks, and texts over `maxBytes` of UTF-8, are permanent errors that name the place.
 */
export const jsonAttribute = (name: string, value: object, maxBytes = maxRecordBytes): string => {
  const path = nonFinitePath(value);
  if (path !== null) throw permanent("refused", `${name}.${path} is not a finite number; store null instead`);
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  throw permanent(
    "payload-too-large",
    `${name} has ${bytes} bytes in UTF-8, most of them in ${name}.${largestPart(value)}; at most ${maxBytes} can be stored`,
  );
};

/** Reads what {@link jsonAttribute} wrote. */
export const parseJsonAttribute = <Value>(schema: Schema<Value>, text: unknown, where: string): Value =>
  parseStored(schema, typeof text === "string" ? JSON.parse(text) : undefined, where);
