/** Finds samples by the id that the upload gave them: in the result files where they are written, else in the table. */
import { splitLines } from "@touchstone/core/domain/intake/lines";
import { outcomeAt } from "@touchstone/core/domain/ledger/split";
import { partKeys } from "@touchstone/core/domain/results/result-files";
import type { StoredSample } from "@touchstone/core/ports";
import type { SampleKey } from "@touchstone/core/schema/identity";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import type { Result } from "@touchstone/core/schema/result";
import { readSplits } from "./batch-view.ts";
import type { Connection } from "./connection.ts";

export interface FoundSample {
  readonly batch: BatchRecord;
  readonly key: SampleKey;
  readonly stored: StoredSample & { readonly result: Result };
}

type Ports = Pick<Connection, "ledger" | "samples" | "blobs" | "resultsBucket">;

/**
 * In the batches given, in their order; the ledger knows no ids, so this reads until it finds. A line that repeats an id
 * is a sample of its own, and invalid.
 */
export async function* findSample(
  connection: Ports,
  batches: readonly BatchRecord[],
  sampleId: string,
): AsyncGenerator<FoundSample> {
  for (const batch of batches) {
    for (const split of await readSplits(connection, batch)) {
      yield* batch.doneSplits.has(split.split)
        ? findInPart(connection, batch, split, sampleId)
        : await findInTable(connection, batch, split, sampleId);
    }
  }
}

/** Lines of a part file are in the order of the split. What stands in the table is newer than the line. */
async function* findInPart(
  connection: Ports,
  batch: BatchRecord,
  split: SplitRecord,
  sampleId: string,
): AsyncGenerator<FoundSample> {
  const spelled = `"sampleId":${JSON.stringify(sampleId)}`;
  const state = batch.finalSplits.has(split.split) ? "final" : "decided";
  const key = partKeys(batch, split.split, state).results;
  const chunks = await connection.blobs.stream({ bucket: connection.resultsBucket, key });
  let ordinal = 0;
  for await (const line of splitLines(chunks)) {
    if (line.kind === "text" && line.text.includes(spelled)) {
      const found = await readSamples(connection, batch, [keyOf(split, ordinal)]);
      yield* found.filter(({ stored }) => stored.result.sampleId === sampleId);
    }
    ordinal += 1;
  }
}

const findInTable = async (
  connection: Ports,
  batch: BatchRecord,
  split: SplitRecord,
  sampleId: string,
): Promise<readonly FoundSample[]> => {
  const ordinals = Array.from({ length: split.samples }, (_, ordinal) => ordinal);
  const keys = ordinals
    .filter((ordinal) => outcomeAt(split, ordinal) !== null)
    .map((ordinal) => keyOf(split, ordinal));
  const found = await readSamples(connection, batch, keys);
  return found.filter(({ stored }) => stored.result.sampleId === sampleId);
};

export const keyOf = ({ batch, run, split }: SplitRecord, ordinal: number): SampleKey => ({
  batch,
  run,
  split,
  ordinal,
});

/** Those of the keys that have a result, in their order. */
export const readSamples = async (
  connection: Pick<Connection, "samples">,
  batch: BatchRecord,
  keys: readonly SampleKey[],
): Promise<readonly FoundSample[]> => {
  const stored = await connection.samples.read(keys);
  return keys.flatMap((key, index) => {
    const sample = stored[index];
    return sample?.result ? [{ batch, key, stored: { ...sample, result: sample.result } }] : [];
  });
};
