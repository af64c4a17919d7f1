/** LEARN over the memory ports: audits and traffic watch a certificate, an alarm ends it, and results say so. */

import { verdictMessageOf } from "@touchstone/core/domain/review/answer-review";
import { withCertificates } from "@touchstone/core/domain/trust/family-trust";
import { newWatch } from "@touchstone/core/domain/watch/watch";
import type { ChatModel } from "@touchstone/core/ports";
import type { Result } from "@touchstone/core/schema/result";
import { describe, expect, test } from "vitest";
import { claimReview, giveVerdict } from "../../functions/review/review.ts";
import { taskId } from "../contract/records.ts";
import { certificate } from "../contract/trust-records.ts";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld, type World } from "./world.ts";

/** Answers as `readingJudge` does, and without probabilities where the prompt has `bare-mark`. */
const patchyJudge = (): ChatModel => {
  const whole = readingJudge();
  return {
    model: whole.model,
    async complete(request, signal) {
      const completion = await whole.complete(request, signal);
      if (!JSON.stringify(request.messages).includes("bare-mark")) return completion;
      return { ...completion, choices: completion.choices?.map(({ logprobs: _, ...choice }) => choice) };
    },
  };
};

const start = (part: object = {}): World => {
  const world = createWorld({ judge: patchyJudge(), captioner: plainCaptioner(), strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate({ decision: { auditRate: 1 }, ...part }));
  return world;
};

let files = 0;
/** Results of a file with these outputs, in their order. */
const judge = async (world: World, outputs: readonly string[]): Promise<readonly Result[]> => {
  files += 1;
  const lines = outputs.map((output, index) => JSON.stringify({ id: `s-${files}-${index}`, output }));
  const batch = await upload(world, `inbox/talk/day/${files}.jsonl`, jsonl(lines));
  await world.drain();
  const keys = outputs.map((_, ordinal) => ({ batch, run: 1, split: 0, ordinal }));
  const stored = await world.stores.samples.read(keys);
  return stored.flatMap((sample) => sample?.result ?? []);
};

/** Certifies the judge that has judged `result`, and begins its watch. */
const certifyJudge = async (world: World, { fingerprint, task }: Result, tau = 0.5): Promise<string> => {
  const parts = {
    model: "judge-1",
    quantisation: null,
    prompt: "v2",
    rubric: "v1 v",
    decoding: "",
    server: null,
  };
  const issuedAt = world.state.now;
  const given = {
    ...certificate({ tau, issuedAt }),
    ...{ family: "dialogue", id: "dialogue#sample#1" },
    tasks: { [task]: { fingerprint: fingerprint ?? "", parts } },
  };
  const confidences = Array.from({ length: 600 }, () => 0.99);
  const watch = newWatch({
    ...{ task: taskId(task), certificate: given.id, fingerprint: fingerprint ?? "", at: issuedAt },
    ...{ n: 300, k: 1, alpha: 0.03, coverage: 1, confidences },
  });
  await world.stores.trust.changeWatch(task, () => watch);
  await world.stores.trust.changeFamily("dialogue", (trust) =>
    withCertificates(trust, [{ certificate: given, calibration: null }]),
  );
  return given.id;
};

/** One person answers every open task with the same value; returns the kinds of what was answered. */
const answerAll = async (world: World, reviewer: string, value: string): Promise<readonly string[]> => {
  const kinds: string[] = [];
  for (;;) {
    const claimed = await claimReview({ reviewer }, world.reviewPorts());
    if (!claimed.ok) return kinds;
    const { task } = claimed.value;
    const values = Object.fromEntries(task.questions.map((id) => [id, value]));
    await giveVerdict({ reviewId: task.id, token: task.lease?.token ?? "", values }, world.reviewPorts());
    kinds.push(task.kind);
    await world.drain();
  }
};

const certificateOf = async (world: World) =>
  (await world.stores.trust.family("dialogue")).certificates[0]?.certificate;

describe("a certificate", () => {
  test("covers the next samples of its judge: certified, audited, and below tau a person's", async () => {
    const world = start();
    const [first] = await judge(world, ["x"]);
    expect(first).toMatchObject({
      decision: "machine",
      certified: false,
      vouchedBy: "provisional-threshold",
    });
    expect(first).not.toHaveProperty("certificate");
    const id = await certifyJudge(world, first as Result, 0.7);
    const [sure, unsure] = await judge(world, ["y", "unsure-mark"]);
    expect(sure).toMatchObject({
      ...{ decision: "machine", certified: true, vouchedBy: "certificate", audit: true },
      certificate: { id, covers: true },
      confidence: { raw: expect.closeTo(0.99, 5), calibrated: null },
    });
    expect(unsure).toMatchObject({ decision: "review", certified: false, certificate: { covers: true } });
  });

  test("is void once audits find too many errors; what comes then says so and falls back", async () => {
    const world = start();
    const [first] = await judge(world, ["x"]);
    const id = await certifyJudge(world, first as Result);
    await judge(world, ["a", "b", "c", "d"]);
    await answerAll(world, "李雷", "B");
    expect(world.voids).toEqual([`${id} error-alarm`]);
    expect((await certificateOf(world))?.state).toMatchObject({ kind: "void", reason: "error-alarm" });
    const [after] = await judge(world, ["e"]);
    expect(after).toMatchObject({
      ...{ decision: "machine", certified: false, vouchedBy: "provisional-threshold" },
      certificate: { id, covers: false, why: "error-alarm" },
    });
    world.stores.templates.put(
      talkTemplate({ version: 2, decision: { auditRate: 1, uncertified: "review" } }),
    );
    world.state.now += 10_000;
    const [strict] = await judge(world, ["f"]);
    expect(strict).toMatchObject({
      decision: "review",
      reasons: [{ code: "no-vouching-policy", detail: expect.stringContaining("error-alarm") }],
    });
  });

  test("stays where people agree, and every audit counts once however often it comes", async () => {
    const world = start();
    const [first] = await judge(world, ["x"]);
    await certifyJudge(world, first as Result);
    await judge(world, ["a", "b", "c"]);
    await answerAll(world, "李雷", "A");
    for (const batch of await Array.fromAsync(world.stores.ledger.allBatches())) {
      const task = await world.stores.reviews.get(`${batch.batch}#1#0#0#audit`);
      if (task?.verdict) world.queues.settle.push(verdictMessageOf(task, task.verdict));
    }
    await world.drain();
    const watch = await world.stores.trust.watch("talk");
    expect(watch?.audits).toMatchObject({ count: 3, errors: 0 });
    expect((await certificateOf(world))?.state).toEqual({ kind: "valid" });
  });

  test("is void once the template has changed, and not for a batch that was pinned before", async () => {
    const world = start();
    const [first] = await judge(world, ["x"]);
    const id = await certifyJudge(world, first as Result);
    world.stores.templates.put(talkTemplate({ version: 2, decision: { auditRate: 1 } }));
    world.state.now += 10_000;
    const [changed] = await judge(world, ["y"]);
    expect(changed).toMatchObject({
      ...{ certified: false, certificate: { id, covers: false, why: "fingerprint-changed" } },
    });
    expect(world.voids).toEqual([`${id} fingerprint-changed`]);
    expect((await world.stores.trust.watch("talk"))?.alarm?.kind).toBe("fingerprint-changed");
  });

  test("is void once too many answers come without probabilities, whatever they say", async () => {
    const world = start();
    const [first] = await judge(world, ["x"]);
    const id = await certifyJudge(world, first as Result);
    await judge(world, [
      ...Array.from({ length: 198 }, (_, index) => `t ${index}`),
      "bare-mark",
      "bare-mark too",
    ]);
    expect(world.voids).toEqual([]);
    await judge(world, ["bare-mark again"]);
    expect(world.voids).toEqual([`${id} missing-logprobs`]);
    expect((await world.stores.trust.watch("talk"))?.traffic.missing).toBeCloseTo(3, 1);
  });
});

describe("a second look", () => {
  test("is opened by a disagreement, is blind, and is not for who looked first", async () => {
    const world = start();
    await judge(world, ["x"]);
    expect(await answerAll(world, "李雷", "B")).toEqual(["audit"]);
    const [open] = await Array.fromAsync(world.stores.reviews.undecided());
    expect(open).toMatchObject({ kind: "adjudicate", notBy: ["李雷"], questions: ["ok"], prefill: [] });
    const named = await claimReview({ reviewer: "李雷", reviewId: open?.id }, world.reviewPorts());
    expect(named).toMatchObject({ ok: false, kind: "not-yours" });
    expect(await claimReview({ reviewer: "李雷" }, world.reviewPorts())).toMatchObject({
      kind: "nothing-open",
    });
    expect(await answerAll(world, "韩梅梅", "A")).toEqual(["adjudicate"]);
  });

  test("stands, also where the first verdict is delivered once more", async () => {
    const world = start();
    const [result] = await judge(world, ["x"]);
    const batch = (await Array.fromAsync(world.stores.ledger.allBatches()))[0]?.batch;
    if (!batch || !result) throw new Error("nothing was judged");
    const key = { batch, run: 1, split: 0, ordinal: 0 };
    await answerAll(world, "李雷", "B");
    await answerAll(world, "韩梅梅", "A");
    const audit = await world.stores.reviews.get(`${batch}#1#0#0#audit`);
    if (!audit?.verdict) throw new Error("the audit was not answered");
    const again = { kind: "verdict", schema: 1, key, task: "talk", review: "audit", verdict: audit.verdict };
    world.queues.settle.push(again);
    await world.drain();
    expect((await world.stores.samples.read([key]))[0]?.verdict).toMatchObject({ reviewer: "韩梅梅" });
    expect(await Array.fromAsync(world.stores.reviews.undecided())).toEqual([]);
  });

  test("is opened for some agreements too, drawn by the sample's id", async () => {
    const world = start();
    await judge(
      world,
      Array.from({ length: 60 }, (_, index) => `t ${index}`),
    );
    const kinds = await answerAll(world, "李雷", "A");
    expect(kinds).toHaveLength(60);
    const open = await Array.fromAsync(world.stores.reviews.undecided());
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(20);
  });
});

test("what is drawn below the threshold is asked blind as well, all of it", async () => {
  const world = start();
  const [unsure] = await judge(world, ["unsure-mark"]);
  expect(unsure).toMatchObject({ decision: "review", confidence: { raw: expect.closeTo(0.6, 5) } });
  const [task] = await Array.fromAsync(world.stores.reviews.undecided());
  expect(task).toMatchObject({ kind: "review", questions: ["ok"], prefill: [], reasons: [] });
});
