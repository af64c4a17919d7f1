import { describe, expect, test } from "vitest";
import type { JudgeCall } from "./faulty-judge.ts";
import { type BillInput, judgeBill } from "./judge-bill.ts";
import type { Kill } from "./killer.ts";

const call = (receivedAt: number, part: Partial<JudgeCall> = {}): JudgeCall => ({
  sample: "a",
  receivedAt,
  fault: null,
  endedAt: receivedAt + 100,
  end: "answered",
  goneAt: Number.POSITIVE_INFINITY,
  ...part,
});
const killed = (at: number, victim: Kill["victim"] = "Score"): Kill => ({ victim, why: "at random", at });
const bill = (part: Partial<BillInput>) =>
  judgeBill({
    calls: [],
    recordedAt: new Map([["a", 60_200]]),
    kills: [],
    outages: [],
    timeoutMs: 2_000,
    lagMs: 0,
    ...part,
  });
/** The call that counted comes a minute later. */
const last = call(60_000);

describe("a call that did not count", () => {
  test("none: one call, one result", () => {
    expect(bill({ calls: [last] })).toEqual({
      judgeCalls: 1,
      judgeCallsInFlightAtKill: 0,
      judgeCallsForcedByFaults: 0,
      unexplained: [],
    });
  });

  const explained: readonly [
    string,
    Partial<BillInput>,
    "judgeCallsInFlightAtKill" | "judgeCallsForcedByFaults",
  ][] = [
    [
      "died with SCORE",
      { calls: [call(1000, { end: "died" }), last], kills: [killed(1050)] },
      "judgeCallsInFlightAtKill",
    ],
    [
      "was answered, and SCORE died before the record",
      { calls: [call(1000), last], kills: [killed(1900)] },
      "judgeCallsInFlightAtKill",
    ],
    [
      "was read after its sender had died",
      { calls: [call(4000, { goneAt: 4101 }), last], kills: [killed(1000)] },
      "judgeCallsInFlightAtKill",
    ],
    [
      "was failed on purpose",
      { calls: [call(1000, { fault: "error", end: "faulted" }), last] },
      "judgeCallsForcedByFaults",
    ],
    [
      "was answered while nothing could be stored",
      { calls: [call(1000), last], outages: [{ from: 1050, until: 2500 }] },
      "judgeCallsForcedByFaults",
    ],
    [
      "was too slow for the caller",
      { calls: [call(1000, { end: "died", endedAt: 3000 }), last] },
      "judgeCallsForcedByFaults",
    ],
  ];
  test.each(explained)("%s", (_, input, counter) => {
    expect(bill(input)).toMatchObject({ judgeCalls: 2, [counter]: 1, unexplained: [] });
  });

  const unexplained: readonly [string, Partial<BillInput>][] = [
    ["was answered, and another was made all the same", { calls: [call(1000), last] }],
    ["was answered long before SCORE died", { calls: [call(1000), last], kills: [killed(30_000)] }],
    ["was answered long after SCORE had died", { calls: [call(30_000), last], kills: [killed(1000)] }],
    [
      "was answered when another function died",
      { calls: [call(1000), last], kills: [killed(1050, "Settle")] },
    ],
    ["came after the result was stored", { calls: [last, call(70_000)] }],
  ];
  test.each(unexplained)("is unexplained if it %s", (_, input) => {
    expect(bill(input).unexplained).toHaveLength(1);
  });
});
