/** Cuts the rows of a file into splits; the same file always gives the same splits. */
import { createIdSet } from "./id-set.ts";
import type { Row } from "./read-row.ts";

/** A split ends at so many samples, or at so many bytes of lines, whichever comes first. */
export const splitSamples = 4000;
export const splitBytes = 32 * 1024 * 1024;

export interface Split {
  readonly index: number;
  readonly rows: readonly Row[];
}

/** Splits in order. A repeated id makes the later line bad, across the whole file. */
export async function* cutSplits(
  rows: AsyncIterable<Row>,
  limits: { readonly samples: number; readonly bytes: number } = { samples: splitSamples, bytes: splitBytes },
): AsyncGenerator<Split> {
  const seen = createIdSet();
  let held: Row[] = [];
  let bytes = 0;
  let index = 0;
  for await (const row of rows) {
    if (held.length > 0 && (held.length >= limits.samples || bytes + row.bytes > limits.bytes)) {
      yield { index, rows: held };
      index += 1;
      held = [];
      bytes = 0;
    }
    held.push(withoutDuplicate(row, seen));
    bytes += row.bytes;
  }
  if (held.length > 0) yield { index, rows: held };
}

const withoutDuplicate = (row: Row, seen: { add(id: string): boolean }): Row => {
  if (row.kind === "bad" || seen.add(row.sample.id)) return row;
  return {
    kind: "bad",
    line: row.line,
    sampleId: row.sample.id,
    bytes: row.bytes,
    fault: { code: "duplicate-id", field: "id", message: "this id stands on an earlier line of the file" },
  };
};
