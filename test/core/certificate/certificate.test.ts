import {
  changedParts,
  type IssueInput,
  issueCertificate,
  standingOf,
  voided,
} from "@touchstone/core/domain/certificate/certificate";
import { spentDelta } from "@touchstone/core/domain/certificate/spending";
import { certificateSchema, type FingerprintParts } from "@touchstone/core/schema/certificate";
import { describe, expect, test } from "vitest";

const parts: FingerprintParts = {
  model: "judge-7b",
  quantisation: "awq",
  prompt: "2",
  rubric: "v1",
  decoding: "t0",
  server: "vllm",
};
const input: IssueInput = {
  family: "dialogue",
  tasks: { "chat-quality": { fingerprint: "f1", parts } },
  unit: "sample",
  alpha: 0.03,
  delta: 0.05,
  index: 2,
  proof: {
    tau: 0.91,
    n: 970,
    k: 12,
    bound: 0.0299,
    level: spentDelta(0.05, 2) * 0.8,
    coverage: { grid: 0.97, pool: 0.971 },
  },
  poolSize: 5000,
  window: { from: 1, to: 2 },
  calibration: 7,
  audits: { salt: "salt", rate: 0.02, fitShare: 0.4 },
  issuedAt: 3,
};
const certificate = issueCertificate(input);

describe("a certificate", () => {
  test("names all it rests on, and survives being stored", () => {
    expect(certificate).toMatchObject({
      id: "dialogue#sample#2",
      delta: { total: 0.05, spent: spentDelta(0.05, 2), index: 2 },
      tau: 0.91,
      n: 970,
      k: 12,
      state: { kind: "valid" },
    });
    expect(certificateSchema.parse(JSON.parse(JSON.stringify(certificate)))).toEqual(certificate);
  });

  test("is refused to a proof that spends more than its turn", () => {
    expect(() => issueCertificate({ ...input, index: 3 })).toThrow("certification 3 may spend");
  });

  test("is refused where the bound is above alpha, or a criterion is missing or astray", () => {
    expect(() => issueCertificate({ ...input, alpha: 0.02 })).toThrow("at most its alpha");
    expect(() => issueCertificate({ ...input, unit: "veto" })).toThrow("named for the unit veto");
    expect(() => issueCertificate({ ...input, criterion: "c1" })).toThrow("only for it");
    expect(issueCertificate({ ...input, unit: "veto", criterion: "c1" }).id).toBe("dialogue#veto#c1#2");
    expect(() => issueCertificate({ ...input, tasks: {} })).toThrow("at least one task");
  });

  test("is void from its first reason on", () => {
    const first = voided(certificate, { reason: "error-alarm", detail: "S = 4.6", at: 9 });
    expect(first.state).toEqual({ kind: "void", reason: "error-alarm", detail: "S = 4.6", at: 9 });
    expect(voided(first, { reason: "withdrawn", at: 10 })).toEqual(first);
    expect(certificateSchema.parse(first)).toEqual(first);
  });
});

describe("whom it stands for", () => {
  const judged = { task: "chat-quality", fingerprint: "f1", parts, calibration: 7 };

  test("the judge and the calibration that were tested", () => {
    expect(standingOf(certificate, judged)).toEqual({ kind: "covered", tau: 0.91 });
    expect(standingOf(certificate, { ...judged, calibration: null })).toEqual({ kind: "other-calibration" });
    expect(standingOf(certificate, { ...judged, calibration: 8 })).toEqual({ kind: "other-calibration" });
  });

  test("no other judge; what changed is named", () => {
    const other = { ...judged, fingerprint: "f2", parts: { ...parts, quantisation: null, server: "sglang" } };
    expect(standingOf(certificate, other)).toEqual({
      kind: "other-judge",
      changed: ["quantisation", "server"],
    });
    expect(standingOf(certificate, { ...judged, fingerprint: "f2", parts: undefined }).kind).toBe(
      "other-judge",
    );
  });

  test("a new task with a rubric of its own, once it has passed its floor test, but no new model", () => {
    const fresh = { ...judged, task: "summary", fingerprint: "f9", parts: { ...parts, rubric: "v8" } };
    expect(standingOf(certificate, fresh)).toEqual({ kind: "new-task", tau: 0.91 });
    const model = { ...fresh, parts: { ...fresh.parts, model: "judge-8b" } };
    expect(standingOf(certificate, model)).toEqual({ kind: "other-judge", changed: ["model"] });
    expect(standingOf(certificate, { ...fresh, task: "constructor" }).kind).toBe("new-task");
  });

  test("nobody once it is void", () => {
    const gone = voided(certificate, { reason: "canary-flips", at: 9 });
    expect(standingOf(gone, judged)).toEqual({ kind: "void", reason: "canary-flips" });
  });
});

test("judges differ in named parts", () => {
  expect(changedParts(parts, parts)).toEqual([]);
  expect(changedParts(parts, { ...parts, decoding: "t1", model: "m" })).toEqual(["model", "decoding"]);
});
