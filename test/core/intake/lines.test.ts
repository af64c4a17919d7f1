/** Lines of a batch file: the same for any chunking, and nothing lost at a border. */
import { type Line, splitLines } from "@touchstone/core/domain/intake/lines";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
const linesOf = (bytes: Uint8Array, sizes: readonly number[] = [1 << 20], limit?: number): Promise<Line[]> =>
  Array.fromAsync(splitLines(chunked(bytes, sizes), limit));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const short = (line: Line) => [line.number, line.kind === "text" ? line.text : `! ${line.message}`];

describe("splitLines", () => {
  test.each([
    ["one line without a final newline", "a", [[1, "a"]]],
    [
      "CRLF loses its \\r, a lone \\r inside stays",
      "a\r\nb\rc\r\n",
      [
        [1, "a"],
        [2, "b\rc"],
      ],
    ],
    [
      "blank lines are counted but not given",
      "a\n\n   \n\t\r\nb\n\n",
      [
        [1, "a"],
        [5, "b"],
      ],
    ],
    ["only blank lines", "\n\n  \n", []],
    ["nothing", "", []],
    [
      "a byte order mark at the very start only",
      "\ufeffa\n\ufeffb",
      [
        [1, "a"],
        [2, "\ufeffb"],
      ],
    ],
    [
      "U+2028, U+2029 and U+0085 belong to the text",
      "a\u2028b\u2029c\u0085d\ne",
      [
        [1, "a\u2028b\u2029c\u0085d"],
        [2, "e"],
      ],
    ],
    ["an astral character and a decomposed one stay as they are", "🀄e\u0301\n", [[1, "🀄e\u0301"]]],
  ])("%s", async (_, text, expected) => {
    expect((await linesOf(utf8(text))).map(short)).toEqual(expected);
  });

  test("invalid UTF-8 spoils its own line and no other", async () => {
    const bytes = Buffer.concat([utf8("a\nb"), Buffer.from([0xd6, 0xd0]), utf8("\n中\n")]);
    expect((await linesOf(bytes)).map(short)).toEqual([
      [1, "a"],
      [2, "! the line is not valid UTF-8"],
      [3, "中"],
    ]);
  });

  test("a line over the limit is told with its size, its neighbours are read", async () => {
    const lines = await linesOf(utf8(`ok\n${"长".repeat(40)}\nok too`), [7], 100);
    expect(lines.map(short)).toEqual([
      [1, "ok"],
      [2, "! the line has 120 bytes; at most 100 are read"],
      [3, "ok too"],
    ]);
    expect(lines.map((line) => line.bytes)).toEqual([2, 120, 6]);
  });

  test("a line of exactly the limit is read", async () => {
    expect((await linesOf(utf8(`${"x".repeat(10)}\n`), [3], 10)).map(short)).toEqual([[1, "x".repeat(10)]]);
  });

  test("a character on the border of 65,536 bytes is whole", async () => {
    const text = JSON.stringify({ id: "s-1", output: "中".repeat(30_000) });
    const lines = await linesOf(utf8(`${text}\n`), [65_536]);
    expect(lines.map(short)).toEqual([[1, text]]);
  });

  test("any chunking gives the same lines", async () => {
    const bytes = fc
      .array(
        fc.oneof(
          fc
            .constantFrom("\n", "\r\n", "\r", "\ufeff", "\u2028", " ", "中", "🀄", "a")
            .map((text) => [...utf8(text)]),
          fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 4 }),
        ),
        { maxLength: 60 },
      )
      .map((parts) => Uint8Array.from(parts.flat()));
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        async (file, sizes) => {
          expect(await linesOf(file, sizes, 12)).toEqual(await linesOf(file, [file.length + 1], 12));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("what was joined comes apart again", async () => {
    const line = fc
      .string({ unit: "grapheme", maxLength: 30 })
      .filter((text) => !/[\n\r\ufeff]/.test(text) && text.trim() !== "");
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        async (texts, end, final) => {
          const file = utf8(texts.join(end) + (final ? end : ""));
          expect((await linesOf(file, [5])).map(short)).toEqual(
            texts.map((text, index) => [index + 1, text]),
          );
        },
      ),
    );
  });
});
