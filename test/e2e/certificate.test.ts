/** From people's verdicts to certified answers, and back once audits find errors: on the embedded AWS, by command line and API. */
import { setTimeout } from "node:timers/promises";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { Result } from "@touchstone/core/schema/result";
import { claimedReviewSchema } from "@touchstone/core/schema/review-api";
import { timing } from "@touchstone/core/timing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPipeline, startEmbeddedPipeline } from "./embedded-pipeline.ts";
import { okTemplate } from "./ok-task.ts";
import { runIn } from "./run-in.ts";

let pipeline: EmbeddedPipeline;
beforeAll(async () => {
  // Time-outs as deployed, for a busy machine; only what functions remember gets old faster.
  pipeline = await startEmbeddedPipeline({ timeScale: 1, stack: { environment: { TIME_SCALE: "30" } } });
});
afterAll(() => pipeline?.stop());

const trustFreshMs = timing(30).trustFresh * 1000;
/** Everything is drawn, and nothing is accepted without a certificate. */
const template = okTemplate.replace(
  "decision: { provisionalThreshold: 0.9, auditRate: 0 }",
  "decision: { alpha: 0.3, delta: 0.1, auditRate: 1, uncertified: review }",
);
const submit = (name: string, sure: number, unsure: number): Promise<BatchId> => {
  const line = (index: number, word: string): string => {
    const id = `${name}-${index}`;
    return `${JSON.stringify({ id, output: `hello #${id}# ${word}` })}\n`;
  };
  const lines = Array.from({ length: sure + unsure }, (_, at) => line(at, at < sure ? "" : "(unsure)"));
  return pipeline.submit("ok", name, { "template.yaml": template, "samples.jsonl": lines.join("") });
};
const resultsOf = async (batch: BatchId, count: number): Promise<readonly Result[]> => {
  const keys = Array.from({ length: count }, (_, ordinal) => ({ batch, run: 1, split: 0, ordinal }));
  return (await pipeline.connection.samples.read(keys)).flatMap((stored) => stored?.result ?? []);
};

/** People answer until nothing is open, which they may have to wait for; returns the kinds of what they answered. */
const answer = async (
  reviewer: string,
  count: number,
  value: (text: string) => string,
): Promise<string[]> => {
  const kinds: string[] = [];
  const { reviewApi } = pipeline.connection;
  const person = async (): Promise<void> => {
    for (let idle = 0; kinds.length < count && idle < 100; ) {
      const claimed = await reviewApi("POST", "/v1/reviews/claim", { reviewer });
      if (claimed.status !== 200) {
        idle += 1;
        await setTimeout(50);
        continue;
      }
      const { task } = claimedReviewSchema.parse(claimed.body);
      const values = { ok: value(JSON.stringify(task.payload)) };
      await reviewApi("POST", "/v1/reviews/verdict", { reviewId: task.id, token: task.lease?.token, values });
      kinds.push(task.kind);
    }
  };
  await Promise.all(Array.from({ length: 4 }, person));
  return kinds;
};
const truth = (text: string): string => (text.includes("(unsure)") ? "N" : "Y");
const certificateState = async () =>
  (await pipeline.connection.trust.family("test")).certificates[0]?.certificate.state;

test("verdicts certify the judge, errors found by audits end it, and everybody is told", async () => {
  const first = await submit("start", 24, 6);
  await pipeline.until(first, ({ decided }) => decided);
  expect(await resultsOf(first, 30)).toMatchObject(
    Array.from({ length: 30 }, () => ({ decision: "review", reasons: expect.anything(), certified: false })),
  );
  expect(await answer("李雷", 30, truth)).toHaveLength(30);
  // Six disagree with the machine, and of the others some are drawn: somebody else looks again.
  const second = await answer("韩梅梅", 6, truth);
  expect(new Set(second)).toEqual(new Set(["adjudicate"]));
  await pipeline.until(first, ({ final }) => final);

  const { json: calibrated } = await runIn(pipeline, ["calibrate", "ok", "--json"], Date.now());
  expect(calibrated).toMatchObject({ calibration: { family: "test", choice: { reason: "too-few-labels" } } });
  const { json: certified } = await runIn(pipeline, ["certify", "ok", "--json"], Date.now());
  expect(certified).toMatchObject({
    ...{ kind: "tested", index: 1 },
    certificate: { id: "test#sample#1", k: 0, alpha: 0.3, coverage: { grid: 0.8 }, state: { kind: "valid" } },
  });
  const { json: again } = await runIn(pipeline, ["certify", "ok", "--json"], Date.now());
  expect(again).toMatchObject({ kind: "standing" });

  await setTimeout(trustFreshMs);
  const next = await submit("next", 4, 1);
  await pipeline.until(next, ({ decided }) => decided);
  expect(await resultsOf(next, 5)).toMatchObject([
    ...Array.from({ length: 4 }, () => ({
      ...{ decision: "machine", vouchedBy: "certificate", certified: true, audit: true },
      certificate: { id: "test#sample#1", covers: true },
    })),
    { decision: "review", certified: false, reasons: [{ code: "low-confidence" }] },
  ]);

  await answer("李雷", 5, () => "N");
  for (let tries = 0; (await certificateState())?.kind !== "void" && tries < 100; tries += 1)
    await setTimeout(50);
  expect(await certificateState()).toMatchObject({ kind: "void", reason: "error-alarm" });

  await setTimeout(trustFreshMs);
  const last = await submit("last", 2, 0);
  await pipeline.until(last, ({ decided }) => decided);
  expect(await resultsOf(last, 2)).toMatchObject(
    Array.from({ length: 2 }, () => ({
      ...{ decision: "review", certified: false },
      certificate: { id: "test#sample#1", covers: false, why: "error-alarm" },
      reasons: [{ code: "no-vouching-policy", detail: expect.stringContaining("error-alarm") }],
    })),
  );
  const { json: status, err } = await runIn(pipeline, ["status", "--all", "--json"], Date.now());
  expect(status).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ code: "certificate-void" })]),
    coverage: { ok: { valid: 37, lost: { "no-certificate": expect.closeTo(26 / 37, 5) } } },
  });
  expect(err).toContain("Certificate test#sample#1 is void: audits found too many errors");
  const sum = (metric: string): number => pipeline.stack.metrics.sum("Touchstone", metric, {});
  expect(["CertificatesVoided", "Certified", "LostNoCertificate", "LostLowConfidence"].map(sum)).toEqual([
    ...[1, 4, 26, 7],
  ]);
});
