/** Shows how far each batch is, until every sample of every batch has an outcome. */
import { setTimeout } from "node:timers/promises";
import type { BatchId } from "@touchstone/core/schema/identity";
import { type BatchView, batchView } from "../../cli/batch-view.ts";
import type { Connection } from "../../cli/connection.ts";

export interface ProgressScreen {
  /** Replaces what was shown before, where the screen is a terminal. */
  show(lines: readonly string[]): void;
}

const pollMs = 250;
const barWidth = 24;

/** A pass over a file; a replay is another run of the same one. */
export interface WatchedBatch {
  readonly batch: BatchId;
  readonly run: number;
}

/** Views of the batches once all are decided; the order is that of `batches`. */
export const watchBatches = async (
  connection: Connection,
  batches: readonly WatchedBatch[],
  screen: ProgressScreen,
  signal: AbortSignal,
): Promise<readonly BatchView[]> => {
  for (;;) {
    signal.throwIfAborted();
    const depths = await connection.queueDepths();
    const views: BatchView[] = [];
    for (const { batch, run } of batches) {
      const record = await connection.ledger.batch(batch, run);
      if (record) views.push(await batchView(connection, record, depths));
    }
    screen.show(views.map(progressLine));
    if (views.length === batches.length && views.every((view) => view.decided)) return views;
    await setTimeout(pollMs, undefined, { signal });
  }
};

const progressLine = ({ task, name, counts, undecided, state }: BatchView): string => {
  const done = counts.total - undecided;
  const filled = counts.total === 0 ? 0 : Math.round((barWidth * done) / counts.total);
  const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
  const parts = [`${counts.machine} machine`, `${counts.review} review`, `${counts.invalid} invalid`];
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  return `${`${task}/${name}`.padEnd(48)} ${bar} ${String(done).padStart(4)}/${counts.total}  ${parts.join(" · ")}  ${state}`;
};

/** A terminal is redrawn in place; a log gets a line only when something has changed, at most every two seconds. */
export const progressScreen = (stream: NodeJS.WriteStream, now: () => number): ProgressScreen => {
  let before: readonly string[] = [];
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(lines) {
      const changed = lines.filter((line, index) => line !== before[index]);
      if (changed.length === 0) return;
      if (stream.isTTY) {
        if (before.length > 0) stream.write(`\u001b[${before.length}A\u001b[J`);
        stream.write(`${lines.join("\n")}\n`);
      } else {
        if (now() - shownAt < 2000) return;
        stream.write(`${changed.join("\n")}\n`);
      }
      shownAt = now();
      before = lines;
    },
  };
};
