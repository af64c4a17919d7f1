/** Finds where each token of a completion stands in its text. Called by the confidence of a field. */
import type { TokenLogprob } from "../../schema/chat.ts";

/** A token's place, in UTF-16 units of the text. */
export interface PlacedToken {
  readonly start: number;
  readonly end: number;
  readonly token: TokenLogprob;
}

export interface Alignment {
  /** `bytes`: exact; `walk`: by text, where the server sent no usable bytes. */
  readonly mode: "bytes" | "walk";
  /** The tokens of the text alone, in order; thoughts before it and special tokens after it are left out. */
  readonly tokens: readonly PlacedToken[];
}

/** Units that one token without readable text may stand for: one character in up to four tokens. */
const unitsPerBrokenToken = 4;

/** The tokens' places, by bytes if the server sent true ones, else by text; null where neither fits. */
export function alignTokens(content: string, tokens: readonly TokenLogprob[]): Alignment | null {
  return alignBytes(content, tokens) ?? alignText(content, tokens);
}

function alignBytes(content: string, tokens: readonly TokenLogprob[]): Alignment | null {
  const parts: number[][] = [];
  for (const { bytes } of tokens) {
    if (!bytes) return null;
    parts.push(bytes);
  }
  const wanted = Buffer.from(content, "utf8");
  // The last occurrence: a thought before the answer may hold the same text.
  const from = Buffer.from(parts.flat()).lastIndexOf(wanted);
  if (from < 0 || wanted.length === 0) return null;
  const unitAt = unitOfByte(content);
  const placed: PlacedToken[] = [];
  let offset = -from;
  tokens.forEach((token, index) => {
    const start = Math.max(0, offset);
    offset += parts[index]?.length ?? 0;
    const end = Math.min(offset, wanted.length);
    if (end > start) placed.push({ start: unitAt(start), end: unitAt(end - 1, true), token });
  });
  return { mode: "bytes", tokens: placed };
}

/** Start (or end) in UTF-16 units of the character that holds a UTF-8 byte. */
function unitOfByte(content: string): (byte: number, end?: boolean) => number {
  const starts: number[] = [];
  const ends: number[] = [];
  let unit = 0;
  for (const character of content) {
    for (let count = Buffer.byteLength(character); count > 0; count--) {
      starts.push(unit);
      ends.push(unit + character.length);
    }
    unit += character.length;
  }
  return (byte, end = false) => (end ? ends : starts)[byte] ?? content.length;
}

function alignText(content: string, tokens: readonly TokenLogprob[]): Alignment | null {
  if (content === "") return null;
  for (let first = tokens.length - 1; first >= 0; first--) {
    const placed = walk(content, tokens, first);
    if (placed) return { mode: "walk", tokens: placed };
  }
  return null;
}

/** Walks from one token to the end of the text; null where a token does not continue it. */
function walk(content: string, tokens: readonly TokenLogprob[], first: number): PlacedToken[] | null {
  const placed: PlacedToken[] = [];
  let pending: TokenLogprob[] = [];
  let at = 0;
  const settlePending = (end: number) => {
    for (const token of pending) placed.push({ start: at, end, token });
    pending = [];
    at = end;
  };
  for (let index = first; index < tokens.length && at < content.length; index++) {
    const token = tokens[index];
    if (!token) break;
    if (token.token === "" || token.token.includes("\ufffd")) {
      pending.push(token);
      continue;
    }
    // Servers trim the text they return, but not the tokens that it came from.
    const text = at === 0 && pending.length === 0 ? token.token.trimStart() : token.token;
    const least = pending.some((broken) => broken.token !== "") ? 1 : 0;
    const found = nextAt(content, text, at + least, at + pending.length * unitsPerBrokenToken);
    if (found === null || text === "") return null;
    settlePending(found);
    const end = Math.min(found + text.length, content.length);
    placed.push({ start: found, end, token });
    at = end;
  }
  if (pending.length > 0 && content.length - at <= pending.length * unitsPerBrokenToken) {
    settlePending(content.length);
  }
  return at === content.length ? placed : null;
}

/** Where in `from` to `to` the text goes on; at its very end, white space may have been trimmed. */
function nextAt(content: string, text: string, from: number, to: number): number | null {
  for (let at = from; at <= to && at < content.length; at++) {
    if (content.startsWith(text, at) || content.slice(at) === text.trimEnd()) return at;
  }
  return null;
}
