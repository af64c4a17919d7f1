/** Reads a batch file in one streaming pass: JSONL, gzip (told by its magic bytes) or CSV. INTAKE and SWEEP use it. */
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { splitLines } from "@touchstone/core/domain/intake/lines";
import { type Row, rowFromJson, unreadableRow } from "@touchstone/core/domain/intake/read-row";
import type { BlobStore } from "@touchstone/core/ports";
import type { ObjectRef } from "@touchstone/core/schema/identity";
import { readCsvRows } from "./read-csv.ts";

/** The stated maximum of a batch file, expanded. */
export const maxFileBytes = 2 * 1024 ** 3;
export const maxFileLines = 5_000_000;

/**
 * Rows of the file, in order. Damage that ends the reading (a broken gzip stream, an unclosed CSV quote, more than the
 * stated maximum) is one last bad row, so it is accounted for like any line; storage errors are thrown.
 */
export async function* readBatchFile(blobs: BlobStore, source: ObjectRef): AsyncGenerator<Row> {
  const chunks = bounded(await expanded(await blobs.stream(source)));
  const rows = source.key.toLowerCase().endsWith(".csv") ? readCsvRows(chunks) : readJsonRows(chunks);
  let line = 0;
  let count = 0;
  try {
    for await (const row of rows) {
      line = row.line;
      count += 1;
      if (count > maxFileLines) {
        yield unreadableRow(line, 0, `a file has at most ${maxFileLines} lines; the rest is not read`);
        return;
      }
      yield row;
    }
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    yield unreadableRow(line + 1, 0, `the file cannot be read from here on: ${damage}`);
  }
}

async function* readJsonRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  for await (const line of splitLines(chunks)) {
    yield line.kind === "bad"
      ? unreadableRow(line.number, 0, line.message)
      : rowFromJson(line.text, line.number, line.bytes);
  }
}

/** Gunzips if the first bytes say so; several members in a row are one stream. */
const expanded = async (chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> => {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* whole(): AsyncGenerator<Uint8Array> {
    if (!first.done) yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  const isGzip = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isGzip) return whole();
  const source = Readable.from(whole(), { objectMode: false });
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  return source.pipe(gunzip);
};

class TooLarge extends Error {}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxFileBytes) throw new TooLarge(`a file has at most ${maxFileBytes} bytes when expanded`);
    yield chunk;
  }
}

/** What is wrong with the file itself, or null for an error of the storage. */
const damageOf = (error: unknown): string | null => {
  if (error instanceof TooLarge) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("Z_")) return "the gzip stream is damaged or cut off";
  if (code.startsWith("CSV_"))
    return code === "CSV_QUOTE_NOT_CLOSED" ? "a quoted cell is never closed" : code;
  return null;
};
