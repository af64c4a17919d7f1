/** What the diagnosis needs to know of one batch: some of its undecided samples, its reviews, late pictures, SWEEP's notes. */
import { resolveMediaRef } from "@touchstone/core/domain/intake/upload-key";
import { resentThings } from "@touchstone/core/domain/ledger/resend";
import {
  addCounts,
  countSplit,
  isReviewed,
  missingOrdinals,
  noCounts,
  outcomeAt,
} from "@touchstone/core/domain/ledger/split";
import { reviewIdOf } from "@touchstone/core/domain/review/answer-review";
import type { BatchFacts, SampleFacts } from "@touchstone/core/domain/status/facts";
import { errorKind } from "@touchstone/core/errors";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import { undecidedCount } from "./batch-state.ts";
import { readSplits } from "./batch-view.ts";
import type { Connection } from "./connection.ts";
import { keyOf } from "./find-sample.ts";
import { missingSamples } from "./missing-samples.ts";
import type { QueueDepths } from "./queues.ts";

/** Samples looked at, of those that are undecided and of those that wait for a person. */
const samplesAsked = 100;
const rowsRead = 20;
const bytesRead = 64 * 1024 * 1024;

export const batchFacts = async (
  connection: Connection,
  record: BatchRecord,
  depths: QueueDepths,
  now: number,
): Promise<BatchFacts> => {
  const splits = await readSplits(connection, record);
  const counts = splits.map(countSplit).reduce(addCounts, noCounts());
  const undecided = undecidedCount(counts);
  const quiet = splits.find((split) => missingOrdinals(split).length > 0);
  const none = { count: 0, lastAt: 0 };
  const isAtWork = record.sealed === undefined || undecided > 0;
  const [samples, head, fileResends, splitResends, unrouted, media] = await Promise.all([
    sampleFacts(connection, splits, now),
    isAtWork ? connection.blobs.head(record.source) : null,
    record.sealed === undefined
      ? connection.ledger.resends(record.batch, record.run, resentThings.wholeFile)
      : none,
    quiet ? connection.ledger.resends(record.batch, record.run, quiet.split) : none,
    unroutedReviews(connection, splits),
    undecided > 0 && mayDescribe(record, depths) ? mediaFacts(connection, record, splits) : noMedia,
  ]);
  return {
    ...{ record, counts, undecided, samples, fileResends, splitResends, unrouted, ...media },
    hasSource: !isAtWork || head !== null,
  };
};

const sampleFacts = async (
  connection: Pick<Connection, "sampleStates">,
  splits: readonly SplitRecord[],
  now: number,
): Promise<SampleFacts> => {
  const keys = splits
    .flatMap((split) => missingOrdinals(split).map((ordinal) => keyOf(split, ordinal)))
    .slice(0, samplesAsked);
  const states = await connection.sampleStates(keys, now);
  const count = (wanted: (typeof states)[number]): number =>
    states.filter((state) => state === wanted).length;
  return {
    untouched: count("untouched"),
    leased: count("leased"),
    putBack: count("put-back"),
    failed: count("failed"),
  };
};

const unroutedReviews = async (
  connection: Pick<Connection, "reviews">,
  splits: readonly SplitRecord[],
): Promise<number> => {
  const ids = splits
    .flatMap((split) =>
      Array.from({ length: split.samples }, (_, ordinal) => ordinal)
        .filter((ordinal) => outcomeAt(split, ordinal) === "review" && !isReviewed(split, ordinal))
        .map((ordinal) => reviewIdOf(keyOf(split, ordinal), "review")),
    )
    .slice(0, samplesAsked);
  const tasks = await inParallel(ids, 16, (id) => connection.reviews.get(id));
  return tasks.filter((task) => task?.reasons.some(({ code }) => code === "unrouted")).length;
};

type MediaFacts = Pick<BatchFacts, "hasMedia" | "missingMedia" | "mediaUntil">;
const noMedia: MediaFacts = { hasMedia: false, missingMedia: [], mediaUntil: null };

/** The file is read again for its pictures, so only where DESCRIBE has work, and where that takes seconds at most. */
const mayDescribe = ({ sealed, bytes }: BatchRecord, { describe }: QueueDepths): boolean =>
  sealed !== undefined && bytes <= bytesRead && describe.waiting + describe.inFlight + describe.delayed > 0;

/** Pictures beside the file that the first undecided samples refer to, and which of them are not there. */
const mediaFacts = async (
  connection: Connection,
  record: BatchRecord,
  splits: readonly SplitRecord[],
): Promise<MediaFacts> => {
  const rows = await missingSamples(connection, record, splits, rowsRead);
  const asked = rows.flatMap(({ media, line }) => media.map((ref) => ({ ref, line })));
  const missing = await inParallel(asked, 8, async (one) => {
    const place = resolveMediaRef(one.ref, record.source);
    if (place.kind !== "object" || place.bucket !== record.source.bucket) return [];
    return (await connection.blobs.head({ bucket: place.bucket, key: place.key })) === null ? [one] : [];
  });
  const waitSeconds = missing.flat().length > 0 ? await longestWait(connection, record) : 0;
  return {
    hasMedia: asked.length > 0,
    missingMedia: missing.flat(),
    mediaUntil: waitSeconds > 0 ? record.arrivedAt + waitSeconds * 1000 : null,
  };
};

/** Seconds that any of the batch's templates waits for pictures; a template whose version is gone waits for none. */
const longestWait = async (
  connection: Pick<Connection, "templates">,
  { templates = [] }: BatchRecord,
): Promise<number> => {
  const waits = await inParallel(templates, 8, async (pin) => {
    try {
      return (await connection.templates.pinned(pin)).media.waitSeconds;
    } catch (error) {
      if (errorKind(error) === "transient") throw error;
      return 0;
    }
  });
  return Math.max(0, ...waits);
};
