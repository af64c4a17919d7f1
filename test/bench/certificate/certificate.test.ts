import { describe, expect, test } from "vitest";
import { run, table } from "../certificate.ts";
import { simulateAlarms } from "./alarms.ts";
import { errorAtRank, judges, trueError } from "./judges.ts";
import { auditCounts, forecastOf, simulateStreams } from "./streams.ts";

const judgeOf = (name: string) => {
  const judge = judges.find((candidate) => candidate.name === name);
  if (!judge) throw new Error(`there is no judge "${name}"`);
  return judge;
};

test.each(judges)("the true error of $name is the mean of its answers' errors", (judge) => {
  for (const coverage of [0.5, 0.8, 0.97, 1]) {
    const steps = 20_000;
    let sum = 0;
    for (let step = 0; step < steps; step++) sum += errorAtRank(judge, ((step + 0.5) / steps) * coverage);
    expect(trueError(judge, coverage)).toBeCloseTo(sum / steps, 6);
  }
});

test("judges are what their names say", () => {
  expect(trueError(judgeOf("narrow margin"), 0.97)).toBeCloseTo(0.022, 3);
  expect(trueError(judgeOf("narrow margin"), 1)).toBeCloseTo(0.035, 3);
  expect(trueError(judgeOf("wide margin"), 0.97)).toBeCloseTo(0.004, 3);
  expect(trueError(judgeOf("hard quarter"), 0.8)).toBeCloseTo(0.0505, 3);
});

describe("streams", () => {
  const runs = 30;

  test("reach more coverage with more audits, and keep the promise where counting errors does not", () => {
    const rows = simulateStreams(judgeOf("narrow margin"), runs, 1);
    expect(rows.map(({ audits }) => audits)).toEqual(auditCounts);
    const [first, last] = [rows[0], rows.at(-1)];
    expect(last?.coverageMean).toBeGreaterThan(first?.coverageMean ?? 1);
    for (const { violations, naiveViolations } of rows) {
      // More than 5 of 30 happens once in 300 times at a chance of 5 %.
      expect(violations).toBeLessThanOrEqual(5);
      expect(naiveViolations).toBeGreaterThan(violations);
    }
    expect(simulateStreams(judgeOf("narrow margin"), runs, 1)).toEqual(rows);
  });

  test("of a judge with a wide margin need as few audits as were forecast", () => {
    const judge = judgeOf("wide margin");
    const needed = forecastOf(judge).auditsNeeded ?? Number.POSITIVE_INFINITY;
    expect(needed).toBeLessThan(500);
    const row = simulateStreams(judge, runs, 2).find(({ audits }) => audits === 500);
    expect(row?.reached).toBeGreaterThan(0.7 * runs);
  });
});

test("the larger the drift, the sooner the alarm, and none is rarer than a false one", () => {
  const { rows, auditsPerDay } = simulateAlarms({ samplesPerDay: 10_000, auditRate: 0.02 }, 200, 3);
  expect(auditsPerDay).toBe(194);
  const means = rows.map(({ auditsMean }) => auditsMean);
  expect(means).toEqual(means.toSorted((left, right) => right - left));
  expect(means[0]).toBeGreaterThan(4000);
});

test("reads its options, and prints one row for each figure", async () => {
  await expect(run(["--runs", "0"])).rejects.toThrow("--runs is a whole number above 0");
  await expect(run(["--audit-rate", "2"])).rejects.toThrow("--audit-rate");
  const figures = await run(["--runs", "2", "--seed", "5"]);
  expect(figures).toMatchObject({ seed: 5, runs: 2 });
  const lines = table(figures).split("\n");
  expect(lines.filter((line) => line.startsWith("hard quarter"))).toHaveLength(auditCounts.length + 1);
});
