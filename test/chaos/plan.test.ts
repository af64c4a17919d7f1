import { describe, expect, test } from "vitest";
import { identitiesOf } from "./identity.ts";
import { killList } from "./kill-list.ts";
import { judgeFaults, makePlan } from "./plan.ts";

const texts = (seed: number): unknown => {
  const { lines, faults } = makePlan(seed, 300);
  return [lines, [...faults]];
};

describe("a chaos plan", () => {
  test("is the same for the same seed, and another for another", () => {
    expect(texts(7)).toEqual(texts(7));
    expect(texts(8)).not.toEqual(texts(7));
  });

  test.each([100, 200, 5000])("of %i lines has every kind of line and every fault", (samples) => {
    const { lines, faults, files } = makePlan(1, samples);
    expect(lines).toHaveLength(samples);
    expect([...files.values()].flat()).toHaveLength(samples);
    expect(new Set(lines.map(({ expected }) => expected))).toEqual(
      new Set(["machine", "review", "invalid", "failed"]),
    );
    expect(new Set([...faults.values()].flat())).toEqual(new Set(judgeFaults));
    const ids = lines.flatMap(({ sample }) => sample ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([1, 2, 3, 4, 5])("has a target for every point of the write order (seed %i)", (seed) => {
    const points = killList(makePlan(seed, 100));
    expect(points).toHaveLength(21);
    expect(new Set(points.map(({ name }) => name)).size).toBe(points.length);
  });
});

test("a message has the same identity in every run", () => {
  const key = { batch: "ok/chaos-03/samples.jsonl@0a1b", run: 1, split: 0, ordinal: 17 };
  expect(identitiesOf(JSON.stringify({ schema: 1, key, arrivedAt: 1 }))).toEqual(["chaos-03#0#17 sample"]);
  expect(identitiesOf(JSON.stringify({ kind: "outcome", key, decidedAt: 2 }))).toEqual([
    "chaos-03#0#17 outcome",
  ]);
  const outcomes = [17, 18].map((ordinal) => ({ kind: "outcome", key: { ...key, ordinal } }));
  expect(identitiesOf(JSON.stringify({ kind: "outcomes", outcomes }))).toEqual([
    "chaos-03#0#17 outcome",
    "chaos-03#0#18 outcome",
  ]);
  expect(identitiesOf(JSON.stringify({ kind: "check", batch: key.batch, run: 1 }))).toEqual([
    "chaos-03 check",
  ]);
  const event = { s3: { object: { key: "inbox/ok/chaos-03/samples.jsonl", versionId: "0a1b" } } };
  expect(identitiesOf(JSON.stringify({ Records: [event] }))).toEqual(["chaos-03 event"]);
});
