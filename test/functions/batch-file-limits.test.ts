/** The stated maximum of a batch file: a bomb ends in one clear row, in little memory, and what stood before it is read. */
import { gzipSync } from "node:zlib";
import type { Row } from "@touchstone/core/domain/intake/read-row";
import type { BlobStore } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";
import { type FileLimits, readBatchFile } from "../../functions/_batch/read-batch-file.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";

const mebibyte = 1024 * 1024;
const good = (id: string): string => `${JSON.stringify({ id, output: "好" })}\n`;

/** A store whose one object is these pieces, and how many of them were asked for. */
const streaming = (pieces: Iterable<Uint8Array>) => {
  const seen = { pieces: 0 };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      seen.pieces += 1;
      yield piece;
    }
  }
  const blobs: BlobStore = { ...memoryBlobStore(), stream: async () => chunks() };
  return { blobs, seen };
};
const readAll = async (blobs: BlobStore, limits?: FileLimits, key = "inbox/t/b/a.jsonl"): Promise<Row[]> =>
  Array.fromAsync(readBatchFile(blobs, { bucket: "u", key }, limits));
const brief = (row: Row | undefined): string =>
  row?.kind === "bad" ? `${row.line} ! ${row.fault.message}` : `${row?.line} ${row?.sample.id}`;

function* repeated(head: Uint8Array, piece: Uint8Array, times: number): Generator<Uint8Array> {
  yield head;
  for (let sent = 0; sent < times; sent += 1) yield piece;
}

describe("a gzip bomb", () => {
  test.each([
    ["of one endless line", Buffer.alloc(16 * mebibyte, "x")],
    ["of blank lines", Buffer.alloc(16 * mebibyte, "\n")],
  ])("%s ends at the limit, and the memory stays flat", async (_, filling) => {
    const { blobs, seen } = streaming(repeated(gzipSync(good("p-1")), gzipSync(filling), 1_000));
    const before = process.memoryUsage.rss();
    const rows = await readAll(blobs, { bytes: 256 * mebibyte, lines: 1_000_000 });
    expect(process.memoryUsage.rss() - before).toBeLessThan(160 * mebibyte);
    expect(rows.map(brief)).toEqual([
      "1 p-1",
      expect.stringMatching(
        /^2 ! the file cannot be read from here on: a file has at most (268435456 bytes when expanded|1000000 lines)$/,
      ),
    ]);
    expect(rows.at(-1)).toMatchObject({ kind: "bad", endsFile: true });
    // 16 pieces fill the limit; the other nine hundred are never asked for.
    expect(seen.pieces).toBeLessThan(40);
  });

  test("of millions of short lines ends at the limit of lines", async () => {
    const { blobs } = streaming([gzipSync(good("p").repeat(5_000))]);
    const rows = await readAll(blobs, { bytes: 1e9, lines: 1_000 });
    expect(rows).toHaveLength(1_001);
    expect(brief(rows.at(-1))).toBe(
      "1001 ! the file cannot be read from here on: a file has at most 1000 lines",
    );
  });

  test("in CSV ends alike", async () => {
    const { blobs } = streaming([gzipSync(`id,output\n${"a,b\n".repeat(100_000)}`)]);
    const rows = await readAll(blobs, { bytes: 100_000, lines: 5_000_000 }, "inbox/t/b/a.csv");
    expect(brief(rows.at(-1))).toMatch(/a file has at most 100000 bytes when expanded/);
  });
});

test.each([
  { bytes: 400, lines: 1_000 },
  { bytes: 1e9, lines: 7 },
  { bytes: 1e9, lines: 9 },
])(
  "the limits %j cut at the same place whatever the chunks, and let through what fits exactly",
  async (limits) => {
    const text = Buffer.from(Array.from({ length: 10 }, (_, at) => `${good(`p-${at}`)}\n`).join(""));
    const inPieces = (size: number): Uint8Array[] =>
      Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.subarray(at * size, (at + 1) * size),
      );
    const whole = await readAll(streaming([text]).blobs, limits);
    for (const size of [1, 3, 50, 399]) {
      expect(await readAll(streaming(inPieces(size)).blobs, limits)).toEqual(whole);
    }
    const exact = { bytes: text.length, lines: 20 };
    expect((await readAll(streaming(inPieces(7)).blobs, exact)).every(({ kind }) => kind === "sample")).toBe(
      true,
    );
  },
);

describe("a name that misleads", () => {
  test.each([
    ["plain text called .gz", "inbox/t/b/a.jsonl.gz", Buffer.from(good("p-1") + good("p-2"))],
    ["gzip called .jsonl", "inbox/t/b/a.jsonl", gzipSync(good("p-1") + good("p-2"))],
    ["gzip called .csv", "inbox/t/b/a.csv", gzipSync("id,output\np-1,x\np-2,y\n")],
  ])("%s is read by its first bytes, also where they come one by one", async (_, key, bytes) => {
    const { blobs } = streaming(Array.from(bytes, (byte) => Uint8Array.of(byte)));
    const rows = await readAll(blobs, undefined, key);
    expect(rows.flatMap((row) => (row.kind === "sample" ? [row.sample.id] : []))).toEqual(["p-1", "p-2"]);
  });
});

test("several members, cut inside a character, are one text", async () => {
  const text = Buffer.from(`${good("p-1")}{"id":"p-2","output":"好"}`);
  const at = text.lastIndexOf(Buffer.from("好")) + 1;
  const { blobs } = streaming([gzipSync(text.subarray(0, at)), gzipSync(text.subarray(at))]);
  const rows = await readAll(blobs);
  expect(rows).toMatchObject([{ sample: { output: "好" } }, { sample: { id: "p-2", output: "好" } }]);
});

test("a line of 15 MB is a sample like any other; one of 17 MB is bad, and its neighbours are read", async () => {
  const long = (id: string, size: number): string => `${JSON.stringify({ id, output: "x".repeat(size) })}\n`;
  const { blobs } = streaming([
    Buffer.from(long("p-1", 15 * mebibyte)),
    Buffer.from(long("p-2", 17 * mebibyte)),
    Buffer.from(good("p-3").trimEnd()),
  ]);
  const rows = await readAll(blobs);
  expect(rows.map((row) => (row.kind === "sample" ? row.sample.id : row.fault.message))).toEqual([
    "p-1",
    expect.stringMatching(/^the line has \d+ bytes; at most 16777216 are read$/),
    "p-3",
  ]);
});
