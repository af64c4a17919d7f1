/** Adds up a month over the whole ledger: every run of every batch, split by split. `report month` calls it. */
import { type MonthReport, sumMonth } from "@touchstone/core/domain/finance/month-report";
import type { Window } from "@touchstone/core/domain/finance/month-window";
import { readSplits } from "./batch-view.ts";
import type { Connection } from "./connection.ts";

/** Holds one batch at a time; `onProgress` hears how many batches and splits have been read. */
export const readMonth = async (
  connection: Pick<Connection, "ledger">,
  window: Window,
  task: string | undefined,
  onProgress: (batches: number, splits: number) => void,
): Promise<MonthReport> => {
  const sums = sumMonth(window);
  let batches = 0;
  let splits = 0;
  for await (const record of connection.ledger.allBatches()) {
    const read = await readSplits(connection, record);
    for (const split of read) sums.add(split, record);
    batches += 1;
    splits += read.length;
    onProgress(batches, splits);
  }
  return sums.report(task);
};
