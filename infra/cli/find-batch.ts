/** Finds the batch that a person means by a part of its id. */
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Connection } from "./connection.ts";
import { failure } from "./problem.ts";
import { problemWords } from "./words/problem-words.ts";

const namesShown = 4;

/** The newest run of the one batch whose id contains `part`; an id given whole always means itself. */
export const findBatch = async (
  connection: Pick<Connection, "ledger">,
  part: string,
  task?: string,
): Promise<BatchRecord> => chooseBatch(await batchesOf(connection, task), part);

/** Every batch, newest first. */
export const batchesOf = async (
  connection: Pick<Connection, "ledger">,
  task?: string,
): Promise<BatchRecord[]> => {
  const all = await Array.fromAsync(connection.ledger.allBatches());
  return all
    .filter((record) => task === undefined || record.task === task)
    .sort((left, right) => right.openedAt - left.openedAt || right.run - left.run);
};

export const chooseBatch = (batches: readonly BatchRecord[], part: string): BatchRecord => {
  const fitting = batches.filter((record) => record.batch.includes(part));
  const exact = fitting.filter((record) => record.batch === part);
  const meant = exact.length > 0 ? exact : fitting;
  const ids = [...new Set(meant.map((record) => record.batch))];
  const [first, ...others] = [...meant].sort((left, right) => right.run - left.run);
  if (first === undefined) throw failure(problemWords.noBatch(part));
  if (ids.length === 1 || others.length === 0) return first;
  throw failure(
    problemWords.manyBatches(part, ids.slice(0, namesShown), Math.max(0, ids.length - namesShown)),
  );
};
