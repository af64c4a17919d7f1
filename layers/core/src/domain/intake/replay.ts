/** A replay: the record its run opens with, and which samples of the file it takes; INTAKE, SWEEP and the CLI agree on it. */
import { permanent } from "../../errors.ts";
import type { BatchRecord, SplitRecord } from "../../schema/ledger.ts";
import type { ReplayableOutcome, ReplayRequest, ReplaySource } from "../../schema/replay.ts";
import { isDecided } from "../ledger/batch.ts";
import { outcomeAt } from "../ledger/split.ts";
import type { Split } from "./splits.ts";

/**
 * The batch row of the new run, from that of the run it repeats. Outcomes of a decided run never change, which is what
 * makes the selection the same at every reading; a run that is still at work is a permanent error. `now` is epoch
 * milliseconds; media that is late is waited for anew from then on.
 */
export const replayArrival = (
  request: ReplayRequest,
  repeated: BatchRecord | null,
  now: number,
): BatchRecord => {
  const { batch, run, replays } = request;
  if (!repeated || replays.run >= run)
    throw permanent(
      "bad-message",
      `run ${replays.run} of ${batch} is not there to be replayed as run ${run}`,
    );
  if (!isDecided(repeated))
    throw permanent(
      "bad-message",
      `run ${replays.run} of ${batch} is still at work; replay it once it is decided`,
    );
  const { task, source, bytes, sequencer, callType } = repeated;
  return {
    ...{ batch, run, replays, task, source, bytes, sequencer, callType },
    arrivedAt: now,
    openedAt: now,
    splitsSent: 0,
    doneSplits: new Set(),
    finalSplits: new Set(),
    revision: 0,
  };
};

/** The message by which a run is asked for, also for one whose reading has to be taken up. */
export const replayRequest = (
  batch: BatchRecord["batch"],
  run: number,
  replays: ReplaySource,
): ReplayRequest => ({ kind: "replay", schema: 1, batch, run, replays });

/** Ordinals of a split whose outcome is one of those, in order. */
export const selectedOrdinals = (split: SplitRecord, only: readonly ReplayableOutcome[]): readonly number[] =>
  Array.from({ length: split.samples }, (_, ordinal) => ordinal).filter((ordinal) => {
    const outcome = outcomeAt(split, ordinal);
    return outcome !== null && only.some((wanted) => wanted === outcome);
  });

/**
 * What a replay takes of the splits of the run it repeats: the rows with one of the outcomes, each at its line of the
 * file. Ordinals count inside the new split; a split that comes out empty is left out, and the numbers have no gap.
 */
export async function* replayedSplits(
  splits: AsyncIterable<Split>,
  only: readonly ReplayableOutcome[],
  recordOf: (index: number) => Promise<SplitRecord | null>,
): AsyncGenerator<Split> {
  let index = 0;
  for await (const split of splits) {
    const record = await recordOf(split.index);
    const rows = record ? selectedOrdinals(record, only).flatMap((ordinal) => split.rows[ordinal] ?? []) : [];
    if (rows.length === 0) continue;
    yield { index, rows };
    index += 1;
  }
}

/** Where the samples of each split of a replay stood in the run it repeats: split and ordinal there, in order. */
export const replayedPlaces = (
  records: readonly SplitRecord[],
  only: readonly ReplayableOutcome[],
): readonly (readonly { readonly split: number; readonly ordinal: number }[])[] =>
  records
    .map((record) => selectedOrdinals(record, only).map((ordinal) => ({ split: record.split, ordinal })))
    .filter((places) => places.length > 0);
