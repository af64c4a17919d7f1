/** Says of every call the judge got why it was made: it counted, it was failed on purpose, or a fault took its answer. */
import type { JudgeCall } from "./faulty-judge.ts";
import type { Kill } from "./killer.ts";

/** Times are those of `performance.now()`. */
export interface Outage {
  readonly from: number;
  readonly until: number;
}

export interface JudgeBill {
  readonly judgeCalls: number;
  /** Calls whose answer nobody could store, because SCORE was killed between call and record. */
  readonly judgeCallsInFlightAtKill: number;
  /** Failed by the judge on purpose, too slow for the caller, or answered while nothing could be stored. */
  readonly judgeCallsForcedByFaults: number;
  /** Calls that nothing explains: paid twice for nothing. */
  readonly unexplained: readonly string[];
}

/** A kill takes a moment, and so does the news of a closed connection. */
const newsMs = 250;
/** SCORE has stored an answer by then, or has been ended by its time-out. */
const storeMs = 3_000;
/** A request that lay in a socket when its sender died is read later still, and dies at once. */
const unreadMs = 5_000;
/** The SDK's retries go on for a moment after services are back. */
const retriesMs = 2_000;

export interface BillInput {
  readonly calls: readonly JudgeCall[];
  /** When the result of a sample was stored; the last good answer before that is the one that counted. */
  readonly recordedAt: ReadonlyMap<string, number>;
  readonly kills: readonly Kill[];
  readonly outages: readonly Outage[];
  /** How long SCORE waits for an answer. */
  readonly timeoutMs: number;
  /** How late this process ever was with its events: a request may be read after its sender was killed. */
  readonly lagMs: number;
}

export const judgeBill = ({ calls, recordedAt, kills, outages, timeoutMs, lagMs }: BillInput): JudgeBill => {
  const graceMs = newsMs + lagMs;
  const deaths = kills.filter(({ victim }) => victim === "Score");
  const unexplained: string[] = [];
  let inFlight = 0;
  let forced = 0;
  for (const [sample, own] of Map.groupBy(calls, (call) => call.sample)) {
    const stored = recordedAt.get(sample);
    const counted = own.findLast(
      ({ end, endedAt }) => end === "answered" && stored !== undefined && endedAt <= stored + graceMs,
    );
    for (const [index, call] of own.entries()) {
      if (call === counted) continue;
      // Its answer could still be lost for a moment after it was sent, and not once the sample was asked again.
      const until = Math.min(own[index + 1]?.receivedAt ?? Number.POSITIVE_INFINITY, call.endedAt + storeMs);
      const meets = (from: number, to: number): boolean => from <= until && to >= call.receivedAt;
      if (call.fault !== null) forced += 1;
      else if (deaths.some(({ at }) => meets(at, at + (hadDied(call) ? unreadMs : graceMs)))) inFlight += 1;
      else if (outages.some((outage) => meets(outage.from, outage.until + retriesMs + graceMs))) forced += 1;
      else if (call.end === "died" && call.endedAt - call.receivedAt >= timeoutMs - graceMs) forced += 1;
      else unexplained.push(`${sample}, call ${index + 1} of ${own.length} ${storyOf(call, deaths)}`);
    }
  }
  return {
    judgeCalls: calls.length,
    judgeCallsInFlightAtKill: inFlight,
    judgeCallsForcedByFaults: forced,
    unexplained,
  };
};

/** To a caller that is dead already an answer can still be sent, but its connection closes at once. */
const hadDied = ({ end, endedAt, goneAt }: JudgeCall): boolean => end === "died" || goneAt - endedAt < newsMs;

const storyOf = ({ end, receivedAt, endedAt }: JudgeCall, deaths: readonly Kill[]): string => {
  const nearest = deaths.toSorted(
    (one, other) => Math.abs(one.at - receivedAt) - Math.abs(other.at - receivedAt),
  )[0];
  const lasted = `${end ?? "under way"} after ${Math.round(endedAt - receivedAt)} ms`;
  return nearest === undefined
    ? `(${lasted})`
    : `(${lasted}; the nearest kill, "${nearest.why}", came ${Math.round(nearest.at - receivedAt)} ms after it)`;
};
