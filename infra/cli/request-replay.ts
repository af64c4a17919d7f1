/** Sends the request for a replay and waits until INTAKE has opened the run. */
import { setTimeout } from "node:timers/promises";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { ReplayRequest, ReplaySource } from "@touchstone/core/schema/replay";
import type { Connection } from "./connection.ts";
import { failure } from "./problem.ts";
import { replayProblems } from "./words/replay-words.ts";

const pollMs = 250;

/** The opened run; null where INTAKE has not got to it in that time. Whoever asked first decides what the run takes. */
export const requestReplay = async (
  connection: Pick<Connection, "ledger" | "sendReplay">,
  request: ReplayRequest,
  waitMs: number,
): Promise<BatchRecord | null> => {
  await connection.sendReplay(request);
  for (let waited = 0; waited < waitMs; waited += pollMs) {
    const opened = await connection.ledger.batch(request.batch, request.run);
    if (opened) {
      if (selectionOf(opened.replays) !== selectionOf(request.replays))
        throw failure(replayProblems.otherFirst(request.run), "other-replay");
      return opened;
    }
    await setTimeout(pollMs);
  }
  return null;
};

const selectionOf = (replays: ReplaySource | undefined): string =>
  `${replays?.run} ${[...(replays?.only ?? [])].sort().join()}`;
