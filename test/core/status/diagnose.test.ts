/** The diagnosis, rule by rule: what is said, what is not said, and in which order. */

import { noCounts } from "@touchstone/core/domain/ledger/split";
import { newBreaker } from "@touchstone/core/domain/pressure/breaker";
import { diagnose } from "@touchstone/core/domain/status/diagnose";
import { durationText } from "@touchstone/core/domain/status/duration-text";
import type { BatchFacts, QueueFacts, StatusFacts } from "@touchstone/core/domain/status/facts";
import { queueNames } from "@touchstone/core/pipeline";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { batchRecord, taskId } from "../../contract/records.ts";

const now = 1_764_424_800_000;
const minute = 60_000;
const empty: QueueFacts = { waiting: 0, inFlight: 0, delayed: 0, dead: 0 };
const queues = (part: Partial<StatusFacts["queues"]> = {}): StatusFacts["queues"] => ({
  ...{ uploads: empty, describe: empty, score: empty, settle: empty, review: empty, learn: empty },
  ...part,
});
const facts = (part: Partial<StatusFacts> = {}): StatusFacts => ({
  ...{
    now,
    timing: timing(),
    queues: queues(),
    looseFiles: [],
    templates: [],
    batches: [],
    trust: [],
    watches: [],
  },
  ...{ breakers: [], budgets: [] },
  ...part,
});
const sealed = { splits: 1, samples: 10, at: now - minute };
const batch = (part: Partial<BatchFacts> = {}, record: Partial<BatchRecord> = {}): BatchFacts => ({
  record: batchRecord({ openedAt: now - 2 * minute, arrivedAt: now - 2 * minute, sealed, ...record }),
  counts: { ...noCounts(), total: 10, machine: 4 },
  undecided: 6,
  samples: { untouched: 6, leased: 0, putBack: 0, failed: 0 },
  hasSource: true,
  fileResends: { count: 0, lastAt: 0 },
  splitResends: { count: 0, lastAt: 0 },
  unrouted: 0,
  ...{ hasMedia: false, missingMedia: [], mediaUntil: null },
  ...part,
});
const codes = (given: StatusFacts): readonly string[] =>
  diagnose(given).map(({ code, severity }) => `${severity} ${code}`);
const queued = (waiting: number, inFlight = 0, delayed = 0): QueueFacts => ({
  waiting,
  inFlight,
  delayed,
  dead: 0,
});
const held = {
  ...newBreaker("judge"),
  state: "open" as const,
  openedAt: now - minute,
  probeAt: now + minute,
  reason: "timed-out",
};

describe("one batch", () => {
  test.each<[string, Partial<BatchFacts>, Partial<BatchRecord>, Partial<StatusFacts["queues"]>, string[]]>([
    ["is being scored", {}, {}, { score: queued(3, 3) }, ["moving working"]],
    ["has nothing on its way", {}, {}, {}, ["waiting quiet"]],
    ["has fewer messages than samples", {}, {}, { score: queued(2, 1) }, ["waiting quiet"]],
    [
      "has few messages, and somebody at work",
      { samples: { untouched: 5, leased: 1, putBack: 0, failed: 0 } },
      {},
      { score: queued(2, 1) },
      ["moving working"],
    ],
    ["was just sealed, and nobody has begun", {}, {}, { score: queued(6) }, ["moving working"]],
    [
      "waits for workers that do not come",
      {},
      { sealed: { ...sealed, at: now - 3 * minute } },
      { score: queued(6) },
      ["blocked not-polled"],
    ],
    [
      "is held by workers that say nothing",
      {},
      { sealed: { ...sealed, at: now - 3 * minute } },
      { score: queued(0, 6) },
      ["moving in-flight"],
    ],
    [
      "is put off",
      { samples: { untouched: 0, leased: 0, putBack: 6, failed: 0 } },
      {},
      { score: queued(0, 0, 6) },
      ["waiting endpoint-throttled"],
    ],
    [
      "fails",
      { samples: { untouched: 0, leased: 0, putBack: 2, failed: 4 } },
      {},
      { score: queued(0, 0, 6) },
      ["blocked endpoint-failing"],
    ],
    [
      "has pictures that are put off",
      { hasMedia: true },
      {},
      { describe: queued(0, 0, 6) },
      ["waiting endpoint-throttled"],
    ],
    [
      "has no pictures, and those of others are put off",
      {},
      {},
      { describe: queued(0, 0, 6) },
      ["moving working"],
    ],
    [
      "waits for pictures",
      { hasMedia: true, missingMedia: [{ ref: "a.png", line: 3 }], mediaUntil: now + minute },
      {},
      { describe: queued(0, 0, 6) },
      ["waiting media-awaited"],
    ],
    [
      "no longer waits for pictures",
      { hasMedia: true, missingMedia: [{ ref: "a.png", line: 3 }], mediaUntil: now - 1 },
      {},
      { describe: queued(2, 4) },
      ["moving working"],
    ],
    ["is being read", { undecided: 0 }, { sealed: undefined }, {}, ["moving working"]],
    [
      "was being read",
      { undecided: 0 },
      { sealed: undefined, openedAt: now - 16 * minute },
      {},
      ["waiting intake-stopped"],
    ],
    [
      "is being read again",
      { undecided: 0, fileResends: { count: 1, lastAt: now - minute } },
      { sealed: undefined, openedAt: now - 16 * minute },
      {},
      ["moving working"],
    ],
    [
      "was read in vain five times",
      { undecided: 0, fileResends: { count: 5, lastAt: now - 20 * minute } },
      { sealed: undefined, openedAt: now - 900 * minute },
      {},
      ["blocked intake-stopped"],
    ],
    [
      "is decided and open",
      { undecided: 0, counts: { ...noCounts(), total: 10, machine: 8, review: 2 } },
      { decidedAt: now },
      {},
      ["waiting waiting-for-people"],
    ],
    [
      "is final",
      { undecided: 0, counts: { ...noCounts(), total: 10, machine: 10 } },
      { decidedAt: now, finalAt: now },
      {},
      ["moving idle"],
    ],
    [
      "is complete and not closed",
      { undecided: 0, counts: { ...noCounts(), total: 10, machine: 10 } },
      {},
      {},
      ["waiting not-closed"],
    ],
    [
      "was taken by no template",
      { undecided: 0, unrouted: 2, counts: { ...noCounts(), total: 10, review: 10 } },
      { decidedAt: now },
      {},
      ["blocked template-missing", "waiting waiting-for-people"],
    ],
    ["has lost its file", { hasSource: false }, {}, { score: queued(3, 3) }, ["blocked source-gone"]],
    [
      "was damaged",
      { undecided: 0, counts: { ...noCounts(), total: 10, machine: 10 } },
      { fault: "cut off", decidedAt: now, finalAt: now },
      {},
      ["waiting file-damaged"],
    ],
  ])("%s", (_, part, record, some, expected) => {
    expect(codes(facts({ batches: [batch(part, record)], queues: queues(some) }))).toEqual(expected);
  });

  test("a word on when SWEEP comes, and on the last try", () => {
    const [first] = diagnose(facts({ batches: [batch()] }));
    expect(first?.text.en).toMatch(/6 samples have gone quiet.* within 19 min \(0 of 5 tries are used\)/);
    expect(first?.text.zh).toMatch(/19 分钟内重新发送（已用 0\/5 次）/);
    const [last] = diagnose(facts({ batches: [batch({ splitResends: { count: 5, lastAt: now } })] }));
    expect(last?.text.en).toMatch(/sent 5 times without an outcome, and end as lost within 8 h/);
  });

  test("a template that came since is told apart from one that is missing and one that is broken", () => {
    const it = batch({ undecided: 0, unrouted: 2 }, { decidedAt: now });
    const told = (template: StatusFacts["templates"][number]) =>
      diagnose(facts({ batches: [it], templates: [template] })).map(({ text }) => text.en);
    expect(told({ task: "dialogue", state: "missing" })[0]).toMatch(/There is no template for dialogue/);
    expect(told({ task: "dialogue", state: "present" })[0]).toMatch(/dialogue has a template now: replay/);
    expect(told({ task: "dialogue", state: "broken", message: "line 3, fields: no" })).toEqual([
      expect.stringMatching(/The template of dialogue is broken.*: line 3, fields: no/),
    ]);
  });
});

