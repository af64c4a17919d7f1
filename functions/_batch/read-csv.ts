/** Reads a CSV batch file; a record with too many or too few cells is an error of its own line. */
import { isUtf8 } from "node:buffer";
import { csvColumnFault, rowFromCsv } from "@touchstone/core/domain/intake/csv-row";
import { endOfFile, type Row, unreadableRow } from "@touchstone/core/domain/intake/read-row";
import { type Parser, parse } from "csv-parse";
import { damaged } from "./damage.ts";

interface CsvRecord {
  readonly cells: readonly (string | null)[];
  /** Last line of the record, which may span several. */
  readonly line: number;
  readonly bytes: number;
}

const maxRecordBytes = 16 * 1024 * 1024;
/** What Excel in China saves by default is GBK. */
const notUtf8 = "not valid UTF-8; save the file as UTF-8";

/** Rows after the header line; the same rows for any chunking, also where the file turns out to be damaged. */
export async function* readCsvRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  let columns: readonly string[] | null = null;
  for await (const record of csvRecords(chunks)) {
    const { cells, line, bytes } = record;
    if (columns === null) {
      columns = cells.map((name) => (name ?? "").trim());
      const fault = cells.includes(null) ? `the header is ${notUtf8}` : csvColumnFault(columns);
      if (fault === null) continue;
      yield endOfFile(line, fault);
      return;
    }
    yield rowOf(columns, cells, line, bytes);
  }
}

const rowOf = (
  columns: readonly string[],
  cells: readonly (string | null)[],
  line: number,
  bytes: number,
): Row => {
  if (cells.length !== columns.length) {
    const message = `the line has ${cells.length} cells; the header has ${columns.length}`;
    return unreadableRow(line, bytes, message);
  }
  const bad = cells.indexOf(null);
  if (bad >= 0) {
    return unreadableRow(line, bytes, `column "${columns[bad]}" is ${notUtf8}`);
  }
  return rowFromCsv(
    Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ""])),
    line,
    bytes,
  );
};

/** The parser is told `latin1`, in which every byte is a character: what is not UTF-8 comes out as null, not as noise. */
const textOf = (latin: string): string | null => {
  const bytes = Buffer.from(latin, "latin1");
  return isUtf8(bytes) ? bytes.toString() : null;
};

/**
 * The parser is fed by hand instead of piped to: a pipe drops the records it holds when the parser fails, and hangs when
 * the source does. A quote inside an unquoted cell is taken literally, as spreadsheets do.
 */
async function* csvRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const ready: CsvRecord[] = [];
  let bytesBefore = 0;
  const parser = parse({
    encoding: "latin1",
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
    on_record: (record, { lines, bytes }) => {
      ready.push({ cells: record.map(textOf), line: lines, bytes: bytes - bytesBefore });
      bytesBefore = bytes;
      return null;
    },
  });
  let failure: Error | null = null;
  // Every failure also reaches the callback of the write it belongs to; unheard, the event would end the process.
  parser.on("error", () => undefined);
  for await (const chunk of withoutBom(chunks)) {
    failure = await feed(parser, chunk);
    yield* ready.splice(0);
    if (failure) throw damaged(messageOf(failure), failure);
  }
  failure = await feed(parser, null);
  yield* ready.splice(0);
  if (failure) throw damaged(messageOf(failure), failure);
}

/** The parser's own option for this would also switch the encoding. */
async function* withoutBom(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bom = [0xef, 0xbb, 0xbf];
  let head: number[] | null = [];
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    const missing = bom.length - head.length;
    head.push(...chunk.subarray(0, missing));
    if (head.length < bom.length) continue;
    if (head.some((byte, at) => byte !== bom[at])) yield Uint8Array.from(head);
    head = null;
    yield chunk.subarray(missing);
  }
  if (head && head.length > 0) yield Uint8Array.from(head);
}

/** Resolves with the parser's failure, or null once the chunk (null: the end) is taken in. */
const feed = (parser: Parser, chunk: Uint8Array | null): Promise<Error | null> =>
  new Promise((resolve) => {
    const done = (error?: Error | null): void => resolve(error ?? null);
    if (chunk === null) parser.end(done);
    else parser.write(chunk, done);
  });

const messageOf = (failure: Error): string => {
  const code = "code" in failure ? failure.code : null;
  if (code === "CSV_QUOTE_NOT_CLOSED") return "a quoted cell is never closed";
  if (code === "CSV_MAX_RECORD_SIZE") return `a record has over ${maxRecordBytes} bytes`;
  return `the CSV is broken (${String(code)})`;
};
