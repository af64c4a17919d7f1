/** The runs of a batch: the first pass over its file, and its replays; pure. */
import type { BatchId } from "@touchstone/core/schema/identity";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { failure, usage } from "./problem.ts";
import { problemWords } from "./words/problem-words.ts";
import { replayProblems } from "./words/replay-words.ts";

/** Every run of the batch, newest first. */
export const runsOf = (batches: readonly BatchRecord[], batch: BatchId): readonly BatchRecord[] =>
  batches.filter((record) => record.batch === batch).sort((left, right) => right.run - left.run);

/** `--run N`; undefined where it is not given. */
export const runNumber = (asked: string | undefined): number | undefined => {
  if (asked === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(asked)) throw usage(problemWords.notANumber("--run", asked));
  return Number(asked);
};

/** The run asked for, else the newest. */
export const chooseRun = (runs: readonly BatchRecord[], run: number | undefined): BatchRecord => {
  const [newest] = runs;
  const found = run === undefined ? newest : runs.find((record) => record.run === run);
  if (found === undefined) throw failure(replayProblems.noRun(run ?? 1, newest?.run ?? 0));
  return found;
};
