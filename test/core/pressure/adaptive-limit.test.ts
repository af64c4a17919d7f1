/** The limit of calls in flight: halves once per window, grows by about one per round trip, stays within its bounds. */
import {
  type AdaptiveLimit,
  afterAnswer,
  afterThrottle,
  cutWindowMs,
  freshLimit,
  hasRoom,
  restartedLimit,
} from "@touchstone/core/domain/pressure/adaptive-limit";
import fc from "fast-check";
import { expect, test } from "vitest";

const most = 25;
const now = 1_700_000_000_000;

test("a burst of refusals is one cut; refusals after the window are another", () => {
  let limit = freshLimit(most);
  for (let inFlight = 25; inFlight > 0; inFlight -= 1) limit = afterThrottle(limit, inFlight, now, null);
  expect(limit.calls).toBe(12.5);
  limit = afterThrottle(limit, 12, now + cutWindowMs - 1, null);
  expect(limit.calls).toBe(12.5);
  limit = afterThrottle(limit, 12, now + cutWindowMs, null);
  expect(limit.calls).toBe(6);
});

test("a cut begins at what was really in flight", () => {
  expect(afterThrottle(freshLimit(100), 8, now, null).calls).toBe(4);
});

test("never below one call", () => {
  let limit = freshLimit(most);
  for (let turn = 0; turn < 20; turn += 1) limit = afterThrottle(limit, 1, now + turn * cutWindowMs, null);
  expect(limit.calls).toBe(1);
  expect(hasRoom(limit, 0)).toBe(true);
  expect(hasRoom(limit, 1)).toBe(false);
});

test("grows by about one for as many answers as may be in flight, up to its most", () => {
  const roundTrip = (limit: AdaptiveLimit): AdaptiveLimit => {
    let next = limit;
    for (let answers = Math.floor(limit.calls); answers > 0; answers -= 1) next = afterAnswer(next, most);
    return next;
  };
  let limit = restartedLimit(freshLimit(most));
  expect(limit.calls).toBe(1);
  for (let trip = 1; trip < 20; trip += 1) {
    const before = limit.calls;
    limit = roundTrip(limit);
    expect(limit.calls - before).toBeGreaterThan(0.5);
    expect(limit.calls - before).toBeLessThanOrEqual(1);
  }
  for (let trip = 0; trip < 20; trip += 1) limit = roundTrip(limit);
  expect(limit.calls).toBe(most);
});

test("what the endpoint asked for is kept, the longest of all", () => {
  let limit = afterThrottle(freshLimit(most), 25, now, 30);
  limit = afterThrottle(limit, 25, now, 5);
  limit = afterThrottle(limit, 25, now, null);
  expect(limit.quietUntil).toBe(now + 30_000);
});

test("whatever happens, from 1 to its most", () => {
  const event = fc.record({
    throttled: fc.boolean(),
    inFlight: fc.integer({ min: 0, max: 60 }),
    wait: fc.nat({ max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(event), fc.integer({ min: 0, max: 60 }), (events, bound) => {
      let limit = freshLimit(bound);
      let at = now;
      for (const { throttled, inFlight, wait } of events) {
        at += wait;
        limit = throttled ? afterThrottle(limit, inFlight, at, null) : afterAnswer(limit, bound);
        expect(limit.calls).toBeGreaterThanOrEqual(1);
        expect(limit.calls).toBeLessThanOrEqual(Math.max(1, bound));
      }
    }),
  );
});
