/** Straightens full-width quotes, colons, commas, brackets and digits at structural positions of almost-JSON. */

const straight: Readonly<Record<string, string>> = {
  "｛": "{",
  "｝": "}",
  "［": "[",
  "］": "]",
  "：": ":",
  "，": ",",
  "＂": '"',
  "“": '"',
  "”": '"',
};
/** What may close a string that was opened by each of these. */
const closers: Readonly<Record<string, string>> = { '"': '"', "“": "”", "”": "”", "＂": "＂" };

/** A way to read a value: where it ends and what must be written where. */
interface Reading {
  readonly end: number;
  readonly edits: ReadonlyMap<number, string>;
}

/** A text that goes on behind this would have to quote the very marks and key of an answer. */
const nextMember = /^\s*[,，]\s*["“＂][^"“”＂]+["”＂]\s*[:：]/;
const longestKey = 60;

/** Ways tried before the text counts as unclear. */
const mostSteps = 20_000;

/**
 * The text with its structural marks straightened, of the same length; null unless exactly one reading of the marks
 * makes the text a JSON value. Marks inside strings stay as they are.
 */
export function straightenPunctuation(text: string): string | null {
  const reader = createReader(text);
  let found: Reading | null = null;
  for (const reading of reader.value(0)) {
    if (reader.skip(reading.end) !== text.length) continue;
    if (found !== null) return null;
    found = reading;
  }
  if (found === null || reader.exhausted()) return null;
  const units = text.split("");
  for (const [index, unit] of found.edits) units[index] = unit;
  return units.join("");
}

function createReader(text: string) {
  let steps = 0;
  const skip = (index: number): number => {
    let at = index;
    while (at < text.length && /\s/.test(text[at] ?? "")) at++;
    return at;
  };
  const mark = (index: number): string => straight[text[index] ?? ""] ?? text[index] ?? "";
  const edit = (...indexes: number[]): Map<number, string> =>
    new Map(indexes.flatMap((index) => (mark(index) === text[index] ? [] : [[index, mark(index)]])));
  const joined = (...maps: ReadonlyMap<number, string>[]): Map<number, string> =>
    new Map(maps.flatMap((map) => [...map]));

  function* value(index: number): Generator<Reading> {
    const at = skip(index);
    if (steps++ > mostSteps) return;
    if (mark(at) === "{") yield* members(at, "}", property);
    else if (mark(at) === "[") yield* members(at, "]", item);
    else if (mark(at) === '"') yield* string(at);
    else yield* bare(at);
  }

  /** In a list a text ends where the next item may begin: one that quotes `”，“` is cut in two, and no code does. */
  function* item(index: number): Generator<Reading> {
    const at = skip(index);
    if (mark(at) !== '"') return yield* value(at);
    for (const read of string(at)) {
      if (!/[,\]]/.test(mark(skip(read.end)))) continue;
      yield read;
      return;
    }
  }

  function* members(
    at: number,
    close: "}" | "]",
    member: (index: number) => Generator<Reading>,
  ): Generator<Reading> {
    const first = skip(at + 1);
    if (mark(first) === close) yield { end: first + 1, edits: edit(at, first) };
    else yield* rest(at + 1, edit(at), close, member);
  }

  function* rest(
    index: number,
    edits: ReadonlyMap<number, string>,
    close: "}" | "]",
    member: (index: number) => Generator<Reading>,
  ): Generator<Reading> {
    for (const read of member(index)) {
      if (steps++ > mostSteps) return;
      const next = skip(read.end);
      const sofar = joined(edits, read.edits, edit(next));
      if (mark(next) === close) yield { end: next + 1, edits: sofar };
      else if (mark(next) === ",") yield* rest(next + 1, sofar, close, member);
    }
  }

  function* property(index: number): Generator<Reading> {
    const at = skip(index);
    if (mark(at) !== '"') return;
    // A key ends at its first closing mark: one with quotes inside is not one that anybody asked for.
    const { value: key } = string(at).next();
    if (key) {
      const colon = skip(key.end);
      if (mark(colon) !== ":") return;
      for (const read of value(colon + 1)) {
        yield { end: read.end, edits: joined(key.edits, edit(colon), read.edits) };
      }
    }
  }

  function* string(at: number): Generator<Reading> {
    const opener = text[at] ?? "";
    const closer = closers[opener] ?? opener;
    for (let index = at + 1; index < text.length; index++) {
      if (text[index] === "\\") index++;
      else if (text[index] === closer) {
        yield { end: index + 1, edits: edit(at, index) };
        // A plain quote closes at its first unescaped twin, as JSON says; only full-width ones may nest.
        if (closer === '"' || nextMember.test(text.slice(index + 1, index + 1 + longestKey))) return;
      }
    }
  }

  function* bare(at: number): Generator<Reading> {
    const token = /^[^\s,，:：{}｛｝[\]［］"“”＂]+/.exec(text.slice(at))?.[0] ?? "";
    const plain = token.normalize("NFKC");
    if (
      plain.length !== token.length ||
      !/^(?:-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)$/.test(plain)
    )
      return;
    const edits = new Map<number, string>();
    for (let index = 0; index < token.length; index++) {
      const unit = plain[index] ?? "";
      if (unit !== token[index]) edits.set(at + index, unit);
    }
    yield { end: at + token.length, edits };
  }

  return { value, skip, exhausted: () => steps > mostSteps };
}
