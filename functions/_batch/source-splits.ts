/** The splits of a run, read from its file: all rows for a first run, a selection for a replay. INTAKE and SWEEP use it. */
import { replayedSplits } from "@touchstone/core/domain/intake/replay";
import { cutSplits, type Split } from "@touchstone/core/domain/intake/splits";
import { transient } from "@touchstone/core/errors";
import type { BlobStore, Ledger } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { readBatchFile } from "./read-batch-file.ts";

export interface SourcePorts {
  readonly blobs: BlobStore;
  readonly ledger: Ledger;
}

/**
 * One pass over the file, whatever was selected. A selection of a selection goes back, run by run, to the one that took
 * the whole file. Two readings give the same splits, since the outcomes of a decided run stand.
 */
export async function* sourceSplits(batch: BatchRecord, ports: SourcePorts): AsyncGenerator<Split> {
  const { replays } = batch;
  if (replays?.only === undefined) {
    yield* cutSplits(readBatchFile(ports.blobs, batch.source));
    return;
  }
  const repeated = await ports.ledger.batch(batch.batch, replays.run);
  if (!repeated)
    throw transient("conflict", `run ${replays.run} of ${batch.batch}, which is replayed, is not readable`);
  yield* replayedSplits(sourceSplits(repeated, ports), replays.only, (index) =>
    ports.ledger.split(batch.batch, replays.run, index),
  );
}
