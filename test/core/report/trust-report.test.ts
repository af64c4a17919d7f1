/** The trust report's statements: what stands behind the answers, the curve and its bound, reliability, the forecast. */
import { certify, coverageGrid, sequenceStarts } from "@touchstone/core/domain/certificate/certify";
import { spentDelta } from "@touchstone/core/domain/certificate/spending";
import { auditForecast, type ForecastInput } from "@touchstone/core/domain/report/audit-forecast";
import { reliability } from "@touchstone/core/domain/report/reliability";
import { riskCurve } from "@touchstone/core/domain/report/risk-curve";
import { trustReport } from "@touchstone/core/domain/report/trust-report";
import { answerCertificate, withVoid } from "@touchstone/core/domain/trust/family-trust";
import { describe, expect, test } from "vitest";
import { certifiedTrust, judge, reportInput, simulatedSamples, template } from "./simulated-task.ts";
import { accepted, audited, many, reviewed } from "./trust-sample.ts";

const input = reportInput();
const report = trustReport(input);

describe("what stands behind the answers", () => {
  test("a certificate, in one sentence of each language with its own figures", () => {
    expect(report.standing).toMatchObject({
      kind: "certified",
      certificate: { alpha: 0.03, coverage: 0.96 },
    });
    expect(report.sentences.standing).toEqual({
      en: "With 95% certainty, at most 3% of the answers that the machine gives by itself are wrong, while it answers 96% of the samples it judges; certified on 2026-11-29 by 1,371 random blind checks, 28 of which found an error.",
      zh: "有 95% 的把握：机器独立给出的答案中，错误不超过 3%，同时由机器回答其评审样本的 96%；2026-11-29 认证，依据 1,371 次随机盲审，其中 28 次发现错误。",
    });
  });

  test("and what the machine answered since it was given, apart from what it answered before", () => {
    expect(report.sinceCertified).toMatchObject({ of: 299, part: expect.any(Number) });
    expect(report.sentences.coverage.en).toMatch(
      / Since it was certified the machine answered \d+(\.\d)?% of 299\.$/,
    );
  });

  test("a void one says why and since when, and what holds instead", () => {
    const id = answerCertificate(input.trust)?.certificate.id ?? "";
    const trust = input.trust && withVoid(input.trust, id, { reason: "error-alarm", at: 1_796_000_000_000 });
    const { standing, sentences, forecast } = trustReport({ ...input, trust });
    expect(standing).toMatchObject({ kind: "void", why: "error-alarm", threshold: 0.9 });
    expect(sentences.standing.en).toMatch(
      /^The certificate of 2026-11-29 does not count since 2026-11-30: audits found too many errors\. The machine answers where its confidence reaches 90%, uncertified; blind checks of 2,155 such answers found 26 wrong/,
    );
    expect(forecast.kind).toBe("reachable");
  });

  test("another judge than the certified one: the certificate does not count", () => {
    const other = { ...judge, fingerprint: "0000", parts: { ...judge.parts, model: "judge-8b" } };
    const { standing, watch } = trustReport({ ...input, judge: other });
    expect(standing).toMatchObject({ kind: "void", why: "fingerprint-changed", since: null });
    expect(watch?.alarm?.kind).toBe("fingerprint-changed");
  });

  test("nothing: people see everything where the task asks for it, else the threshold is named and no promise made", () => {
    const none = { ...input, trust: null, watch: null };
    expect(trustReport(none).sentences.standing.en).toMatch(/^Nothing is proven .* at most 1\.7%, as far/);
    const strict = trustReport({ ...none, template: template({ uncertified: "review" }) });
    expect(strict.standing).toEqual({ kind: "none", threshold: null });
    expect(strict.sentences.standing.zh).toBe("本任务的机器答案尚未得到任何证明。所有样本都由人审。");
  });

  test("an empty task makes an honest, empty report", () => {
    const empty = trustReport({ ...input, samples: [], trust: null, watch: null, judge: null });
    expect(empty).toMatchObject({
      ...{ window: null, acceptedError: null, strata: [], judge: null },
      riskCurve: { points: [], labels: 0 },
      reliability: { raw: null, calibrated: null },
      forecast: { kind: "unknown", labels: 0, needed: 30 },
    });
    expect(empty.sentences.coverage.en).toBe("There are no valid samples in this window.");
  });

  test("all of it survives JSON as it is", () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });
});

