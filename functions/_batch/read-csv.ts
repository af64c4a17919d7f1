/** Reads a CSV batch file; a record with too many or too few cells is an error of its own line. */
import { Readable } from "node:stream";
import { csvColumnFault, rowFromCsv } from "@touchstone/core/domain/intake/csv-row";
import { type Row, unreadableRow } from "@touchstone/core/domain/intake/read-row";
import { parse } from "csv-parse";

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number; readonly bytes: number };
}

/** Rows after the header line. `line` is the last line of a record that spans several. */
export async function* readCsvRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const parser = Readable.from(chunks, { objectMode: false }).pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 16 * 1024 * 1024,
    }),
  );
  let columns: readonly string[] | null = null;
  let bytesBefore = 0;
  for await (const item of parser as AsyncIterable<CsvRecord>) {
    const { record, info } = item;
    const bytes = info.bytes - bytesBefore;
    bytesBefore = info.bytes;
    if (columns === null) {
      columns = record.map((name) => name.trim());
      const fault = csvColumnFault(columns);
      if (fault !== null) {
        yield unreadableRow(info.lines, bytes, fault);
        return;
      }
    } else if (record.length !== columns.length) {
      yield unreadableRow(
        info.lines,
        bytes,
        `the line has ${record.length} cells; the header has ${columns.length}`,
      );
    } else {
      const cells = Object.fromEntries(columns.map((name, index) => [name, record[index] ?? ""]));
      yield rowFromCsv(cells, info.lines, bytes);
    }
  }
}
