/** Where the samples of a run stand in its file: a replay may have taken only some of them. */
import { replayedPlaces } from "@touchstone/core/domain/intake/replay";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import { readSplits } from "./batch-view.ts";
import type { Connection } from "./connection.ts";

/** Position among the samples of the file, from 0; null where the run it repeats is gone. */
export type PositionOf = (split: number, ordinal: number) => number | null;

export const sourcePositions = async (
  connection: Pick<Connection, "ledger">,
  { batch, replays }: BatchRecord,
  splits: readonly SplitRecord[],
): Promise<PositionOf> => {
  if (replays?.only === undefined) return inWholeFile(splits);
  const repeated = await connection.ledger.batch(batch, replays.run);
  if (!repeated) return () => null;
  const before = await readSplits(connection, repeated);
  const places = replayedPlaces(before, replays.only);
  const positionOf = await sourcePositions(connection, repeated, before);
  return (split, ordinal) => {
    const place = places[split]?.[ordinal];
    return place === undefined ? null : positionOf(place.split, place.ordinal);
  };
};

const inWholeFile = (splits: readonly SplitRecord[]): PositionOf => {
  const starts = new Map<number, number>();
  let before = 0;
  for (const { split, samples } of splits) {
    starts.set(split, before);
    before += samples;
  }
  return (split, ordinal) => {
    const start = starts.get(split);
    return start === undefined ? null : start + ordinal;
  };
};
