/** What the samples of a batch belong to, read from its file: results keep no `meta`. The trust report groups by it. */
import { type SampleStrata, sampleStrata } from "@touchstone/core/domain/report/sample-strata";
import { errorCode } from "@touchstone/core/errors";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { readBatchFile } from "../../functions/_batch/read-batch-file.ts";
import type { Connection } from "./connection.ts";

/** By line of the file; empty where its version is gone, so that a report can still be made of the results. */
export const strataByLine = async (
  { blobs }: Pick<Connection, "blobs">,
  { source }: BatchRecord,
): Promise<ReadonlyMap<number, SampleStrata>> => {
  const found = new Map<number, SampleStrata>();
  try {
    for await (const row of readBatchFile(blobs, source))
      if (row.kind === "sample") found.set(row.line, sampleStrata(row.sample));
  } catch (error) {
    if (errorCode(error) !== "object-missing") throw error;
  }
  return found;
};
