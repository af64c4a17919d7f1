/** Cuts a stream of bytes into lines, the same lines for any chunking. */

export type Line =
  | { readonly number: number; readonly kind: "text"; readonly text: string; readonly bytes: number }
  | { readonly number: number; readonly kind: "bad"; readonly message: string; readonly bytes: number };

/** A line beyond this is an error of its own; nothing of it is kept in memory. */
export const maxLineBytes = 16 * 1024 * 1024;

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Lines of UTF-8 text, split on `\n` only (U+2028 and U+2029 belong to strings), without one trailing `\r` and
 * without a leading byte order mark. Blank lines are left out but counted. Bytes are joined before they are
 * decoded, so a character on a chunk border is whole.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: number = maxLineBytes,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pieces: Uint8Array[] = [];
  let held = 0;
  let number = 0;

  const finish = (): Line | null => {
    number += 1;
    const bytes = held;
    const parts = pieces;
    pieces = [];
    held = 0;
    if (bytes > limit) {
      return {
        number,
        kind: "bad",
        message: `the line has ${bytes} bytes; at most ${limit} are read`,
        bytes,
      };
    }
    const only = parts.length === 1 ? parts[0] : undefined;
    let line = only ?? join(parts, bytes);
    if (line.at(-1) === carriageReturn) line = line.subarray(0, -1);
    if (number === 1 && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) line = line.subarray(3);
    try {
      const text = decoder.decode(line);
      return text.trim() === "" ? null : { number, kind: "text", text, bytes };
    } catch {
      return { number, kind: "bad", message: "the line is not valid UTF-8", bytes };
    }
  };
  const hold = (piece: Uint8Array): void => {
    held += piece.length;
    if (held <= limit) pieces.push(piece);
    else pieces = [];
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      hold(chunk.subarray(from, at));
      const line = finish();
      if (line) yield line;
      from = at + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  }
  if (held > 0) {
    const line = finish();
    if (line) yield line;
  }
}

const join = (parts: readonly Uint8Array[], bytes: number): Uint8Array => {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