describe("the risk-coverage curve", () => {
  test("has the certificate's own tests on it: same thresholds, checks and errors", () => {
    const samples = simulatedSamples(4_000, 0.93).map((sample, index) => ({
      ...sample,
      likeness: `own-${index}`,
    }));
    const judged = samples.filter(({ decision }) => decision !== "invalid");
    const { points } = riskCurve(samples, 0.05);
    const { tests } = certify({
      ...{ alpha: 0.2, delta: 0.05, grid: coverageGrid, starts: sequenceStarts },
      pool: judged.map(({ calibrated }) => calibrated),
      audits: judged.flatMap(({ drawn, isRight, calibrated }) =>
        drawn === null || isRight === null ? [] : [{ confidence: calibrated, error: !isRight }],
      ),
    });
    for (const { tau, n, k, coverage } of tests)
      expect(points).toContainEqual(expect.objectContaining({ tau, n, k, coverage: coverage.pool }));
  });

  test("bounds are exact, ties are accepted together, and what people were sent does not count", () => {
    const samples = [
      ...many(97, () => audited(true, { raw: 0.9 })),
      ...many(3, () => audited(false, { raw: 0.9 })),
      ...many(100, () => reviewed({ raw: 0.5, isRight: false, isChecked: true })),
    ];
    const { points, labels, pool } = riskCurve(samples, 0.05);
    expect([labels, pool]).toEqual([100, 200]);
    expect(points.map(({ coverage, tau, n, k }) => [coverage, tau, n, k])).toEqual([
      [0.5, 0.9, 100, 3],
      [1, 0.5, 100, 3],
    ]);
    expect(points[0]?.bound).toBeCloseTo(0.0757107937, 9);
  });

  test("near copies are one check; exact answers are no judge's; answers without confidence are never reached", () => {
    const samples = [
      ...many(50, () => audited(true, { likeness: "same" })),
      ...many(10, () => audited(true)),
      ...many(20, () => accepted({ vouchedBy: "exact", raw: null })),
      ...many(40, () => reviewed({ raw: null })),
    ];
    const { points, labels, pool } = riskCurve(samples, 0.05);
    expect([labels, pool, points.at(-1)?.coverage, points.at(-1)?.n]).toEqual([11, 100, 0.6, 11]);
  });
});

describe("reliability", () => {
  test("weighs an audit for all that were not drawn, and shows calibrated figures on unseen labels only", () => {
    const { raw, calibrated } = reliability(
      [
        ...many(10, (index) => audited(index > 0, { raw: 0.95, calibrated: 0.9, drawn: "certify" })),
        ...many(10, () => audited(true, { raw: 0.95, calibrated: 0.9, drawn: "fit" })),
        ...many(30, (index) =>
          reviewed({ raw: 0.55, calibrated: 0.6, isRight: index < 15, isChecked: true }),
        ),
      ],
      0.1,
    );
    expect(raw?.bins.map(({ from, labels }) => [from, labels])).toEqual([
      [0.5, 30],
      [0.9, 20],
    ]);
    expect(raw?.bins[0]?.share).toBeCloseTo(30 / 230, 9);
    expect(raw?.bins[1]?.accuracy).toBeCloseTo(0.95, 9);
    expect(raw?.ece).toBeCloseTo((30 / 230) * 0.05, 9);
    expect(calibrated).toMatchObject({ labels: 10, bins: [{ labels: 10, share: 1 }] });
    expect(calibrated?.bins[0]?.accuracy).toBeCloseTo(0.9, 9);
    // Wilson, 9 of 10.
    expect(calibrated?.bins[0]?.low).toBeCloseTo(0.595849973, 8);
  });
});

