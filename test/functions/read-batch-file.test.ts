/** Reading batch files: formats, damage, and the same rows at every reading whatever the chunks. */
import { gzipSync } from "node:zlib";
import type { Row } from "@touchstone/core/domain/intake/read-row";
import { transient } from "@touchstone/core/errors";
import type { BlobStore } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";
import { readBatchFile } from "../../functions/_batch/read-batch-file.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const csv = "inbox/t/b/a.csv";
const json = "inbox/t/b/a.jsonl";

/** A store that streams the bytes in chunks of `size`, and fails after `failAfter` bytes. */
const streaming = (bytes: Uint8Array, size: number, failAfter = Number.POSITIVE_INFINITY) => {
  const seen = { closed: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < bytes.length; at += size) {
        if (at >= failAfter) throw transient("unavailable", "storage is down");
        yield bytes.slice(at, at + size);
      }
    } finally {
      seen.closed = true;
    }
  }
  const blobs: BlobStore = { ...memoryBlobStore(), stream: async () => chunks() };
  return { blobs, seen };
};
const rowsOf = (bytes: Uint8Array, key: string, size = 4096): Promise<Row[]> =>
  Array.fromAsync(readBatchFile(streaming(bytes, size).blobs, { bucket: "u", key }));
const brief = (row: Row) =>
  row.kind === "sample" ? `${row.line} ${row.sample.id}` : `${row.line} ! ${row.fault.message}`;

const lines = Array.from({ length: 500 }, (_, index) =>
  JSON.stringify({ id: `s-${index}`, output: `${index * 7919} 中文`.repeat(8) }),
);
const jsonFile = utf8(`${lines.join("\n")}\n`);
const csvFile = utf8(
  `id,output\n${Array.from({ length: 200 }, (_, index) => `s-${index},"答,${index}"`).join("\n")}\n`,
);

describe("formats", () => {
  test.each([
    ["JSON Lines", json, jsonFile],
    ["gzip by its first bytes", `${json}.gz`, gzipSync(jsonFile)],
    ["gzip under another name", json, gzipSync(jsonFile)],
    [
      "several gzip members",
      `${json}.gz`,
      Buffer.concat([gzipSync(jsonFile.subarray(0, 999)), gzipSync(jsonFile.subarray(999))]),
    ],
  ])("%s", async (_, key, bytes) => {
    const rows = await rowsOf(bytes, key);
    expect(rows.map(brief)).toEqual(lines.map((__, index) => `${index + 1} s-${index}`));
  });

  test.each([
    ["an empty file", json, new Uint8Array(), []],
    ["an empty CSV", csv, new Uint8Array(), []],
    ["one byte", json, utf8("x"), ["1 ! not JSON: an unexpected character"]],
    ["a header alone", csv, utf8("id,output"), []],
    [
      "a byte order mark, CRLF, spaces around names",
      csv,
      utf8("\ufeff id , output\r\n1,a\r\n\r\n2,b"),
      ["2 1", "4 2"],
    ],
    ["a cell of several lines", csv, utf8('id,output\n1,"a\n\nb"\n2,c\n'), ["4 1", "5 2"]],
    [
      "too few and too many cells",
      csv,
      utf8("id,output\n1\n2,a\n3,a,b\n"),
      ["2 ! the line has 1 cells; the header has 2", "3 2", "4 ! the line has 3 cells; the header has 2"],
    ],
    [
      "quotes inside a plain cell, as spreadsheets read them",
      csv,
      utf8('id,output\n1,he said "hi"\n2,"a ""b"" c"\n'),
      ["2 1", "3 2"],
    ],
    [
      "a misspelt header",
      csv,
      utf8("id,outptu\n1,a\n"),
      [
        '1 ! unknown column "outptu"; use id, task, input, output, reference, image, image2…, labels.<field> or meta.<name>',
      ],
    ],
    [
      "a cell in GBK",
      csv,
      Buffer.concat([utf8("id,output\n1,"), Buffer.from([0xd6, 0xd0]), utf8("\n2,ok\n")]),
      ['2 ! column "output" is not valid UTF-8; save the file as UTF-8', "3 2"],
    ],
    [
      "a file in UTF-16",
      csv,
      Buffer.from("\ufeffid,output\n1,a\n", "utf16le"),
      ["1 ! the header is not valid UTF-8; save the file as UTF-8"],
    ],
    [
      "a line in GBK",
      json,
      Buffer.concat([Buffer.from([0xd6, 0xd0]), utf8('\n{"id":"2","output":""}')]),
      ["1 ! the line is not valid UTF-8", "2 2"],
    ],
  ])("%s", async (_, key, bytes, expected) => {
    for (const size of [1, 3, 4096]) expect((await rowsOf(bytes, key, size)).map(brief)).toEqual(expected);
  });

  test("text is kept to the letter in CSV too", async () => {
    const [row] = await rowsOf(utf8('id,output\n1," 中\u2028文,🀄 ""x"" "\n'), csv, 1);
    expect(row?.kind === "sample" && row.sample.output).toBe(' 中\u2028文,🀄 "x" ');
  });
});

