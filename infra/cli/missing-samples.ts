/** Names the samples of a batch that have no outcome, by the line of the file. `status --batch` shows them. */
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { splitLines } from "@touchstone/core/domain/intake/lines";
import { rowFromJson } from "@touchstone/core/domain/intake/read-row";
import { missingOrdinals } from "@touchstone/core/domain/ledger/split";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import type { Connection } from "./connection.ts";

export interface MissingSample {
  readonly split: number;
  readonly ordinal: number;
  readonly line: number;
  /** False for CSV, whose records may span lines: then the line is an estimate. */
  readonly exact: boolean;
  readonly sampleId: string | null;
}

/** The first `limit` of them. JSON Lines are read again as far as needed, since blank lines shift the rest. */
export const missingSamples = async (
  connection: Pick<Connection, "blobs">,
  record: BatchRecord,
  splits: readonly SplitRecord[],
  limit: number,
): Promise<readonly MissingSample[]> => {
  const missing: MissingSample[] = [];
  const wanted = new Map<number, number>();
  let before = 0;
  for (const split of splits) {
    for (const ordinal of missingOrdinals(split)) {
      if (missing.length >= limit) break;
      wanted.set(before + ordinal, missing.length);
      missing.push({
        split: split.split,
        ordinal,
        line: split.firstLine + ordinal,
        exact: false,
        sampleId: null,
      });
    }
    before += split.samples;
  }
  if (missing.length === 0 || record.source.key.toLowerCase().endsWith(".csv")) return missing;
  let position = 0;
  for await (const line of splitLines(await readExpanded(connection, record))) {
    const index = wanted.get(position);
    const found = index === undefined ? undefined : missing[index];
    if (index !== undefined && found) {
      const row = line.kind === "text" ? rowFromJson(line.text, line.number, line.bytes) : null;
      const sampleId = row === null ? null : row.kind === "sample" ? row.sample.id : row.sampleId;
      missing[index] = { ...found, line: line.number, exact: true, sampleId };
      wanted.delete(position);
      if (wanted.size === 0) break;
    }
    position += 1;
  }
  return missing;
};

/** Unpacked if its first bytes are those of gzip, whatever it is called: so INTAKE reads it. */
const readExpanded = async (
  connection: Pick<Connection, "blobs">,
  { source }: BatchRecord,
): Promise<AsyncIterable<Uint8Array>> => {
  const packed = await startsWithGzip(await connection.blobs.stream(source));
  const chunks = await connection.blobs.stream(source);
  if (!packed) return chunks;
  const readable = Readable.from(chunks, { objectMode: false });
  const gunzip = createGunzip();
  readable.on("error", (error) => gunzip.destroy(error));
  return readable.pipe(gunzip);
};

const startsWithGzip = async (chunks: AsyncIterable<Uint8Array>): Promise<boolean> => {
  for await (const chunk of chunks) return chunk[0] === 0x1f && chunk[1] === 0x8b;
  return false;
};
