/** The breaker's transitions: when it opens, who may probe, how it closes; under any order of events. */
import {
  type BreakerPolicy,
  breakerPhase,
  heldUntil,
  newBreaker,
  withAnswer,
  withFailure,
  withProbe,
  withProbeAnswered,
  withProbeDropped,
  withProbeFailed,
} from "@touchstone/core/domain/pressure/breaker";
import { type Breaker, breakerSchema } from "@touchstone/core/schema/pressure";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const policy: BreakerPolicy = { witnesses: 3, span: 2, first: 10, most: 60, probe: 150 };
const t0 = 1_700_000_000_000;
const second = 1_000;

const failing = (breaker: Breaker, ...failures: readonly (readonly [who: string, at: number])[]): Breaker =>
  failures.reduce(
    (before, [who, at]) => withFailure(before, { who, reason: "throttled", at: t0 + at }, policy),
    breaker,
  );
const opened = failing(newBreaker("judge"), ["a", 0], ["b", 10], ["c", 2 * second]);
const kindAt = (breaker: Breaker, at: number) => breakerPhase(breaker, t0 + at).kind;

describe("opening", () => {
  test("takes enough different samples", () => {
    const one = failing(
      newBreaker("judge"),
      ["a", 0],
      ["a", 5 * second],
      ["a", 9 * second],
      ["a", 99 * second],
    );
    expect(one).toMatchObject({ state: "closed", failing: ["a"], version: 1 });
  });

  test("takes more than one burst", () => {
    const burst = failing(newBreaker("judge"), ["a", 0], ["b", 1], ["c", 2], ["d", 3], ["e", 1_999]);
    expect(burst).toMatchObject({ state: "closed", failing: ["a", "b", "c"], version: 3 });
    expect(failing(burst, ["e", 2_000])).toMatchObject({ state: "open", version: 4 });
  });

  test("an answer to anybody begins it anew", () => {
    const almost = failing(newBreaker("judge"), ["a", 0], ["b", 10]);
    const begun = withAnswer(almost);
    expect(begun).toMatchObject({ state: "closed", failing: [], failingSince: null });
    expect(failing(begun, ["c", 3 * second])).toMatchObject({ state: "closed", failing: ["c"] });
  });

  test("nothing is written while nothing changes", () => {
    const closed = newBreaker("judge");
    expect(withAnswer(closed)).toBe(closed);
    const known = failing(closed, ["a", 0]);
    expect(failing(known, ["a", 10])).toBe(known);
    expect(failing(opened, ["z", 10 * second])).toBe(opened);
    expect(withAnswer(opened)).toBe(opened);
  });
});

describe("open", () => {
  test("until the first delay is over, then half-open", () => {
    expect(kindAt(opened, 2 * second)).toBe("open");
    expect(kindAt(opened, 12 * second - 1)).toBe("open");
    expect(kindAt(opened, 12 * second)).toBe("half-open");
    expect(breakerPhase(opened, t0 + 3 * second)).toEqual({ kind: "open", until: t0 + 12 * second });
  });

  test("a probe can be taken once, and not before its time", () => {
    expect(withProbe(opened, "p", t0 + 11 * second, policy)).toBe(opened);
    const probing = withProbe(opened, "p", t0 + 12 * second, policy);
    expect(kindAt(probing, 12 * second)).toBe("probing");
    expect(withProbe(probing, "q", t0 + 13 * second, policy)).toBe(probing);
  });

  test("a probe whose worker died is given up after its time", () => {
    const probing = withProbe(opened, "p", t0 + 12 * second, policy);
    expect(kindAt(probing, 162 * second - 1)).toBe("probing");
    expect(kindAt(probing, 162 * second)).toBe("half-open");
    const next = withProbe(probing, "q", t0 + 162 * second, policy);
    expect(next.probe?.token).toBe("q");
    expect(withProbeAnswered(next, "p", t0 + 163 * second)).toBe(next);
    expect(withProbeFailed(next, "p", { reason: "x", asked: null, at: t0 }, policy)).toBe(next);
    expect(withProbeDropped(next, "p")).toBe(next);
  });

  test("a probe that was never made is free at once", () => {
    const probing = withProbe(opened, "p", t0 + 12 * second, policy);
    expect(kindAt(withProbeDropped(probing, "p"), 12 * second)).toBe("half-open");
  });

  test("a failed probe doubles the delay up to its limit", () => {
    const delays: number[] = [];
    let breaker = opened;
    for (let at = breaker.probeAt ?? 0, turn = 0; turn < 5; turn += 1) {
      breaker = withProbe(breaker, "p", at, policy);
      breaker = withProbeFailed(breaker, "p", { reason: "throttled", asked: null, at }, policy);
      delays.push(((breaker.probeAt ?? 0) - at) / second);
      at = breaker.probeAt ?? 0;
    }
    expect(delays).toEqual([20, 40, 60, 60, 60]);
  });

  test("what the endpoint asks for is kept, within the limit", () => {
    const probing = withProbe(opened, "p", t0 + 12 * second, policy);
    const at = t0 + 13 * second;
    const asked = (seconds: number) =>
      withProbeFailed(probing, "p", { reason: "throttled", asked: seconds, at }, policy).delaySeconds;
    expect([asked(1), asked(35), asked(3_600)]).toEqual([20, 35, 60]);
  });

  test("an answered probe closes it, as if nothing had been", () => {
    const probing = withProbe(opened, "p", t0 + 12 * second, policy);
    const closed = withProbeAnswered(probing, "p", t0 + 13 * second);
    expect(closed).toEqual({
      ...newBreaker("judge"),
      version: probing.version + 1,
      closedAt: t0 + 13 * second,
    });
  });
});

describe("how long messages may still be on their way", () => {
  test.each([
    ["never opened", newBreaker("judge"), 0],
    ["open", opened, t0 + 12 * second + 900 * second],
    [
      "closed again",
      withProbeAnswered(withProbe(opened, "p", t0 + 12 * second, policy), "p", t0 + 20 * second),
      t0 + 20 * second + 900 * second,
    ],
  ])("%s", (_, breaker, until) => {
    expect(heldUntil(breaker, 900)).toBe(until);
  });
});

test("any sequence of events: valid records, versions that rise by one, one probe at a time", () => {
  const event = fc.record({
    kind: fc.constantFrom("failure", "answer", "probe", "answered", "failed", "dropped"),
    who: fc.constantFrom("a", "b", "c", "d"),
    wait: fc.nat({ max: 40 * second }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let breaker = newBreaker("judge");
      let now = t0;
      for (const { kind, who, wait } of events) {
        now += wait;
        const before = breaker;
        const failure = { reason: "timed-out", asked: null, at: now };
        if (kind === "failure") breaker = withFailure(before, { who, ...failure }, policy);
        if (kind === "answer") breaker = withAnswer(before);
        if (kind === "probe") breaker = withProbe(before, who, now, policy);
        if (kind === "answered") breaker = withProbeAnswered(before, who, now);
        if (kind === "failed") breaker = withProbeFailed(before, who, failure, policy);
        if (kind === "dropped") breaker = withProbeDropped(before, who);
        expect(breakerSchema.parse(breaker)).toEqual(breaker);
        expect(breaker.version - before.version).toBe(breaker === before ? 0 : 1);
        // Only who holds the probe, or time, frees it.
        if (breakerPhase(before, now).kind === "probing" && before.probe?.token !== who)
          expect(breaker).toBe(before);
        if (before.state === "open" && breaker.state === "closed") expect(kind).toBe("answered");
      }
    }),
  );
});
