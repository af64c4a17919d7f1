/** A split's tally: what changed, by task and UTC quarter-hour. Written by applyEntries, read by the finance report. */
import { taskIdSchema } from "../../schema/identity.ts";
import { type LedgerEvent, noTask, type SplitTally, type Tally } from "../../schema/ledger.ts";

/** Milliseconds; the offset of every time zone in use is a multiple of it, so months can be cut in any of them. */
export const quarterHour = 900_000;

/** A line may name a task that does not exist, so a file could name thousands; a split's item must stay small. */
export const maxTalliedTasks = 100;

/** The tally with one more `event` of `task` at `at` (epoch milliseconds); the given one is left as it was. */
export const addToTally = (tally: SplitTally, task: string, event: LedgerEvent, at: number): SplitTally => {
  const name = talliedName(tally, task);
  const quarters = own(tally, name) ?? {};
  const quarter = String(Math.floor(at / quarterHour));
  const counts: Tally = own(quarters, quarter) ?? {};
  return {
    ...tally,
    [name]: { ...quarters, [quarter]: { ...counts, [event]: (counts[event] ?? 0) + 1 } },
  };
};

const talliedName = (tally: SplitTally, task: string): string => {
  if (!taskIdSchema.safeParse(task).success) return noTask;
  return Object.hasOwn(tally, task) || Object.keys(tally).length < maxTalliedTasks ? task : noTask;
};

/** `constructor` is a valid name of a task. */
const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
