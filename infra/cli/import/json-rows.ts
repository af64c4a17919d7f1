/** Reads rows of a foreign JSON file, and says in which file, row and field it has another shape; used by the importers. */
import { readFile } from "node:fs/promises";
import { permanent } from "@touchstone/core/errors";

/** A JSON object out of the file, with its place for error messages. */
export interface Row {
  /** `<file>: row 3`, or the file alone for its outermost object. */
  readonly at: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export const wrongShape = (at: string, complaint: string): Error =>
  permanent("bad-file", `${at}: ${complaint}`);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The file's JSON value; an error names the file. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw permanent("bad-file", `${file}: not a JSON file`, { cause });
  }
}

/** The value as one object. */
export function asRow(value: unknown, at: string): Row {
  if (!isRecord(value)) throw wrongShape(at, "must be a JSON object");
  return { at, value };
}

/** The value as a list of objects; rows are counted from 0, as in the file. */
export function asRows(value: unknown, file: string, name: string): Row[] {
  if (!Array.isArray(value)) throw wrongShape(file, `${name} must be a list of objects`);
  if (value.length === 0) throw wrongShape(file, `${name} is empty; there is nothing to import`);
  return value.map((item: unknown, index) => asRow(item, `${file}: row ${index}`));
}

export function textAt({ at, value }: Row, field: string): string {
  const found = value[field];
  if (typeof found !== "string") throw wrongShape(at, `field "${field}" must be a text`);
  return found;
}

/** Texts of a list; null where the field is absent, null or an empty list. */
export function textsAt({ at, value }: Row, field: string): readonly string[] | null {
  const found: unknown = value[field];
  if (found === undefined || found === null) return null;
  if (!Array.isArray(found) || !found.every((item): item is string => typeof item === "string")) {
    throw wrongShape(at, `field "${field}" must be a list of texts`);
  }
  return found.length === 0 ? null : found;
}

/** A text or a number as meta; absent for anything else. */
export function metaAt({ value }: Row, ...fields: readonly string[]): Record<string, string | number> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const found = value[field];
      return typeof found === "string" || typeof found === "number" ? [[field, found]] : [];
    }),
  );
}
