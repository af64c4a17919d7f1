/** Tiny files that have broken readers before, each with what must happen; called by events/generate-demo.ts. */
import { gzipSync } from "node:zlib";

export interface PoisonFile {
  /** Path below events/poison; for those in keys/, what comes after `inbox/<task>/` in the object key. */
  readonly file: string;
  readonly what: string;
  readonly must: string;
  /** Ids of the samples that must be read, in order. */
  readonly samples: readonly string[];
  /** Lines that must be reported as bad, or a fault of the file as a whole. */
  readonly bad: readonly number[];
  readonly fileFault: boolean;
  readonly bytes: Buffer;
}

const line = (id: string, output = "答案：A"): string =>
  JSON.stringify({ id, input: "一加一等于几？\nA. 二\nB. 三", output, reference: "A" });
const lines = (ids: readonly string[], end = "\n"): string => ids.map((id) => line(id) + end).join("");

const fine = (
  file: string,
  what: string,
  must: string,
  samples: readonly string[],
  content: string | Buffer,
): PoisonFile => ({
  file,
  what,
  must,
  samples,
  bad: [],
  fileFault: false,
  bytes: Buffer.isBuffer(content) ? content : Buffer.from(content, "utf8"),
});

const keys = ["with space.jsonl", "with+plus.jsonl", "100%25 sure.jsonl", "五月 批次（一）+50%.jsonl"];
const ids = ["p-1", "p-2"];
/** Not a character, and yet valid in UTF-8 and JSON. */
const fffe = String.fromCodePoint(0xfffe);
const csv = [
  "id,input,output,reference,labels.correct",
  'p-1,"一加一等于几？\nA. 二\nB. 三","他说：""A""",A,Y',
  'p-2,逗号,"A，或者说, 第一个",A,Y',
  "p-3,空的回答,,A,N",
  "",
].join("\r\n");
const notUtf8 = Buffer.concat([
  Buffer.from(lines(["p-1"])),
  Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]),
  Buffer.from(lines(["p-2"])),
]);

export const poisonFiles: readonly PoisonFile[] = [
  ...keys.map((name) =>
    fine(
      `keys/${name}`,
      "a file whose object key changes when it is decoded once too often or too rarely",
      "both samples are read under the very same key, and media beside it are found",
      ids,
      lines(ids),
    ),
  ),
  fine(
    "bom.jsonl",
    "a byte order mark before the first line",
    "the mark is no part of the line",
    ids,
    `\ufeff${lines(ids)}`,
  ),
  fine("crlf.jsonl", "lines that end in CR LF", "the CR is no part of the line", ids, lines(ids, "\r\n")),
  fine(
    "no-final-newline.jsonl",
    "no newline after the last line",
    "the last line is read",
    ids,
    lines(ids).trimEnd(),
  ),
  fine(
    "blank-lines.jsonl",
    "blank lines between and after the samples",
    "they are no samples, and line numbers still count them",
    ids,
    `\n${line("p-1")}\n   \n${line("p-2")}\n\n`,
  ),
  fine(
    "line-separators.jsonl",
    "U+2028 and U+2029 inside a text",
    "they do not end the line, and the text keeps them",
    ids,
    `${line("p-1", "答案：\u2028A\u2029")}\n${line("p-2")}\n`,
  ),
  fine(
    "refused-by-sqs.jsonl",
    "U+FFFE and U+0000 inside texts, which SQS does not carry",
    "the samples travel by pointer and are decided like any other",
    ids,
    `${line("p-1", `答案：${fffe}A`)}\n${line("p-2", "答案：A\u0000")}\n`,
  ),
  fine(
    "multi-member.jsonl.gz",
    "two gzip members, one after the other; the cut is inside a line",
    "both members are read as one text",
    ids,
    Buffer.concat([gzipSync(lines(ids).slice(0, 100)), gzipSync(lines(ids).slice(100))]),
  ),
  fine("empty.jsonl", "a file without a single byte", "a batch of no samples, closed at once", [], ""),
  fine("only-blank.jsonl", "a file of newlines", "a batch of no samples, closed at once", [], "\n\n\n"),
  fine(
    "quoted-cells.csv",
    "cells with quotes, commas and newlines, and an empty output",
    "cells are whole; an empty output is an empty answer, not a missing one",
    ["p-1", "p-2", "p-3"],
    csv,
  ),
  {
    ...fine(
      "not-utf8.jsonl",
      "a line that is not UTF-8",
      "that line is bad, its neighbours are read",
      ids,
      notUtf8,
    ),
    bad: [2],
  },
  {
    ...fine(
      "unknown-column.csv",
      "a misspelt column",
      "the file is refused as a whole, and the column is named",
      [],
      "id,input,outptu\np-1,一加一等于几？,二\n",
    ),
    fileFault: true,
  },
  {
    ...fine(
      "cut-off.jsonl.gz",
      "a gzip file that lost its end",
      "what could be read is read, and the batch says why it stopped",
      [],
      gzipSync(lines(ids)).subarray(0, 40),
    ),
    fileFault: true,
  },
];
