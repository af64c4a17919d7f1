/** Reads a batch file in one streaming pass: JSONL, gzip (told by its magic bytes) or CSV. INTAKE and SWEEP use it. */
import { splitLines } from "@touchstone/core/domain/intake/lines";
import { endOfFile, type Row, rowFromJson, unreadableRow } from "@touchstone/core/domain/intake/read-row";
import { errorCode } from "@touchstone/core/errors";
import type { BlobStore } from "@touchstone/core/ports";
import type { ObjectRef } from "@touchstone/core/schema/identity";
import { damaged } from "./damage.ts";
import { gunzip } from "./gunzip.ts";
import { readCsvRows } from "./read-csv.ts";

export interface FileLimits {
  /** Expanded. */
  readonly bytes: number;
  readonly lines: number;
}
/** The stated maximum of a batch file. */
const statedMaximum: FileLimits = { bytes: 2 * 1024 ** 3, lines: 5_000_000 };

/**
 * Rows of the file, in order. Damage that ends the reading (a broken gzip stream, an unclosed CSV quote, more than the
 * stated maximum) is one last bad row, so it is accounted for like any line; storage errors are thrown.
 */
export async function* readBatchFile(
  blobs: Pick<BlobStore, "stream">,
  source: ObjectRef,
  limits: FileLimits = statedMaximum,
): AsyncGenerator<Row> {
  const chunks = bounded(expanded(await blobs.stream(source)), limits);
  const rows = source.key.toLowerCase().endsWith(".csv") ? readCsvRows(chunks) : readJsonRows(chunks);
  let line = 0;
  try {
    for await (const row of rows) {
      line = row.line;
      yield row;
    }
  } catch (error) {
    if (errorCode(error) !== "bad-file" || !(error instanceof Error)) throw error;
    yield endOfFile(line + 1, `the file cannot be read from here on: ${error.message}`);
  }
}

async function* readJsonRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  for await (const line of splitLines(chunks)) {
    yield line.kind === "bad"
      ? unreadableRow(line.number, 0, line.message)
      : rowFromJson(line.text, line.number, line.bytes);
  }
}

/** Gunzips if the first two bytes say so. Whoever stops reading lets go of the source as well. */
async function* expanded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  try {
    let seen = 0;
    while (seen < 2) {
      const next = await iterator.next();
      if (next.done) break;
      head.push(next.value);
      seen += next.value.length;
    }
    const [first, second] = head.flatMap((chunk) => [...chunk.subarray(0, 2)]);
    yield* first === 0x1f && second === 0x8b ? gunzip(whole()) : whole();
  } finally {
    await iterator.return?.();
  }
}

/**
 * Gives out exactly what the limits allow, however it is cut into chunks: whoever reads the file again must meet the very
 * same rows. Lines are counted here, since a file of nothing but blank ones has no rows to count.
 */
async function* bounded(chunks: AsyncIterable<Uint8Array>, limits: FileLimits): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let lines = 0;
  for await (const chunk of chunks) {
    const allowed = chunk.subarray(0, limits.bytes - bytes);
    const counted = countLines(allowed, limits.lines - lines);
    bytes += allowed.length;
    lines += counted.lines;
    yield allowed.subarray(0, counted.end);
    if (counted.end < allowed.length) throw damaged(`a file has at most ${limits.lines} lines`);
    if (allowed.length < chunk.length)
      throw damaged(`a file has at most ${limits.bytes} bytes when expanded`);
  }
}

const newline = 0x0a;

/** Newlines among the bytes, up to `most`; `end` is behind the last that is allowed, or at the end of the bytes. */
const countLines = (bytes: Uint8Array, most: number): { readonly lines: number; readonly end: number } => {
  let lines = 0;
  let end = 0;
  while (lines < most) {
    const at = bytes.indexOf(newline, end);
    if (at < 0) return { lines, end: bytes.length };
    lines += 1;
    end = at + 1;
  }
  return { lines, end };
};
