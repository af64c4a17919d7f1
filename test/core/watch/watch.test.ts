/** The watch over a certificate: what counts once, what raises an alarm, and that an alarm stays. */
import { judgeWatch } from "@touchstone/core/domain/watch/judge-watch";
import { nothingRemembered, remember } from "@touchstone/core/domain/watch/remember";
import { stabilityIndex } from "@touchstone/core/domain/watch/stability-index";
import {
  newWatch,
  type TrafficSlice,
  withAudit,
  withCanary,
  withTraffic,
} from "@touchstone/core/domain/watch/watch";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import { type Watch, watchSchema } from "@touchstone/core/schema/watch";
import { describe, expect, test } from "vitest";

/** Evenly spread from `low` to `high`. */
const spread = (low: number, high: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => low + ((high - low) * (index + 0.5)) / count);

const start: Watch = newWatch({
  task: taskIdSchema.parse("shop-dialogue"),
  certificate: "cert-1",
  fingerprint: "aaaa",
  ...{ n: 600, k: 6, alpha: 0.03, coverage: 0.9 },
  confidences: spread(0.5, 1, 2_000),
  at: 1_000,
});

const slice = (id: string, part: Partial<TrafficSlice> = {}): TrafficSlice => ({
  id,
  confidences: spread(0.5, 1, 1_000),
  judged: 1_000,
  missing: 0,
  accepted: 900,
  at: 2_000,
  ...part,
});

const audited = (watch: Watch, errors: readonly boolean[], from = 0): Watch =>
  errors.reduce(
    (now, isError, index) =>
      withAudit(now, { reviewId: `r${from + index}`, isError, at: 2_000 + from + index }),
    watch,
  );

describe("an audit", () => {
  test("raises the score when it finds an error, and counts once however often it is delivered", () => {
    const once = audited(start, [true, false]);
    expect(once.audits).toMatchObject({ count: 2, errors: 1 });
    expect(audited(once, [true, false])).toBe(once);
    expect(once.version).toBe(2);
  });

  test("of a hundred errors among many raises the alarm, which a good time afterwards does not end", () => {
    const bad = audited(
      start,
      Array.from({ length: 40 }, (_, index) => index % 5 === 0),
    );
    expect(bad.alarm).toMatchObject({
      kind: "error-alarm",
      detail: expect.stringMatching(/^CUSUM \d\.\d\d ≥ \d\.\d\d \(\d \/ \d+\)$/),
    });
    const later = audited(
      bad,
      Array.from({ length: 500 }, () => false),
      40,
    );
    expect(later.audits.score).toBe(0);
    expect(judgeWatch(later, "aaaa").alarm).toEqual(bad.alarm);
  });

  test("that finds nothing leaves the certificate alone, and so do errors as rare as certified", () => {
    const good = audited(
      start,
      Array.from({ length: 800 }, (_, index) => index % 95 === 94),
    );
    expect(judgeWatch(good, "aaaa")).toEqual({ alarm: null, concerns: [] });
  });

  test("that was forgotten counts no second time: old ones are taken for known", () => {
    const many = audited(
      start,
      Array.from({ length: 1_100 }, () => false),
    );
    expect(many.audits.remembered.seen).toHaveLength(1_000);
    const again = audited(many, [true]);
    expect(again.audits).toMatchObject({ count: 1_100, errors: 0, remembered: { late: 1 } });
    expect(judgeWatch(again, "aaaa").concerns).toEqual([{ kind: "audits-late", detail: "1" }]);
  });
});

