/** Reads what stands at the end: result files, ledger bits, the review table. No count of the pipeline is trusted here. */
import { ScanCommand, type ScanCommandInput } from "@aws-sdk/lib-dynamodb";
import { isReviewed, outcomeAt } from "@touchstone/core/domain/ledger/split";
import { resultFolder } from "@touchstone/core/domain/results/result-files";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { Outcome } from "@touchstone/core/schema/outcome";
import { resultSchema } from "@touchstone/core/schema/result";
import * as z from "zod";
import { dynamoClient } from "../../functions/_aws/clients.ts";
import type { Connection } from "../../infra/cli/connection.ts";

export interface LineResult {
  readonly decision: Outcome;
  /** Code and detail of the first reason. */
  readonly reason: string;
  readonly detail: string;
}

export interface FileEvidence {
  readonly decided: boolean;
  /** Source line → every result that stands for it in `results.jsonl`. */
  readonly results: ReadonlyMap<number, readonly LineResult[]>;
  /** Outcome and verdict by ordinal, from the ledger's bits. */
  readonly outcomes: readonly (Outcome | null)[];
  readonly reviewed: readonly boolean[];
  /** Transitions by event, added up over everything that the ledger tallied. */
  readonly tallied: Readonly<Record<string, number>>;
  /** What `summary.json` says. */
  readonly stated: Readonly<Record<string, number>>;
}

const lineSchema = z.looseObject(resultSchema.shape);
const summarySchema = z.looseObject({ counts: z.record(z.string(), z.number()) });
const most = 512 * 1024 * 1024;

export const fileEvidence = async (connection: Connection, batch: BatchId): Promise<FileEvidence> => {
  const record = await connection.ledger.batch(batch, 1);
  const split = await connection.ledger.split(batch, 1, 0);
  const folder = resultFolder({ batch, run: 1 });
  const read = async (name: string): Promise<string> => {
    const at = { bucket: connection.resultsBucket, key: folder + name };
    const head = await connection.blobs.head(at);
    return head === null ? "" : new TextDecoder().decode((await connection.blobs.read(at, most)).bytes);
  };
  const lines = (await read("results.jsonl")).split("\n").filter((line) => line !== "");
  const summary = await read("summary.json");
  const ordinals = Array.from({ length: split?.samples ?? 0 }, (_, ordinal) => ordinal);
  return {
    decided: record?.decidedAt !== undefined || record?.finalAt !== undefined,
    results: Map.groupBy(
      lines.map((line) => {
        const { decision, reasons, line: at } = lineSchema.parse(JSON.parse(line));
        return { line: at, decision, reason: reasons[0]?.code ?? "", detail: reasons[0]?.detail ?? "" };
      }),
      ({ line }) => line,
    ),
    outcomes: split ? ordinals.map((ordinal) => outcomeAt(split, ordinal)) : [],
    reviewed: split ? ordinals.map((ordinal) => isReviewed(split, ordinal)) : [],
    tallied: leafSums(split?.tally ?? {}),
    stated: summary === "" ? {} : summarySchema.parse(JSON.parse(summary)).counts,
  };
};

/** Numbers by their own name, however deep they lie. */
const leafSums = (value: object, sums: Record<string, number> = {}): Record<string, number> => {
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "number") sums[name] = (sums[name] ?? 0) + inner;
    else leafSums(Object(inner), sums);
  }
  return sums;
};

export interface ReviewRow {
  readonly id: string;
  readonly done: boolean;
}

/** Every row of the review table, whoever wrote it. */
export const reviewRows = async (table: string): Promise<readonly ReviewRow[]> => {
  const client = dynamoClient();
  const rows: ReviewRow[] = [];
  let from: ScanCommandInput["ExclusiveStartKey"];
  do {
    const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey: from }));
    for (const { pk, state } of page.Items ?? []) rows.push({ id: String(pk), done: state === "done" });
    from = page.LastEvaluatedKey;
  } while (from);
  client.destroy();
  return rows;
};
