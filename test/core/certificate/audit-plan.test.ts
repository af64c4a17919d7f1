import { type AuditForecastInput, auditsNeeded } from "@touchstone/core/domain/certificate/audit-plan";
import { binomialCdf, upperBound } from "@touchstone/core/domain/certificate/bounds";
import { coverageGrid, sequenceStarts } from "@touchstone/core/domain/certificate/certify";
import { floorTest } from "@touchstone/core/domain/certificate/floor-test";
import { defaultFitShare, labelUse } from "@touchstone/core/domain/certificate/label-use";
import { isAudited } from "@touchstone/core/domain/decide/audit";
import { describe, expect, test } from "vitest";

describe("how many audits a coverage would take", () => {
  const input: AuditForecastInput = {
    alpha: 0.03,
    delta: 0.05,
    grid: coverageGrid,
    starts: sequenceStarts,
    target: 0.97,
    errorAt: (coverage) => (coverage <= 0.9 ? 0.01 : 0.022),
    costPerAudit: 0.5,
  };

  test("is as many as its hardest test needs", () => {
    const forecast = auditsNeeded(input);
    if (forecast.kind !== "reachable") throw new Error("3 % can be proven of 2.2 %");
    const { audits, extra, cost, hardest } = forecast;
    expect(hardest).toEqual({ coverage: 0.92, error: 0.022 });
    expect(cost).toBe(audits / 2);
    expect(extra).toBe(Math.ceil(audits * 0.97));
    const n = Math.floor(audits * 0.92);
    let allowed = 0;
    while (upperBound(allowed + 1, n, 0.04) <= 0.03) allowed++;
    expect(binomialCdf(allowed, n, 0.022)).toBeGreaterThan(0.79);
    expect(binomialCdf(allowed, n, 0.022)).toBeLessThan(0.82);
  });

  test("is the fewest that can pass at all where nothing is expected to be wrong", () => {
    const starts = [{ coverage: 0.97, share: 1 }];
    expect(auditsNeeded({ ...input, starts, errorAt: () => 0 })).toMatchObject({
      audits: Math.ceil(99 / 0.97),
      extra: 100,
    });
  });

  test("grows with the power that is asked for and as the error nears alpha", () => {
    const needed = (errorAt: number, power: number): number => {
      const forecast = auditsNeeded({ ...input, errorAt: () => errorAt, power });
      return forecast.kind === "reachable" ? forecast.audits : Number.POSITIVE_INFINITY;
    };
    expect(needed(0.02, 0.9)).toBeGreaterThan(needed(0.02, 0.5));
    expect(needed(0.025, 0.8)).toBeGreaterThan(needed(0.02, 0.8));
    expect(needed(0.02, 0.8)).toBeGreaterThan(needed(0.01, 0.8));
  });

  test("is no number at all where the error is above alpha on the way", () => {
    const errorAt = (coverage: number) => (coverage < 0.96 ? 0.01 : 0.04);
    expect(auditsNeeded({ ...input, errorAt })).toEqual({
      kind: "out-of-reach",
      coverage: 0.96,
      error: 0.04,
    });
    expect(auditsNeeded({ ...input, errorAt, target: 0.95 }).kind).toBe("reachable");
    expect(auditsNeeded({ ...input, errorAt: () => 0.02999 }).kind).toBe("out-of-reach");
  });

  test("a target under every start is refused", () => {
    expect(() => auditsNeeded({ ...input, target: 0.5, starts: [{ coverage: 0.8, share: 1 }] })).toThrow(
      "no start",
    );
  });
});

describe("a new task of a certified family", () => {
  const right = (count: number) => Array.from({ length: count }, () => false);

  test("waits for 59 audits, and passes with all of them right", () => {
    expect(floorTest(right(58))).toEqual({ kind: "waiting", seen: 58, needed: 59 });
    expect(floorTest(right(59))).toEqual({ kind: "passed", needed: 59 });
  });

  test("fails with one error, at once; after the test it is not looked at again", () => {
    expect(floorTest([...right(3), true])).toEqual({ kind: "failed", seen: 4, needed: 59 });
    expect(floorTest([...right(59), true]).kind).toBe("passed");
  });

  test("may be held to another floor", () => {
    expect(floorTest([], { alpha: 0.03 })).toMatchObject({ needed: 99 });
  });
});

describe("labels fit or certify, never both", () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `sample-${index}`);
  const share = (list: readonly string[]): number =>
    list.filter((id) => labelUse(id, "salt", defaultFitShare) === "fit").length / list.length;

  test("by id and salt alone, in the share asked for", () => {
    expect(labelUse("s-1", "salt", 0)).toBe("certify");
    expect(labelUse("s-1", "salt", 1)).toBe("fit");
    expect(Math.abs(share(ids) - defaultFitShare)).toBeLessThan(0.015);
  });

  test("independently of who is audited, with the same salt", () => {
    const audited = ids.filter((id) => isAudited(id, "salt", 0.2));
    expect(Math.abs(share(audited) - defaultFitShare)).toBeLessThan(0.03);
  });
});
