/** Durations fit together, and waiting messages come back neither too soon nor too late. */
import { retryDelaySeconds } from "@touchstone/core/domain/pressure/retry-delay";
import { breakerWitnesses, maxAttempts, timing, visibilityFactor } from "@touchstone/core/timing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

describe.each([1, 60])("timing divided by %d", (scale) => {
  const { functionTimeout, modelTimeout, lease, sweep, retryDelay, queueRetention } = timing(scale);

  test("model time-out < lease < visibility", () => {
    expect(visibilityFactor).toBeGreaterThanOrEqual(6);
    expect(modelTimeout.strategy + modelTimeout.captioner).toBeLessThan(lease.gist);
    expect(lease.gist).toBeLessThan(visibilityFactor * functionTimeout.describe);
    expect(modelTimeout.judge).toBeLessThan(lease.sample);
    expect(lease.sample).toBeLessThan(visibilityFactor * functionTimeout.score);
  });

  test("a lease outlives the function that took it, and a model call ends inside its function", () => {
    expect(lease.sample).toBeGreaterThan(functionTimeout.score);
    expect(lease.gist).toBeGreaterThan(functionTimeout.describe);
    expect(2 * modelTimeout.judge).toBeLessThanOrEqual(functionTimeout.score);
    expect(modelTimeout.captioner).toBeLessThan(functionTimeout.describe);
  });

  test("a probe outlives the function that took it, and probes come more often than messages", () => {
    const { breaker, longestWait } = timing(scale);
    expect(breaker.probe).toBeGreaterThan(Math.max(functionTimeout.score, functionTimeout.describe));
    expect(breaker.first).toBeLessThanOrEqual(breaker.most);
    expect(breaker.most).toBeLessThanOrEqual(retryDelay.most);
    expect(breaker.most).toBeLessThan(longestWait);
  });

  test("SQS and people get what they need", () => {
    expect(retryDelay.most).toBeLessThanOrEqual(900);
    expect(retryDelay.first).toBeLessThanOrEqual(retryDelay.most);
    expect(sweep.reviewHintAfter).toBeLessThan(queueRetention);
    expect(sweep.period).toBeLessThan(sweep.quietAfter);
    for (const seconds of Object.values(functionTimeout))
      expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
  });
});

test("Lambda's and SageMaker's own limits hold", () => {
  const { functionTimeout, modelTimeout } = timing();
  for (const seconds of Object.values(functionTimeout)) expect(seconds).toBeLessThanOrEqual(900);
  for (const seconds of Object.values(modelTimeout)) expect(seconds).toBeLessThan(60);
});

test("a sample waits for a model longer than a weekend, and no longer than its media is kept", () => {
  const { longestWait, retryDelay, queueRetention } = timing();
  expect(longestWait).toBeGreaterThan(3 * 86_400);
  expect(longestWait + retryDelay.most).toBeLessThan(queueRetention / 2);
});

test("one sample that no judge can bear is given up before it opens a breaker", () => {
  expect(breakerWitnesses).toBeGreaterThan(maxAttempts);
});

describe("retryDelaySeconds", () => {
  const limits = { first: 5, most: 900 };
  test.each([
    ["first try, least jitter", 0, null, 0, 3],
    ["first try, most jitter", 0, null, 0.999, 5],
    ["doubles", 3, null, 0.999, 40],
    ["ends at the limit", 30, null, 0.999, 900],
    ["asked: never sooner", 0, 60, 0, 60],
    ["asked: jitter comes after", 0, 60, 0.5, 75],
    ["asked for nothing still waits a little", 0, 0, 0, 5],
    ["asked for a day", 0, 86_400, 0.7, 900],
    ["asked for little, again and again: doubles all the same", 8, 1, 0, 450],
  ] as const)("%s", (_, attempt, asked, random, expected) => {
    expect(retryDelaySeconds(attempt, limits, asked, random)).toBe(expected);
  });

  test("is always a whole number of seconds that SQS takes", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 1000 }),
        fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.constantFrom(1, 60),
        (attempt, asked, random, scale) => {
          const bounds = timing(scale).retryDelay;
          const seconds = retryDelaySeconds(attempt, bounds, asked, random);
          expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= bounds.most).toBe(true);
          if (asked !== null && asked <= bounds.most) expect(seconds).toBeGreaterThanOrEqual(asked);
        },
      ),
    );
  });
});