describe("what the target would take", () => {
  const curve = (n: number, k: number, coverage = 1) => ({
    points: [0.5, 0.9, 0.97, coverage].map((at) => ({
      ...{ coverage: at, tau: 1 - at, n, k, risk: k / n, bound: 1 },
    })),
    ...{ delta: 0.05, labels: n, pool: 1_000 },
  });
  const ask = (part: Partial<ForecastInput> = {}) =>
    auditForecast({
      ...{ target: 0.97, alpha: 0.03, delta: 0.05, curve: curve(1_000, 10), certified: null, usable: 100 },
      ...{ certifyingShare: 0.6, auditsPerDay: 20, price: { minutes: 3, perHour: 60, currency: "CNY" } },
      ...part,
    });

  test("audits, hours, money and days follow from each other", () => {
    const found = ask();
    if (found.kind !== "reachable") throw new Error(found.kind);
    expect(found.missing).toBe(Math.ceil((found.needed - 100) / 0.6));
    expect(found.hours).toBeCloseTo((found.missing * 3) / 60, 9);
    expect(found.cost).toBeCloseTo(found.hours * 60, 9);
    expect(found.days).toBeCloseTo(found.missing / 20, 9);
    expect(found.needed).toBeGreaterThan(300);
    expect(found.needed).toBeLessThan(1_000);
  });

  test("a promise kept: that many audits certify the target in about four of five tries", () => {
    const found = ask({ usable: 0 });
    if (found.kind !== "reachable") throw new Error(found.kind);
    const error = found.hardest.error;
    let seed = 3;
    const next = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    let passed = 0;
    for (let attempt = 0; attempt < 100; attempt += 1) {
      // The audits above the threshold are 97 % of the stream.
      const audits = Array.from({ length: Math.round(found.needed / 0.97) }, () => ({
        confidence: next(),
        error: next() < error,
      }));
      const pool = Array.from({ length: 1_000 }, (_, index) => index / 1_000);
      const plan = { alpha: 0.03, delta: 0.05, grid: coverageGrid, starts: sequenceStarts, pool, audits };
      passed += Number((certify(plan).proof?.coverage.grid ?? 0) >= 0.97);
    }
    expect(passed).toBeGreaterThanOrEqual(60);
  });

  test.each<[string, Partial<ForecastInput>, object]>([
    ["already certified", { certified: 0.975 }, { kind: "reached", target: 0.97 }],
    ["too little known", { curve: curve(29, 0) }, { kind: "unknown", labels: 29, needed: 30 }],
    ["too wrong", { curve: curve(1_000, 40) }, { kind: "out-of-reach", alpha: 0.03 }],
    ["nothing measured", { curve: { ...curve(100, 1), points: [] } }, { kind: "unmeasured", measured: 0 }],
    [
      "no price",
      { price: { minutes: 3, perHour: null, currency: "CNY" } },
      { kind: "reachable", cost: null },
    ],
    ["traffic unknown", { auditsPerDay: null }, { kind: "reachable", days: null }],
    ["enough there", { usable: 5_000 }, { kind: "reachable", missing: 0, cost: 0 }],
  ])("%s", (_, part, expected) => {
    expect(ask(part)).toMatchObject(expected);
  });

  test("the next certification pays for those before it", () => {
    const trust = certifiedTrust(input.samples, input.template);
    const later = trustReport({ ...input, trust: { ...trust, certifications: 3 } });
    expect(spentDelta(0.05, 4)).toBeLessThan(spentDelta(0.05, 2));
    const needed = [report, later].map(({ forecast }) =>
      forecast.kind === "reachable" ? forecast.needed : 0,
    );
    expect(needed[1]).toBeGreaterThan(needed[0] ?? 0);
  });
});
