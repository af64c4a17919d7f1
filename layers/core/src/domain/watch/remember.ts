/** Makes a redelivered event harmless: a bounded memory of what was counted, exact also beyond its bound. */
import type { Remembered } from "../../schema/watch.ts";
import { sha256 } from "../decide/fingerprint.ts";

export const nothingRemembered: Remembered = { seen: [], until: null, late: 0 };

/** 64 bits of a SHA-256: two of a thousand ids are alike once in 10^13 times. */
const nameOf = (id: string): string => sha256(id).slice(0, 16);

/**
 * Whether the event is new, and the memory with it. The oldest event is forgotten when `most` are exceeded; whatever is
 * not remembered and no younger than the youngest forgotten one is taken for known, so nothing ever counts twice.
 */
export const remember = (
  memory: Remembered,
  event: { readonly id: string; readonly at: number },
  most: number,
): { readonly isNew: boolean; readonly memory: Remembered } => {
  const name = nameOf(event.id);
  if (memory.seen.some(([known]) => known === name)) return { isNew: false, memory };
  if (memory.until !== null && event.at <= memory.until)
    return { isNew: false, memory: { ...memory, late: memory.late + 1 } };
  const seen: Remembered["seen"] = [...memory.seen, [name, event.at]];
  if (seen.length <= most) return { isNew: true, memory: { ...memory, seen } };
  const oldest = Math.min(...seen.map(([, at]) => at));
  return { isNew: true, memory: { ...memory, seen: seen.filter(([, at]) => at > oldest), until: oldest } };
};
