/** Finds the batch that a person means by a part of its id. */
import type { BatchId } from "@touchstone/core/schema/identity";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Connection } from "./connection.ts";
import { failure } from "./problem.ts";
import { problemWords } from "./words/problem-words.ts";

const namesShown = 4;

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

/** The newest run of every batch whose id contains `part`; an id given whole always means itself alone. */
export const matchingBatches = (batches: readonly BatchRecord[], part: string): readonly BatchRecord[] => {
  const fitting = batches.filter((record) => record.batch.includes(part));
  const exact = fitting.filter((record) => record.batch === part);
  const newest = new Map<BatchId, BatchRecord>();
  for (const record of exact.length > 0 ? exact : fitting) {
    const known = newest.get(record.batch);
    if (known === undefined || known.run < record.run) newest.set(record.batch, record);
  }
  if (newest.size === 0) throw failure(problemWords.noBatch(part));
  return [...newest.values()];
};

/** The one batch that is meant; a problem names the others where there are several. */
export const chooseBatch = (batches: readonly BatchRecord[], part: string): BatchRecord => {
  const [first, ...others] = matchingBatches(batches, part);
  if (first === undefined) throw failure(problemWords.noBatch(part));
  if (others.length === 0) return first;
  const ids = [first, ...others].map((record) => record.batch);
  throw failure(
    problemWords.manyBatches(part, ids.slice(0, namesShown), Math.max(0, ids.length - namesShown)),
  );
};
