/** What a batch's `summary.json` says beyond the ledger's counts. `results --batch` shows it. */
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import { errorCode } from "@touchstone/core/errors";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import * as z from "zod";
import type { Connection } from "./connection.ts";

const formatSchema = z.object({
  answers: z.int(),
  kept: z.int(),
  rate: z.number(),
  broken: z.record(z.string(), z.int()),
});
export type FormatSummary = z.infer<typeof formatSchema>;

/** Summaries of earlier versions say nothing about form. */
const summarySchema = z.object({ format: formatSchema.nullable().default(null) });
const maxBytes = 1024 * 1024;

/** How well the judge's answers kept the form they were asked for; null where it is not known, or not yet. */
export const formatSummary = async (
  { blobs, resultsBucket }: Pick<Connection, "blobs" | "resultsBucket">,
  record: BatchRecord,
): Promise<FormatSummary | null> => {
  try {
    const key = `${resultFolder(record)}summary.json`;
    const { bytes } = await blobs.read({ bucket: resultsBucket, key }, maxBytes);
    return summarySchema.parse(JSON.parse(new TextDecoder().decode(bytes))).format;
  } catch (error) {
    if (errorCode(error) === "object-missing") return null;
    throw error;
  }
};