describe("traffic", () => {
  test("like the certified one is no news, and counts once", () => {
    const watch = withTraffic(start, slice("a"));
    expect(judgeWatch(watch, "aaaa")).toEqual({ alarm: null, concerns: [] });
    expect(watch.traffic).toMatchObject({ judged: 1_000, missing: 0 });
    expect(withTraffic(watch, slice("a"))).toBe(watch);
  });

  test.each<[string, Partial<TrafficSlice>, string | null, readonly string[]]>([
    ["a little less sure", { confidences: spread(0.44, 0.98, 1_000) }, null, ["confidence-drift"]],
    ["far less sure", { confidences: spread(0.2, 0.9, 1_000) }, "confidence-drift", ["confidence-drift"]],
    ["too few to tell", { confidences: spread(0.2, 0.9, 300), judged: 300, accepted: 0 }, null, []],
    ["accepts fewer", { accepted: 500 }, null, ["accept-rate"]],
    ["1 % without logprobs", { missing: 10 }, null, []],
    ["more than that", { missing: 11 }, "missing-logprobs", []],
    ["few of them", { judged: 150, confidences: [], accepted: 130, missing: 150 }, null, []],
  ])("%s", (_, part, alarm, concerns) => {
    const watch = withTraffic(start, slice("a", part));
    const judged = judgeWatch(watch, "aaaa");
    expect([judged.alarm?.kind ?? null, judged.concerns.map(({ kind }) => kind)]).toEqual([alarm, concerns]);
    expect(watch.alarm?.at ?? null).toBe(alarm === null ? null : 2_000);
  });

  test("fades: what was true for one half-life weighs half after another", () => {
    const two = withTraffic(
      withTraffic(start, slice("a", { judged: 2_000, accepted: 0 })),
      slice("b", { judged: 2_000, accepted: 2_000 }),
    );
    expect(two.traffic.judged).toBeCloseTo(3_000);
    expect(two.traffic.acceptRate).toBeCloseTo(0.45 / 2 + 0.5);
    const none = withTraffic(start, slice("c", { judged: 0, accepted: 0, confidences: [] }));
    expect(none.traffic.acceptRate).toBe(0.9);
  });
});

test("a judge that is nearly always sure does not drift by rounding, nor in its fourth digit", () => {
  const sure = (low: number, high: number) => [...spread(0.6, 0.99, 600), ...spread(low, high, 1_400)];
  const watch = newWatch({
    ...{
      task: start.task,
      certificate: "cert-1",
      fingerprint: "aaaa",
      n: 600,
      k: 6,
      alpha: 0.03,
      coverage: 0.9,
    },
    ...{ confidences: sure(0.9991, 0.99996), at: 1_000 },
  });
  const rounded = sure(0.9991, 0.99996).map((confidence) => Math.round(confidence * 1e4) / 1e4);
  for (const confidences of [rounded, sure(0.9993, 0.9999)]) {
    const { traffic } = withTraffic(watch, slice("a", { confidences }));
    expect(stabilityIndex(traffic.reference, traffic.recent)).toBeLessThan(0.001);
  }
  const unsure = withTraffic(watch, slice("b", { confidences: sure(0.9, 0.97) }));
  expect(unsure.alarm?.kind).toBe("confidence-drift");
});

describe("canaries", () => {
  test.each([
    [2, 3, null],
    [5, 0, null],
    [6, 0, "canary-flips"],
    [0, 12, null],
    [15, 5, "canary-flips"],
  ])("%d broke and %d mended: %s", (broke, mended, alarm) => {
    const watch = withCanary(start, { samples: 200, broke, mended, at: 3_000 });
    expect(watch.alarm?.kind ?? null).toBe(alarm);
  });

  test("an older replay than the newest changes nothing", () => {
    const watch = withCanary(start, { samples: 200, broke: 0, mended: 0, at: 3_000 });
    expect(withCanary(watch, { samples: 200, broke: 20, mended: 0, at: 2_999 })).toBe(watch);
  });
});

test("another judge than the certified one is an alarm", () => {
  expect(judgeWatch(start, "bbbb").alarm).toEqual({
    kind: "fingerprint-changed",
    detail: "aaaa → bbbb",
  });
});

test("the record survives JSON at any stage, and stays far below an item's 400 KB", () => {
  const watch = withCanary(
    withTraffic(
      audited(
        start,
        Array.from({ length: 1_000 }, (_, index) => index % 3 === 0),
      ),
      slice("a"),
    ),
    { samples: 200, broke: 9, mended: 1, at: 9_000 },
  );
  const text = JSON.stringify(watch);
  expect(watchSchema.parse(JSON.parse(text))).toEqual(watch);
  expect(text.length).toBeLessThan(60_000);
});

test("the memory forgets the oldest first, all of one moment at once", () => {
  const events = [5, 5, 6, 7].map((at, index) => ({ id: String(index), at }));
  const memory = events.reduce((now, event) => remember(now, event, 3).memory, nothingRemembered);
  expect(memory.seen.map(([, at]) => at)).toEqual([6, 7]);
  expect(memory.until).toBe(5);
});
