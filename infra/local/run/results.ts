/** Reads the result files of decided batches back from S3, for the closing table and the examples. */
import { formatOf } from "@touchstone/core/domain/results/result-files";
import { type Result, resultSchema } from "@touchstone/core/schema/result";
import * as z from "zod";
import type { BatchView } from "../../cli/batch-view.ts";
import type { Connection } from "../../cli/connection.ts";
import { resultStream } from "../../cli/result-stream.ts";

/** A line of `results.jsonl` holds the stored result and more; only the result is looked at here. */
const lineSchema = z.looseObject(resultSchema.shape);

export const readResults = async (connection: Connection, view: BatchView): Promise<readonly Result[]> => {
  const chunks = await Array.fromAsync(resultStream(connection, view));
  return new TextDecoder()
    .decode(Buffer.concat(chunks))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => lineSchema.parse(JSON.parse(line)));
};

export interface TaskRow {
  readonly task: string;
  readonly samples: number;
  readonly machine: number;
  readonly review: number;
  readonly invalid: number;
  readonly failed: number;
  /** machine ÷ (samples − invalid); null where nothing is valid. */
  readonly machineReviewRate: number | null;
  /** Machine-decided samples with labels, and how many of them agree in every labelled field. */
  readonly labelled: number;
  readonly agreed: number;
  /** Judge's answers whose form could be looked at, and how many of them kept every rule. */
  readonly answers: number;
  readonly kept: number;
}

/** One row per task, in name order. */
export const taskRows = (results: readonly Result[]): readonly TaskRow[] =>
  [...Map.groupBy(results, (result) => result.task)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([task, group]) => {
      const count = (decision: Result["decision"]): number =>
        group.filter((result) => result.decision === decision).length;
      const [machine, invalid] = [count("machine"), count("invalid")];
      const compared = group.filter((result) => result.decision === "machine" && result.agrees);
      const valid = group.length - invalid;
      return {
        task,
        samples: group.length,
        machine,
        review: count("review"),
        invalid,
        failed: count("failed"),
        machineReviewRate: valid > 0 ? machine / valid : null,
        labelled: compared.length,
        answers: sum(group, ({ answers }) => answers),
        kept: sum(group, ({ kept }) => kept),
        agreed: compared.filter(({ agrees }) => Object.values(agrees ?? {}).every(Boolean)).length,
      };
    });

const sum = (group: readonly Result[], part: (format: ReturnType<typeof formatOf>) => number): number =>
  group.reduce((total, result) => total + part(formatOf(result)), 0);

/**
 * The results that show most: a machine one with a picture if there is one, one by a rubric if there is one, a review
 * one, and an invalid one.
 */
export const tellingResults = (results: readonly Result[]): readonly Result[] => {
  const first = (...wanted: readonly ((result: Result) => boolean)[]): Result | undefined =>
    wanted.map((test) => results.find(test)).find((found) => found !== undefined);
  const chosen = [
    first(
      ({ decision, gists }) => decision === "machine" && gists !== undefined,
      ({ decision, judge }) => decision === "machine" && judge !== null,
      ({ decision }) => decision === "machine",
    ),
    results.find(({ decision, rubric }) => decision === "machine" && rubric !== undefined),
    first(
      ({ decision, reasons }) =>
        decision === "review" && reasons.some(({ code }) => code === "low-confidence"),
      ({ decision }) => decision === "review",
    ),
    first(
      ({ decision, reasons }) =>
        decision === "invalid" && reasons.some(({ code }) => code === "media-unreadable"),
      ({ decision }) => decision === "invalid" || decision === "failed",
    ),
  ];
  return [...new Set(chosen)].filter((result) => result !== undefined);
};
