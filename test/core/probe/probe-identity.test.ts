import { judgeAddress, probeHash, probeKey } from "@touchstone/core/domain/probe/probe-identity";
import type { ProbeRecord } from "@touchstone/core/schema/probe";
import { describe, expect, test } from "vitest";

const record: ProbeRecord = {
  schema: 1,
  url: "http://gpu-1:8000",
  model: "judge-7b",
  answeredBy: "judge-7b-awq",
  at: 1,
  findings: {
    reasoning: "none",
    guided: "after-grammar",
    guidedBy: "guided_choice",
    logprobs: "raw",
    bytes: "true",
    topLogprobs: 20,
    steady: true,
  },
  measures: { guidedMass: 1, temperatureShift: 0, maxDelta: 0.01 },
};

describe("a judge's address", () => {
  test.each([
    ["http://gpu-1:8000/v1/", "http://gpu-1:8000"],
    ["https://user:secret@gpu-1/v1", "https://gpu-1"],
    ["sagemaker://Judge", "sagemaker:Judge"],
    ["stream+https://gpu-1/v1", "stream+https://gpu-1"],
  ])("%s is %s", (url, address) => {
    expect(judgeAddress(url)).toBe(address);
    expect(probeKey(url, "m")).toBe(probeKey(address, "m"));
    expect(probeKey(url, "m")).not.toBe(probeKey(url, "n"));
  });
});

describe("what of a probe is in the fingerprint", () => {
  test("is what it found, and who answered", () => {
    const others: readonly ProbeRecord[] = [
      { ...record, answeredBy: "judge-7b-fp16" },
      { ...record, findings: { ...record.findings, logprobs: "processed" } },
      { ...record, findings: { ...record.findings, topLogprobs: 5 } },
      { ...record, findings: { ...record.findings, steady: null } },
    ];
    expect(new Set([record, ...others].map(probeHash)).size).toBe(5);
  });

  test("is not what differs a little every time", () => {
    const later = {
      ...record,
      at: 2,
      measures: { guidedMass: 0.999, temperatureShift: 0.02, maxDelta: 0.04 },
    };
    expect(probeHash(later)).toBe(probeHash(record));
  });
});
