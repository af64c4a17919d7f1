/** Two runs over frozen samples: one truth for both, and who broke. */
import { type CanaryPair, compareCanaries } from "@touchstone/core/domain/watch/canary";
import { describe, expect, test } from "vitest";
import { result, verdict } from "../../contract/records.ts";
import { template as templateOf } from "../report/simulated-task.ts";

const template = templateOf();
const said = (value: string | null, agrees?: boolean) =>
  result({
    fields: [{ id: "quality", value, confidence: { source: "logprob", raw: 0.9, calibrated: null } }],
    ...(agrees === undefined ? {} : { agrees: { quality: agrees } }),
  });
const people = (value: string, at = 1) => verdict({ values: { quality: value }, at });

const pair = (part: Partial<Record<"was" | "is", string | null>>, truth: "A" | "B"): CanaryPair => ({
  before: { result: said(part.was ?? null), verdict: people(truth) },
  after: { result: said(part.is ?? null), verdict: null },
});

describe("of two runs", () => {
  test("each answer is held against the same people's answer", () => {
    const pairs = [
      pair({ was: "A", is: "A" }, "A"),
      pair({ was: "A", is: "B" }, "A"),
      pair({ was: "B", is: "A" }, "A"),
      pair({ was: "B", is: null }, "B"),
    ];
    expect(compareCanaries(pairs, template)).toEqual({
      ...{ samples: 4, rightBefore: 3, rightAfter: 2, broke: 2, mended: 1, p: 1 },
      brokeIds: ["s-1", "s-1"],
    });
  });

  test("the newest verdict of either run stands, and goes before labels", () => {
    const before = { result: said("A", true), verdict: people("A", 1) };
    const after = { result: said("A", true), verdict: people("B", 2) };
    expect(compareCanaries([{ before, after }], template)).toMatchObject({ rightBefore: 0, rightAfter: 0 });
    expect(compareCanaries([{ before: after, after: before }], template)).toMatchObject({ rightAfter: 0 });
  });

  test("labels do where nobody looked; without either a sample is left out", () => {
    const labelled = (was: boolean, is: boolean): CanaryPair => ({
      before: { result: said("A", was), verdict: null },
      after: { result: said("B", is), verdict: null },
    });
    const bare = {
      before: { result: said("A"), verdict: null },
      after: { result: said("B"), verdict: null },
    };
    const pairs = [...Array.from({ length: 6 }, () => labelled(true, false)), labelled(true, true), bare];
    expect(compareCanaries(pairs, template)).toMatchObject({
      samples: 7,
      broke: 6,
      mended: 0,
      p: expect.closeTo(0.03125, 9),
    });
  });
});
