/** Joins the part files of a batch into `results.jsonl`, `errors.jsonl` and, last, `summary.json`. */
import {
  addTallies,
  emptyTallies,
  maxJoinedSplits,
  partKeys,
  partNames,
  resultFolder,
  summarise,
} from "@touchstone/core/domain/results/result-files";
import type { BlobStore } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { type ResultTallies, resultTalliesSchema } from "@touchstone/core/schema/tallies";
import { inParallel } from "../_batch/in-parallel.ts";

export interface FilePorts {
  readonly blobs: BlobStore;
  readonly resultsBucket: string;
}

const tallyBytes = 1024 * 1024;
const readsAtOnce = 16;

/** Streams the parts, so it needs no more memory than one chunk; those of a batch of millions stay where they are. */
export const writeBatchFiles = async (
  batch: BatchRecord,
  closing: { readonly kind: "decided" | "final"; readonly at: number; readonly revision: number },
  ports: FilePorts,
): Promise<void> => {
  const folder = resultFolder(batch);
  const parts = partNames(batch);
  const write = (name: string, content: string | AsyncIterable<Uint8Array>, type: string): Promise<void> =>
    ports.blobs.write({ bucket: ports.resultsBucket, key: folder + name }, content, type);
  if (parts.results.length <= maxJoinedSplits) {
    await write("results.jsonl", joined(folder, parts.results, ports), "application/jsonl");
    await write("errors.jsonl", joined(folder, parts.errors, ports), "application/jsonl");
  }
  const tallies = (await readTallies(batch, ports)).reduce(addTallies, emptyTallies());
  const summary = summarise(batch, tallies, closing.revision, closing.kind, closing.at);
  await write("summary.json", `${JSON.stringify(summary, null, 2)}\n`, "application/json");
};

const readTallies = (batch: BatchRecord, ports: FilePorts): Promise<readonly ResultTallies[]> =>
  inParallel(
    Array.from({ length: batch.sealed?.splits ?? 0 }, (_, index) => index),
    readsAtOnce,
    async (index) => {
      const { tallies: key } = partKeys(batch, index, batch.finalSplits.has(index) ? "final" : "decided");
      const { bytes } = await ports.blobs.read({ bucket: ports.resultsBucket, key }, tallyBytes);
      return resultTalliesSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    },
  );

async function* joined(
  folder: string,
  names: readonly string[],
  ports: FilePorts,
): AsyncGenerator<Uint8Array> {
  for (const name of names)
    yield* await ports.blobs.stream({ bucket: ports.resultsBucket, key: folder + name });
}
