/** What a replay will take, or why there can be none; pure. Called by the replay command. */
import { replayRequest } from "@touchstone/core/domain/intake/replay";
import {
  type ReplayableOutcome,
  type ReplayRequest,
  replayableOutcomes,
} from "@touchstone/core/schema/replay";
import type { BatchView } from "./batch-view.ts";
import { failure, usage } from "./problem.ts";
import { replayProblems } from "./words/replay-words.ts";

export interface ReplayPlan {
  readonly request: ReplayRequest;
  readonly samples: number;
}

/** `--only a,b`; undefined where it is not given. */
export const parseOnly = (asked: string | undefined): ReplayableOutcome[] | undefined =>
  asked === undefined
    ? undefined
    : [
        ...new Set(
          asked.split(",").map((name) => {
            const outcome = replayableOutcomes.find((known) => known === name.trim());
            if (outcome === undefined) throw usage(replayProblems.unknownOutcome(name.trim()));
            return outcome;
          }),
        ),
      ];

/** `repeated` may be any run; while one is at work, what it will end with is not known, and nothing is replayed. */
export const planReplay = (
  newest: BatchView,
  repeated: BatchView,
  only: ReplayableOutcome[] | undefined,
): ReplayPlan => {
  const atWork = [newest, repeated].find((view) => !view.decided);
  if (atWork) throw failure(replayProblems.atWork(atWork.name, atWork.run, atWork.undecided), "not-decided");
  const samples =
    only === undefined
      ? repeated.counts.total
      : only.reduce((sum, outcome) => sum + repeated.counts[outcome], 0);
  if (samples === 0)
    throw failure(replayProblems.nothing(repeated.name, repeated.run, only ?? []), "nothing-to-replay");
  const replays = { run: repeated.run, ...(only === undefined ? {} : { only }) };
  return { request: replayRequest(newest.batch, newest.run + 1, replays), samples };
};
