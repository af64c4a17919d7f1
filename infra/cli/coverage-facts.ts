/** The coverage of decided batches, from their summaries. `status` shows it. */
import { type CoverageSummary, mergeCoverage } from "@touchstone/core/domain/results/coverage";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import { errorCode } from "@touchstone/core/errors";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { lostCauses } from "@touchstone/core/schema/tallies";
import * as z from "zod";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import type { Connection } from "./connection.ts";

const share = z.number();
/** Summaries of earlier versions say nothing about coverage. */
const summarySchema = z.object({
  coverage: z
    .object({
      valid: z.int().min(0),
      gross: share,
      certified: share,
      human: z.object({ reviews: z.int(), audits: z.int(), share }),
      lost: z.partialRecord(z.enum(lostCauses), share),
    })
    .nullable()
    .default(null),
});
const maxBytes = 1024 * 1024;

type Ports = Pick<Connection, "blobs" | "resultsBucket">;

/** By the task that the batch was sent to; batches without result files are left out. */
export const coverageByTask = async (
  connection: Ports,
  batches: readonly BatchRecord[],
): Promise<ReadonlyMap<string, CoverageSummary>> => {
  const decided = batches.filter(({ decidedAt, finalAt }) => (decidedAt ?? finalAt) !== undefined);
  const read = await inParallel(decided, 8, async (record) => ({
    task: record.task,
    coverage: await coverageOf(connection, record),
  }));
  const byTask = Map.groupBy(read, ({ task }) => task);
  return new Map(
    [...byTask].flatMap(([task, rows]) => {
      const merged = mergeCoverage(rows.flatMap(({ coverage }) => coverage ?? []));
      return merged ? [[task, merged] as const] : [];
    }),
  );
};

const coverageOf = async (
  { blobs, resultsBucket }: Ports,
  record: BatchRecord,
): Promise<CoverageSummary | null> => {
  try {
    const key = `${resultFolder(record)}summary.json`;
    const { bytes } = await blobs.read({ bucket: resultsBucket, key }, maxBytes);
    return summarySchema.parse(JSON.parse(new TextDecoder().decode(bytes))).coverage;
  } catch (error) {
    if (errorCode(error) === "object-missing") return null;
    throw error;
  }
};
