/** Waiting is not failing: hours of trouble at the judge lose nothing, use up no attempt, and pay for each sample once. */
import { countSplit } from "@touchstone/core/domain/ledger/split";
import { transient } from "@touchstone/core/errors";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import { timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { createWaitingWorld, type WaitingOptions } from "./waiting-world.ts";

const hour = 3_600;
type Run = Awaited<ReturnType<typeof createWaitingWorld>>;

const countsOf = async ({ world, batch }: Run) => {
  const split = await world.stores.ledger.split(batch, 1, 0);
  if (!split) throw new Error("no split");
  return countSplit(split);
};
const attemptsOf = async (run: Run): Promise<readonly number[]> =>
  (await run.samples()).map((sample) => sample?.attempts ?? 0);

/** Every sample is decided by the judge, and was paid for once. */
const expectAllJudged = async (run: Run, samples: number): Promise<void> => {
  expect(await countsOf(run)).toMatchObject({ total: samples, machine: samples, failed: 0 });
  expect(run.calls.paid).toHaveLength(samples);
  expect(new Set(run.calls.paid).size).toBe(samples);
  expect(await run.world.batch(run.batch)).toMatchObject({ decidedAt: expect.any(Number) });
};

const forHours = (hours: number, error: () => Error): NonNullable<WaitingOptions["trouble"]> => {
  return (elapsed) => {
    if (elapsed < hours * hour) throw error();
  };
};

test.each([
  ["a throttle", () => transient("throttled", "429")],
  ["a throttle that asks for a second", () => transient("throttled", "429", { retryAfterSeconds: 1 })],
  ["a key that is not taken", () => transient("unusable", "401")],
  ["a server that is gone", () => transient("unusable", "ECONNREFUSED")],
])("%s for three hours loses nothing and uses up no attempts", async (_, error) => {
  const run = await createWaitingWorld({ samples: 150, trouble: forHours(3, error) });
  await run.run();
  await expectAllJudged(run, 150);
  expect(await attemptsOf(run)).toEqual(Array.from({ length: 150 }, () => 0));
  // Nobody came back much later than a message stays away.
  expect(run.elapsed()).toBeLessThan(3 * hour + 900 + 600);
  // The endpoint is called for the first seconds, then as often as probes come.
  const late = run.calls.refused.filter((at) => at > 30);
  expect(late.length).toBeLessThanOrEqual((3 * hour) / timing().breaker.most + 8);
  expect(run.calls.refused.length).toBeLessThan(300);
  // Each sample came about as often as doubling delays up to a quarter of an hour allow.
  expect(run.turns() / 150).toBeLessThan(40);
});

test("while an endpoint is left alone SWEEP sends nothing again, and counts its quiet time from then on", async () => {
  const run = await createWaitingWorld({
    samples: 150,
    trouble: forHours(3, () => transient("throttled", "429")),
  });
  const { quietAfter, period } = timing().sweep;
  for (let seconds = 0; seconds < 3 * hour; seconds += period) {
    await run.run(period, false);
    expect(await run.world.sweep()).toMatchObject({ resentSamples: 0, lostSamples: 0 });
  }
  await run.run(Number.POSITIVE_INFINITY, false);
  await expectAllJudged(run, 150);
  expect(run.elapsed()).toBeLessThan(3 * hour + 900 + quietAfter);
});

test("a server that fails for everybody for three hours fails no sample", async () => {
  const run = await createWaitingWorld({
    samples: 150,
    trouble: forHours(3, () => transient("unavailable", "500")),
  });
  await run.run();
  await expectAllJudged(run, 150);
  expect(Math.max(...(await attemptsOf(run)))).toBeLessThan(3);
});

test("samples that no judge can bear fail, and hold nobody up", async () => {
  const run = await createWaitingWorld({
    samples: 200,
    lineOf: (index) => ({ id: `s-${index}`, output: index % 50 === 7 ? `poison ${index}` : `回答 ${index}` }),
    trouble: (_, prompt) => {
      if (prompt.includes("poison")) throw transient("unavailable", "500");
    },
  });
  await run.run();
  expect(await countsOf(run)).toMatchObject({ total: 200, machine: 196, failed: 4 });
  expect(run.elapsed()).toBeLessThan(120);
  expect(run.calls.refused).toHaveLength(4 * 3);
});

test("an endpoint that bears four calls at a time gets no more than it bears, and everything is judged", async () => {
  let inFlight = 0;
  const run = await createWaitingWorld({
    samples: 200,
    trouble: async () => {
      if (inFlight >= 4) throw transient("throttled", "429");
      inFlight += 1;
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      inFlight -= 1;
    },
  });
  await run.run();
  await expectAllJudged(run, 200);
  expect(await attemptsOf(run)).toEqual(Array.from({ length: 200 }, () => 0));
});

test("an endpoint that never comes back: given up after four days, with the reason, in a bounded number of turns", async () => {
  const run = await createWaitingWorld({
    samples: 20,
    trouble: forHours(1_000, () => transient("unusable", "401")),
  });
  await run.run();
  expect(await countsOf(run)).toMatchObject({ total: 20, failed: 20 });
  const [first] = await run.samples();
  expect(first?.result?.reasons).toEqual([{ code: "gave-up", detail: "waited 96 hours for the judge" }]);
  expect(run.elapsed()).toBeGreaterThan(96 * hour);
  expect(run.elapsed()).toBeLessThan(97 * hour);
  expect(run.turns() / 20).toBeLessThan(1_000);
  expect(await attemptsOf(run)).toEqual(Array.from({ length: 20 }, () => 0));
});

describe("a budget of 60 calls for 150 samples", () => {
  const task = taskIdSchema.parse("talk");
  const start = () => createWaitingWorld({ samples: 150, template: { budget: { judgeCallsPerBatch: 60 } } });

  test("is kept exactly, and what waits costs nothing and never fails", async () => {
    const run = await start();
    await run.run(10 * 24 * hour);
    expect(run.calls.paid).toHaveLength(60);
    expect(await countsOf(run)).toMatchObject({ total: 150, machine: 60, failed: 0 });
    expect(run.waiting()).toBe(0);
    expect(await run.world.stores.budgets.read(run.batch, 1)).toMatchObject([{ limit: 60, left: 0 }]);
    // SWEEP sends them again five times at most, and never counts them as lost.
    expect(run.turns()).toBeLessThanOrEqual(150 + 5 * 90);
    expect(await attemptsOf(run)).toEqual(Array.from({ length: 150 }, () => 0));
  });

  test("once it is raised, the rest is judged, each sample paid once", async () => {
    const run = await start();
    await run.run(10 * 24 * hour);
    const key = { batch: run.batch, run: 1, task };
    await run.world.stores.budgets.setLimit(key, 120, 60, run.world.state.now);
    await run.run(hour);
    expect(run.calls.paid).toHaveLength(120);
    await run.world.stores.budgets.setLimit(key, 150, 60, run.world.state.now);
    await run.run(hour);
    await expectAllJudged(run, 150);
    expect(run.waiting()).toBe(0);
  });

  test("calls that the endpoint did not run are given back", async () => {
    const run = await createWaitingWorld({
      samples: 150,
      template: { budget: { judgeCallsPerBatch: 150 } },
      trouble: forHours(1, () => transient("throttled", "429")),
    });
    await run.run();
    await expectAllJudged(run, 150);
    expect(await run.world.stores.budgets.read(run.batch, 1)).toMatchObject([{ left: 0 }]);
  });

  test("a second try that cannot be paid sends the sample to people with its first answer", async () => {
    const run = await createWaitingWorld({
      samples: 1,
      template: { budget: { judgeCallsPerBatch: 1 } },
      lineOf: () => ({ id: "s", output: "garbage-mark" }),
    });
    await run.run();
    expect(run.calls.paid).toHaveLength(1);
    expect(await countsOf(run)).toMatchObject({ review: 1, failed: 0 });
  });
});

test("calls are taken from a budget by invocations, not by samples: 12 writes a second at 300 samples", async () => {
  const run = await createWaitingWorld({
    samples: 500,
    template: { budget: { judgeCallsPerBatch: 100_000 } },
  });
  await run.run();
  await expectAllJudged(run, 500);
  expect(run.world.stores.budgets.writes()).toBeLessThanOrEqual(500 / 25 + 1);
});
