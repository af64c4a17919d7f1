/** Rules of the review hop: what a verdict must hold, and what a person may see. */
import {
  hintOf,
  reviewIdOf,
  shownToReviewer,
  verdictFault,
  verdictMessageOf,
} from "@touchstone/core/domain/review/answer-review";
import { hintDue, verdictDue } from "@touchstone/core/domain/review/say-again";
import { verdictMessageSchema } from "@touchstone/core/schema/messages";
import { reviewHintSchema } from "@touchstone/core/schema/review";
import { fieldSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { reviewTask, sampleKey, verdict } from "../../contract/records.ts";

const labels = [
  { code: "Y", name: "yes" },
  { code: "N", name: "no" },
];
const fields = [
  { kind: "label", id: "ok", title: "ok", labels },
  { kind: "ordinal", id: "grade", title: "grade", labels },
  { kind: "labels", id: "tags", title: "tags", labels },
  { kind: "text", id: "remark", title: "remark", maxLength: 4 },
  { kind: "list", id: "files", title: "files", of: "deliverables", maxItems: 2 },
  { kind: "label", id: "constructor", title: "a name that objects inherit", labels },
].map((field) => fieldSchema.parse(field));

describe("verdictFault", () => {
  test.each([
    ["all fits", { ok: "Y", grade: "N", tags: ["Y", "N"], remark: "好", files: ["a"] }, ["ok", "tags"], null],
    ["no tags at all", { ok: "Y", tags: [] }, ["ok", "tags"], null],
    ["a question without answer", { ok: "Y" }, ["ok", "tags"], 'the question "tags" has no answer'],
    [
      "a question named like an inherited property",
      { ok: "Y" },
      ["constructor"],
      'the question "constructor" has no answer',
    ],
    ["a code that is not allowed", { ok: "maybe" }, ["ok"], '"ok" must be one of Y, N'],
    ["a number for a code", { grade: 1 }, [], '"grade" must be one of Y, N'],
    ["one code for a list", { tags: "Y" }, [], '"tags" must be a list of Y, N'],
    ["a foreign code in a list", { tags: ["Y", "Z"] }, [], '"tags" must be a list of Y, N'],
    ["too much text", { remark: "四个字多" + "一" }, [], '"remark" must be text of at most 4 characters'],
    ["too many ids", { files: ["a", "b", "c"] }, [], '"files" must be a list of at most 2 ids'],
    ["a field nobody has", { other: "Y" }, [], 'there is no field "other"'],
  ])("%s", (_, values, questions, expected) => {
    expect(verdictFault(values, questions, fields)).toBe(expected);
  });

  test("a sample that no template took is answered in the reviewer's own words", () => {
    expect(verdictFault({ anything: "goes" }, [], [])).toBeNull();
  });
});

describe("what a person sees", () => {
  const full = reviewTask({
    prefill: [{ id: "ok", value: "Y", confidence: { source: "logprob", raw: 0.9, calibrated: null } }],
    explanation: "because",
    evidence: [{ quote: "q", found: true }],
  });

  test("a review is pre-filled", () => {
    expect(shownToReviewer(full)).toEqual(full);
  });

  test("an audit shows nothing of the machine's answer", () => {
    const shown = shownToReviewer({ ...full, kind: "audit" });
    expect(shown).toMatchObject({
      prefill: [],
      reasons: [],
      payload: full.payload,
      questions: full.questions,
    });
    expect(JSON.stringify(shown)).not.toMatch(/because|low-confidence|"quote"/);
  });

  test("the hint carries nothing of the sample", () => {
    const hint = hintOf(full);
    expect(reviewHintSchema.parse(hint)).toEqual(hint);
    expect(JSON.stringify(hint)).not.toContain("答");
  });
});

test("ids and messages of a review name the sample", () => {
  const key = sampleKey(7);
  expect(reviewIdOf(key, "audit")).toBe(`${key.batch}#1#0#7#audit`);
  const message = verdictMessageOf(reviewTask({ key, kind: "audit" }), verdict());
  expect(message).toMatchObject({ key, review: "audit", kind: "verdict" });
  expect(verdictMessageSchema.parse(message)).toEqual(message);
});

test("the hint of an open task is repeated once in twelve days, also if one sweep fails", () => {
  const [every, period] = [12 * 86_400, 300];
  const ages = Array.from({ length: (60 * 86_400) / period }, (_, turn) => turn * period * 1000 + 123_456);
  const due = ages.filter((age) => hintDue(age, every, period));
  expect(due).toHaveLength(2 * 4);
  expect(due[0]).toBeGreaterThanOrEqual(every * 1000);
  const withoutEveryThird = ages
    .filter((_, turn) => turn % 3 !== 0)
    .filter((age) => hintDue(age, every, period));
  expect(new Set(withoutEveryThird.map((age) => Math.floor(age / (every * 1000)))).size).toBe(4);
});

test("a verdict that nobody hears is said again at doubling intervals, each time by two sweeps", () => {
  const [first, period] = [900, 300];
  const minutes = Array.from({ length: (24 * 3600) / period }, (_, turn) => turn * 5 + 1);
  expect(minutes.filter((age) => verdictDue(age * 60_000, first, period))).toEqual(
    [15, 30, 60, 120, 240, 480, 960].flatMap((age) => [age + 1, age + 6]),
  );
});