describe("the deployment", () => {
  test("a file that just came is nobody's fault yet", () => {
    const looseFiles = [{ key: "inbox/a/b/s.jsonl", modifiedAt: now - 30_000 }];
    expect(codes(facts({ looseFiles }))).toEqual(["moving idle"]);
    expect(codes(facts({ looseFiles, now: now + minute }))).toEqual(["blocked not-taken-in"]);
    expect(codes(facts({ looseFiles, now: now + minute, queues: queues({ uploads: queued(1) }) }))).toEqual([
      "waiting not-taken-in",
    ]);
  });

  test("dead letters of every queue are told one by one", () => {
    const dead = Object.fromEntries(queueNames.map((name, at) => [name, { ...empty, dead: at }]));
    const told = diagnose(facts({ queues: queues(dead) }));
    expect(told.map(({ text }) => /redrive (\w+)$/.exec(text.en)?.[1])).toEqual(queueNames.slice(1));
  });

  test("an open breaker or a spent budget says it all for the samples that come back", () => {
    const it = batch({ samples: { untouched: 0, leased: 0, putBack: 6, failed: 0 } });
    const on = { batches: [it], queues: queues({ score: queued(0, 0, 6) }) };
    expect(codes(facts({ ...on, breakers: [held] }))).toEqual(["blocked endpoint-held", "moving working"]);
    const { batch: id, run } = it.record;
    const budget = { ...{ batch: id, run, task: taskId(), limit: 5, left: 0 }, resumedAt: null };
    expect(codes(facts({ ...on, budgets: [budget] }))).toEqual(["blocked budget-spent", "moving working"]);
    expect(codes(facts({ ...on, budgets: [{ ...budget, left: 1 }] }))).toEqual([
      "waiting endpoint-throttled",
    ]);
    expect(codes(facts({ batches: [it], breakers: [held] }))).toContain("waiting quiet");
  });

  test("the worst comes first, and both languages say it", () => {
    const told = diagnose(
      facts({
        batches: [batch({}, { decidedAt: undefined }), batch({ hasSource: false })],
        queues: queues({ uploads: { ...empty, dead: 1 } }),
        breakers: [held],
      }),
    );
    expect(told.map(({ code }) => code)).toEqual([
      "source-gone",
      "dead-letters",
      "endpoint-held",
      "quiet",
      "quiet",
    ]);
    for (const { text } of told) {
      expect(text.zh).toMatch(/[\u4e00-\u9fff]/);
      expect(text.en).not.toMatch(/undefined|NaN/);
      expect(text.zh).not.toMatch(/undefined|NaN/);
    }
  });
});

test.each([
  [0, "1 s", "1 秒"],
  [119_400, "119 s", "119 秒"],
  [120_000, "2 min", "2 分钟"],
  [3_599_000, "60 min", "60 分钟"],
  [5 * 3_600_000, "5 h", "5 小时"],
  [47 * 3_600_000, "47 h", "47 小时"],
  [72 * 3_600_000, "3 d", "3 天"],
])("%i ms are %s", (milliseconds, en, zh) => {
  expect(durationText(milliseconds)).toEqual({ en, zh });
});
