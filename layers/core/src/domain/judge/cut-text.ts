/** Shortens a text to a number of tokens and says in the text that it did; used where a prompt is over budget. */
import { estimateTokens, unitsWithin, unitsWithinFromEnd } from "./token-estimate.ts";

/** Below this many tokens a remainder of a text says nothing, and the whole is left out. */
const leastUseful = 24;
/** Share of what may stay that the start gets; the rest is the end, where conclusions stand. */
const headShare = 0.65;

export interface Cut {
  readonly text: string;
  readonly droppedTokens: number;
}

/** The text itself if it fits into `tokens`; else its start and end around a note, or nothing. */
export function cutText(text: string, tokens: number, note: (droppedTokens: number) => string): Cut {
  const whole = estimateTokens(text);
  if (whole <= tokens) return { text, droppedTokens: 0 };
  const room = tokens - estimateTokens(note(whole)) - 1;
  if (room < leastUseful) return { text: "", droppedTokens: whole };
  const head = text.slice(0, unitsWithin(text, Math.floor(room * headShare)));
  const tail = text.slice(text.length - unitsWithinFromEnd(text, room - estimateTokens(head)));
  const droppedTokens = Math.max(1, whole - estimateTokens(head) - estimateTokens(tail));
  return { text: head + note(droppedTokens) + tail, droppedTokens };
}
