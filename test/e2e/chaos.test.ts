/** `npm run chaos -- --samples 200 --seed 1`: every fault at once, and every sample accounted for. */
import { expect, test } from "vitest";
import { runChaos } from "../chaos/run.ts";

test("200 samples under every fault: none lost, none counted twice, none paid twice for nothing", async () => {
  const progress: string[] = [];
  const report = await runChaos({
    samples: 200,
    seed: 1,
    timeScale: 45,
    limit: 280,
    say: (line) => progress.push(line),
  });
  expect(report.broken, progress.slice(-10).join("\n")).toEqual([]);
  expect(report).toMatchObject({
    samples: 200,
    decided: 200,
    lost: 0,
    doubleCounted: 0,
    duplicateReviewTasks: 0,
    emfDuplicated: 0,
    emulatorRestarts: 1,
  });
  expect(Object.values(report.killsByPoint)).toEqual(Object.keys(report.killsByPoint).map(() => 1));
  expect(report.eventsDelivered).toBe(15);
  expect(report.messagesRepeated).toBeGreaterThan(20);
  expect(report.killsAtRandom).toBeGreaterThan(0);
}, 320_000);
