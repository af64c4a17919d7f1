/** Certificates, coverage and their ends in words, both languages. */
import { withVoid } from "@touchstone/core/domain/trust/family-trust";
import { newWatch, withAudit } from "@touchstone/core/domain/watch/watch";
import pc from "picocolors";
import { expect, test } from "vitest";
import { renderCertificate } from "../../infra/cli/render/certificate.ts";
import { renderCoverage, renderTrust } from "../../infra/cli/render/coverage.ts";
import { renderResult } from "../../infra/cli/render/result.ts";
import { batchRecord, result, sampleKey, taskId } from "../contract/records.ts";
import { certificate, trusted } from "../contract/trust-records.ts";

const en = { language: "en" as const, colors: pc.createColors(false) };
const zh = { ...en, language: "zh" as const };
const id = "f#sample#1";

test("a certificate in one sentence that names α, δ, coverage, n, k and the bound", () => {
  expect(renderCertificate(certificate(), en)).toBe(
    "t: with 95 % certainty at most 3 % of what the machine answers by itself is wrong. It answers 90 %; of 300 random audits 1 were wrong, so the error is at most 2 %.",
  );
  expect(renderCertificate(certificate(), zh)).toContain(
    "有 95 % 的把握，机器独立作答的样本中错误不超过 3 %",
  );
});

test("what stands, with what its watch has seen; what ended, and why; nothing where there is nothing", () => {
  const watch = newWatch({
    ...{
      task: taskId("t"),
      certificate: id,
      fingerprint: "f",
      n: 300,
      k: 1,
      alpha: 0.03,
      coverage: 0.9,
      at: 1,
    },
    confidences: [],
  });
  const watches = [withAudit(watch, { reviewId: "r", isError: true, at: 2 })];
  expect(renderTrust({ families: [trusted(certificate())], watches }, en)).toContain(
    `(${id}; since then 1 audits, 1 against the machine)`,
  );
  const ended = withVoid(trusted(certificate()), id, {
    reason: "confidence-drift",
    detail: "PSI 0.31",
    at: 5,
  });
  expect(renderTrust({ families: [ended], watches: [] }, zh)).toBe(
    `证书\n  证书 ${id} 已失效：置信度分布漂移（PSI 0.31）`,
  );
  expect(renderTrust({ families: [trusted()], watches: [] }, en)).toBe("");
});

test("coverage names human load beside the machine's share, and only causes that took something", () => {
  const lost = { "low-confidence": 0.25, veto: 0.05 };
  const human = { reviews: 30, audits: 2, share: 0.32 };
  const shown = renderCoverage(new Map([["t", { valid: 100, gross: 0.7, certified: 0.6, human, lost }]]), en);
  expect(shown.split("\n").slice(1)).toEqual([
    "task  valid  machine  certified  human load  veto  low confidence",
    "t       100     70 %       60 %        32 %   5 %            25 %",
  ]);
});

test.each([
  [{ id, covers: true }, `covered by certificate ${id}`],
  [
    { id, covers: false, why: "error-alarm" as const },
    `certificate ${id} does not count here: audits found too many errors`,
  ],
  [
    { id, covers: false, why: "new-task" as const },
    `certificate ${id} does not count here: the task has yet to pass its floor test`,
  ],
])("a result says so: %o", (named, line) => {
  const stored = { result: result({ certificate: named }), verdict: null, attempts: 0 };
  const found = { batch: batchRecord(), key: sampleKey(), stored };
  expect(renderResult({ found, template: null, gists: new Map() }, en).split("\n")).toContain(line);
});
