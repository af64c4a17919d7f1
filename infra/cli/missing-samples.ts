/** Names the samples of a batch that have no outcome, by the line of the file. `status --batch` shows them. */
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Line, splitLines } from "@touchstone/core/domain/intake/lines";
import { rowFromJson } from "@touchstone/core/domain/intake/read-row";
import { missingOrdinals } from "@touchstone/core/domain/ledger/split";
import { errorCode } from "@touchstone/core/errors";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import { mediaRefs } from "@touchstone/core/schema/sample";
import type { Connection } from "./connection.ts";
import { sourcePositions } from "./source-positions.ts";

export interface MissingSample {
  readonly split: number;
  readonly ordinal: number;
  readonly line: number;
  /** False for CSV, whose records may span lines: then the line is an estimate. */
  readonly exact: boolean;
  readonly sampleId: string | null;
  /** References of its pictures and videos. */
  readonly media: readonly string[];
}

/** The first `limit` of them. JSON Lines are read again as far as needed, since blank lines shift the rest. */
export const missingSamples = async (
  connection: Pick<Connection, "blobs" | "ledger">,
  record: BatchRecord,
  splits: readonly SplitRecord[],
  limit: number,
): Promise<readonly MissingSample[]> => {
  const missing = splits
    .flatMap((split) =>
      missingOrdinals(split).map((ordinal) => ({
        split: split.split,
        ordinal,
        line: split.firstLine + ordinal,
        exact: false,
        sampleId: null,
        media: [],
      })),
    )
    .slice(0, limit);
  if (missing.length === 0 || record.source.key.toLowerCase().endsWith(".csv")) return missing;
  const positionOf = await sourcePositions(connection, record, splits);
  const wanted = new Set(missing.flatMap(({ split, ordinal }) => positionOf(split, ordinal) ?? []));
  const found = await readRows(connection, record, wanted);
  return missing.map((sample) => {
    const position = positionOf(sample.split, sample.ordinal);
    return { ...sample, ...(position === null ? undefined : found.get(position)) };
  });
};

type FoundRow = Pick<MissingSample, "line" | "exact" | "sampleId" | "media">;

/** Rows by their position among those of the file; what lies behind damage is not found. */
const readRows = async (
  connection: Pick<Connection, "blobs">,
  record: BatchRecord,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, FoundRow>> => {
  const found = new Map<number, FoundRow>();
  let position = 0;
  try {
    for await (const line of splitLines(await readExpanded(connection, record))) {
      if (wanted.has(position)) found.set(position, rowOf(line));
      position += 1;
      if (found.size === wanted.size) break;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return found;
};

const rowOf = (line: Line): FoundRow => {
  const row = line.kind === "text" ? rowFromJson(line.text, line.number, line.bytes) : null;
  return {
    line: line.number,
    exact: true,
    sampleId: row === null ? null : row.kind === "sample" ? row.sample.id : row.sampleId,
    media: row?.kind === "sample" ? mediaRefs(row.sample) : [],
  };
};

/** The codes of zlib begin so; a file may also be gone, since old versions expire. */
const isDamage = (error: unknown): boolean =>
  errorCode(error) === "object-missing" ||
  (error instanceof Error && "code" in error && /^Z_/.test(String(error.code)));

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
