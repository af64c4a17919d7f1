/** All results of a decided batch as its summary names them: one file, or the parts of a large one. */
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import * as z from "zod";
import type { Connection } from "./connection.ts";

/** Summaries of earlier versions name one file. */
const summarySchema = z.object({
  files: z.object({ results: z.union([z.string().transform((name) => [name]), z.array(z.string())]) }),
});
const maxSummaryBytes = 4 * 1024 * 1024;

/** The bytes of `results.jsonl`, whether there is such a file or not. Rejects with `object-missing` before the summary stands. */
export async function* resultStream(
  { blobs, resultsBucket }: Pick<Connection, "blobs" | "resultsBucket">,
  batch: Pick<BatchRecord, "batch" | "run">,
): AsyncGenerator<Uint8Array> {
  const folder = resultFolder(batch);
  const at = (name: string) => ({ bucket: resultsBucket, key: folder + name });
  const { bytes } = await blobs.read(at("summary.json"), maxSummaryBytes);
  const { files } = summarySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  for (const name of files.results) yield* await blobs.stream(at(name));
}
