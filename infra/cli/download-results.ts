/** Writes the `results.jsonl` of a decided batch to a local file. */
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { BatchView } from "./batch-view.ts";
import type { Connection } from "./connection.ts";
import { failure } from "./problem.ts";
import { resultStream } from "./result-stream.ts";
import { problemWords } from "./words/problem-words.ts";

/** Resolves to the bytes written. Written beside and renamed, so that the file is whole or absent. */
export const downloadResults = async (
  connection: Pick<Connection, "blobs" | "resultsBucket">,
  record: BatchRecord,
  view: BatchView,
  file: string,
): Promise<number> => {
  if (!view.decided) throw failure(problemWords.notDecided(view.name, view.undecided));
  const chunks = resultStream(connection, record);
  const beside = `${file}.part`;
  const sink = createWriteStream(beside);
  try {
    await pipeline(Readable.from(chunks, { objectMode: false }), sink);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    if (error instanceof Error && "syscall" in error)
      throw failure(problemWords.cannotWrite(file, error.message), undefined, error);
    throw error;
  }
  return sink.bytesWritten;
};
