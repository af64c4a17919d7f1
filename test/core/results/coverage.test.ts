/** Coverage that hides nothing: each sample that went to people is lost to exactly one cause. */
import { coverageOf, coverageSummary, lostTo, mergeCoverage } from "@touchstone/core/domain/results/coverage";
import { addTallies, emptyTallies, tallyResults } from "@touchstone/core/domain/results/result-files";
import { type Reason, reasonCodes } from "@touchstone/core/schema/outcome";
import { lostCauses } from "@touchstone/core/schema/tallies";
import { describe, expect, test } from "vitest";
import { result } from "../../contract/records.ts";

const review = (...reasons: readonly Reason[]) => ({ decision: "review" as const, reasons: [...reasons] });

describe("a sample that went to people", () => {
  test.each([
    ["low-confidence", [{ code: "low-confidence" }, { code: "no-vouching-policy" }]],
    ["no-certificate", [{ code: "no-vouching-policy" }]],
    ["missing-logprobs", [{ code: "low-confidence" }, { code: "missing-confidence" }]],
    ["missing-logprobs", [{ code: "criterion-unsure", detail: "no probability" }]],
    ["low-confidence", [{ code: "criterion-unsure", detail: "0.50 < 0.9" }]],
    ["format", [{ code: "criterion-unsure", detail: "no verdict" }]],
    ["format", [{ code: "answer-unreadable" }, { code: "injection-suspected" }]],
    ["policy", [{ code: "context-cut" }, { code: "low-confidence" }]],
    ["veto", [{ code: "veto-uncertified" }, { code: "low-confidence" }]],
  ] as const)("is lost to %s", (cause, reasons) => {
    expect(lostTo(review(...reasons))).toBe(cause);
  });

  test("has one cause of the closed set, whatever the reason", () => {
    for (const code of reasonCodes) {
      const cause = lostTo(review({ code }));
      if (cause !== null) expect(lostCauses).toContain(cause);
    }
  });
});

test("a machine's answer is lost to nothing", () => {
  expect(coverageOf(result({ certified: true, audit: true }))).toEqual({ certified: 1, audits: 1, lost: {} });
  expect(lostTo({ decision: "invalid", reasons: [{ code: "bad-line" }] })).toBeNull();
});

test("human load is reviews and audits together; shares are of what was valid", () => {
  const counts = { total: 11, machine: 6, review: 4, invalid: 1, failed: 0, reviewed: 0, audited: 0 };
  const results = [
    ...Array.from({ length: 6 }, (_, at) => result({ certified: at < 3, audit: at === 0 })),
    ...Array.from({ length: 4 }, () => result({ ...review({ code: "low-confidence" }) })),
    result({ decision: "invalid", reasons: [{ code: "bad-line" }] }),
  ];
  const summary = coverageSummary(tallyResults(counts, results));
  expect(summary).toEqual({
    ...{ valid: 10, gross: 0.6, certified: 0.3, lost: { "low-confidence": 0.4 } },
    human: { reviews: 4, audits: 1, share: 0.5 },
  });
  const half = tallyResults(counts, results);
  expect(coverageSummary(addTallies(half, half))).toEqual({
    ...summary,
    ...{ valid: 20, human: { reviews: 8, audits: 2, share: 0.5 } },
  });
  expect(mergeCoverage(summary ? [summary, summary] : [])).toMatchObject({
    valid: 20,
    gross: 0.6,
    certified: 0.3,
  });
});

test("of nothing there is none", () => {
  expect(coverageSummary(emptyTallies())).toBeNull();
  expect(mergeCoverage([])).toBeNull();
});
