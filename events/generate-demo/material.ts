/** Reads the hand-written YAML beside it and says where it has another shape than expected. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** A value out of a material file, with the place it came from for error messages. */
export interface Node {
  readonly at: string;
  readonly value: unknown;
}

/** The root of `material/<name>.yaml`. */
export const material = (name: string): Node => {
  const value: unknown = parse(readFileSync(join(import.meta.dirname, "material", `${name}.yaml`), "utf8"));
  return { at: `${name}.yaml`, value };
};

/** A list's items. */
export function items(node: Node): Node[] {
  if (!Array.isArray(node.value)) throw new Error(`${node.at} must be a list`);
  return node.value.map((value: unknown, index) => ({ at: `${node.at}[${index}]`, value }));
}

/** An entry of a mapping; its value is undefined where the mapping has none. */
export function entry(node: Node, key: string): Node {
  if (typeof node.value !== "object" || node.value === null) throw new Error(`${node.at} must be a mapping`);
  const found = Object.entries(node.value).find(([name]) => name === key);
  return { at: `${node.at}.${key}`, value: found?.[1] };
}

/** A text, or the fallback where there is none; numbers are taken as they are written. */
export function text(node: Node, fallback?: string): string {
  if (typeof node.value === "string") return node.value;
  if (typeof node.value === "number") return String(node.value);
  if (node.value === undefined && fallback !== undefined) return fallback;
  throw new Error(`${node.at} must be a text`);
}

/** The texts of a list, none where the entry is absent. */
export const texts = (node: Node): string[] =>
  node.value === undefined ? [] : items(node).map((item) => text(item));