describe("damage", () => {
  const cases: readonly (readonly [string, string, Uint8Array, number, RegExp])[] = [
    [
      "a gzip stream that was cut off",
      `${json}.gz`,
      gzipSync(jsonFile).subarray(0, -200),
      400,
      /gzip stream is damaged or cut off/,
    ],
    [
      "a gzip stream with a wrong byte",
      `${json}.gz`,
      withByte(gzipSync(jsonFile), 900),
      1,
      /gzip stream is damaged or cut off|not JSON|UTF-8/,
    ],
    [
      "a quote that is never closed",
      csv,
      Buffer.concat([csvFile, utf8('s-x,"open\nrest,of,file\n')]),
      200,
      /a quoted cell is never closed/,
    ],
  ];

  test.each(cases)(
    "%s: all before it is read, at every reading the same",
    async (_, key, bytes, atLeast, message) => {
      const first = await rowsOf(bytes, key, 4096);
      expect(first.length).toBeGreaterThan(atLeast);
      expect(first.filter(({ kind }) => kind === "sample").length).toBeGreaterThanOrEqual(first.length - 2);
      const last = first.at(-1);
      expect(last?.kind === "bad" && last.fault.message).toMatch(message);
      for (const size of [97, 1000, 16_384, bytes.length]) {
        expect((await rowsOf(bytes, key, size)).map(brief)).toEqual(first.map(brief));
      }
      // A reader that pauses sees no less than one that does not.
      const slow: Row[] = [];
      for await (const row of readBatchFile(streaming(bytes, 4096).blobs, { bucket: "u", key })) {
        slow.push(row);
        if (slow.length % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(slow.map(brief)).toEqual(first.map(brief));
    },
  );
});

describe("storage", () => {
  test.each([
    ["JSON Lines", json, jsonFile],
    ["gzip", `${json}.gz`, gzipSync(jsonFile)],
    ["CSV", csv, csvFile],
  ])("a failing storage is no damage of the %s: it is thrown", async (_, key, bytes) => {
    const { blobs } = streaming(bytes, 500, 1000);
    await expect(Array.fromAsync(readBatchFile(blobs, { bucket: "u", key }))).rejects.toMatchObject({
      kind: "transient",
    });
  });

  test.each([
    ["JSON Lines", json, jsonFile],
    ["gzip", `${json}.gz`, gzipSync(jsonFile)],
    ["CSV", csv, csvFile],
  ])("who stops reading %s early lets go of the source", async (_, key, bytes) => {
    const { blobs, seen } = streaming(bytes, 300);
    for await (const row of readBatchFile(blobs, { bucket: "u", key })) if (row.line > 3) break;
    expect(seen.closed).toBe(true);
  });
});

function withByte(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}
