/** Walks a bucket's keys for both listings: keys, and common prefixes rolled up by a delimiter; pure. */
import { compareKeys, type SortedKeys } from "./sorted-keys.ts";

export interface ListScope {
  readonly prefix: string;
  /** Empty for none. */
  readonly delimiter: string;
  /** Entries up to and including this name are left out; empty for none. */
  readonly after: string;
}

export interface ListEntry {
  readonly kind: "key" | "prefix";
  readonly name: string;
}

/** Entries in S3's order. Keys for which `visible` is false are passed over, alone or under a prefix. */
export function* listEntries(
  keys: SortedKeys,
  scope: ListScope,
  visible: (key: string) => boolean,
): Generator<ListEntry> {
  const { prefix, delimiter, after } = scope;
  let index = compareKeys(after, prefix) < 0 ? keys.firstFrom(prefix) : keys.firstAfter(after);
  for (let key = keys.at(index); key?.startsWith(prefix); key = keys.at(index)) {
    const cut = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    if (cut === -1) {
      if (visible(key)) yield { kind: "key", name: key };
      index += 1;
      continue;
    }
    const name = key.slice(0, cut + delimiter.length);
    const past = keys.firstPast(name);
    if (compareKeys(name, after) > 0 && someVisible(keys, index, past, visible))
      yield { kind: "prefix", name };
    index = past;
  }
}

function someVisible(keys: SortedKeys, from: number, to: number, visible: (key: string) => boolean): boolean {
  for (let index = from; index < to; index += 1) {
    const key = keys.at(index);
    if (key !== undefined && visible(key)) return true;
  }
  return false;
}
