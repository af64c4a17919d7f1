/** Joins the part files of a batch into `results.jsonl`, `errors.jsonl` and, last, `summary.json`. */
import {
  addTallies,
  emptyTallies,
  partKeys,
  resultFolder,
  summarise,
} from "@touchstone/core/domain/results/result-files";
import type { BlobStore } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { resultTalliesSchema } from "@touchstone/core/schema/tallies";

export interface FilePorts {
  readonly blobs: BlobStore;
  readonly resultsBucket: string;
}

const tallyBytes = 1024 * 1024;

/** Streams the parts, so a batch of millions needs no more memory than one chunk. */
export const writeBatchFiles = async (
  batch: BatchRecord,
  closing: { readonly kind: "decided" | "final"; readonly at: number; readonly revision: number },
  ports: FilePorts,
): Promise<void> => {
  const splits = Array.from({ length: batch.sealed?.splits ?? 0 }, (_, index) =>
    partKeys(batch, index, batch.finalSplits.has(index) ? "final" : "decided"),
  );
  const folder = resultFolder(batch);
  const at = (key: string) => ({ bucket: ports.resultsBucket, key });
  await ports.blobs.write(
    at(`${folder}results.jsonl`),
    joined(
      splits.map((split) => split.results),
      ports,
    ),
    "application/jsonl",
  );
  await ports.blobs.write(
    at(`${folder}errors.jsonl`),
    joined(
      splits.map((split) => split.errors),
      ports,
    ),
    "application/jsonl",
  );
  let tallies = emptyTallies();
  for (const split of splits) {
    const { bytes } = await ports.blobs.read(at(split.tallies), tallyBytes);
    tallies = addTallies(tallies, resultTalliesSchema.parse(JSON.parse(new TextDecoder().decode(bytes))));
  }
  const summary = summarise(batch, tallies, closing.revision, closing.kind, closing.at);
  await ports.blobs.write(
    at(`${folder}summary.json`),
    `${JSON.stringify(summary, null, 2)}\n`,
    "application/json",
  );
};

async function* joined(keys: readonly string[], ports: FilePorts): AsyncGenerator<Uint8Array> {
  for (const key of keys) yield* await ports.blobs.stream({ bucket: ports.resultsBucket, key });
}
