/** The small rules around a decision: agreement, audits, cross-field logic, media, reasons in words. */
import { agreementWith, sameValue } from "@touchstone/core/domain/decide/agreement";
import { isAudited } from "@touchstone/core/domain/decide/audit";
import { brokenRules } from "@touchstone/core/domain/decide/cross-field";
import { judgeFingerprint } from "@touchstone/core/domain/decide/fingerprint";
import { judgeMedia } from "@touchstone/core/domain/decide/media-policy";
import { promptDoubts } from "@touchstone/core/domain/decide/prompt-doubts";
import { answerFaultOf } from "@touchstone/core/domain/decide/readings";
import { languages, reasonText } from "@touchstone/core/domain/decide/reason-text";
import { faultRules } from "@touchstone/core/domain/describe/picture-fault";
import type { MediaProblem, PictureFault } from "@touchstone/core/schema/gist";
import { reasonCodes } from "@touchstone/core/schema/outcome";
import type { FieldResult } from "@touchstone/core/schema/result";
import type { FieldValue } from "@touchstone/core/schema/sample";
import { templateSchema } from "@touchstone/core/schema/template";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { taskId } from "../../contract/records.ts";

const answered = (id: string, value: FieldValue | null): FieldResult => ({
  id,
  value,
  confidence: { source: "none", raw: null, calibrated: null },
});

describe("agreement", () => {
  test.each([
    ["equal codes", "A", "A", true],
    ["other case is another code", "A", "a", false],
    ["a number and its text", 3, "3", true],
    ["lists in any order", ["a", "b"], ["b", "a"], true],
    ["a list that says more", ["a"], ["a", "b"], false],
    ["a list and one text", ["a"], "a", true],
    ["empty lists", [], [], true],
    ["an empty list and an empty text", [], "", false],
  ])("%s", (_, left, right, expected) => {
    expect(sameValue(left, right)).toBe(expected);
    expect(sameValue(right, left)).toBe(expected);
  });

  test("compares labelled and decided fields only", () => {
    const fields = [
      answered("a", "Y"),
      answered("b", null),
      answered("c", "N"),
      answered("constructor", "x"),
    ];
    expect(agreementWith({ a: "Y", b: "Y", d: "Y" }, fields)).toEqual({ a: true });
    expect(agreementWith({ a: "N", c: "N" }, fields)).toEqual({ a: false, c: true });
    expect(agreementWith({ b: "Y" }, fields)).toBeUndefined();
    expect(agreementWith(undefined, fields)).toBeUndefined();
  });
});

describe("audits", () => {
  const ids = Array.from({ length: 50_000 }, (_, index) => `sample-${index}`);

  test.each([0.02, 0.1, 0.5])("a fraction of about %d is drawn", (rate) => {
    const drawn = ids.filter((id) => isAudited(id, "task", rate)).length;
    const deviation = Math.sqrt(ids.length * rate * (1 - rate));
    expect(Math.abs(drawn - ids.length * rate)).toBeLessThan(4 * deviation);
  });

  test("none at 0, all at 1, and more at a higher rate never lets one go", () => {
    expect(ids.some((id) => isAudited(id, "task", 0))).toBe(false);
    expect(ids.every((id) => isAudited(id, "task", 1))).toBe(true);
    expect(ids.filter((id) => isAudited(id, "task", 0.02)).every((id) => isAudited(id, "task", 0.05))).toBe(
      true,
    );
  });

  test("depends on id and salt alone: neither on order nor on company", () => {
    const drawn = new Set(ids.filter((id) => isAudited(id, "task", 0.1)));
    expect(
      ids
        .toReversed()
        .filter((id) => isAudited(id, "task", 0.1))
        .every((id) => drawn.has(id)),
    ).toBe(true);
    const others = ids.filter((id) => isAudited(id, "other task", 0.1));
    const both = others.filter((id) => drawn.has(id)).length;
    // Two salts draw independently: about a tenth of a tenth is in both.
    expect(both / ids.length).toBeGreaterThan(0.007);
    expect(both / ids.length).toBeLessThan(0.013);
  });
});

describe("cross-field rules", () => {
  const rules = [
    {
      when: [
        { field: "a", in: ["x", "y"] },
        { field: "b", in: ["1"] },
      ],
      require: [{ field: "c", in: ["ok"] }],
      message: "c",
    },
    {
      when: [{ field: "tags", in: ["bad"] }],
      require: [
        { field: "a", in: ["x"] },
        { field: "c", in: ["ok"] },
      ],
      message: "tags",
    },
  ];
  test.each<readonly [string, Record<string, FieldValue>, readonly string[]]>([
    ["no condition holds", { a: "z", b: "1" }, []],
    ["one condition of two", { a: "x" }, []],
    ["all conditions, and what is required", { a: "y", b: 1, c: "ok" }, []],
    ["all conditions, and something else", { a: "x", b: 1, c: "no" }, ["c"]],
    ["what is required is absent", { a: "x", b: "1" }, ["c"]],
    ["one of a list is enough", { tags: ["fine", "bad"], a: "x", c: "ok" }, []],
    ["every requirement counts", { tags: ["bad"], a: "x", c: "no" }, ["tags"]],
    ["an empty list meets nothing", { tags: [] }, []],
  ])("%s", (_, values, expected) => {
    expect(brokenRules(rules, new Map(Object.entries(values)))).toEqual(expected);
  });
});

describe("media policy", () => {
  const problem = (kind: MediaProblem["kind"], ref = "a.png"): MediaProblem => ({
    ref,
    kind,
    message: "why",
  });
  test.each<readonly [readonly MediaProblem["kind"][], "invalid" | "review" | "text-only", string]>([
    [[], "invalid", "go-on"],
    [["missing"], "invalid", "invalid media-missing"],
    [["unreadable", "missing"], "invalid", "invalid media-unreadable media-missing"],
    [
      ["unsupported", "too-large", "refused"],
      "review",
      "review media-unreadable media-unreadable media-unreadable",
    ],
    [["missing"], "text-only", "go-on"],
    [["undescribed"], "invalid", "review media-undescribed"],
    [["undescribed", "undescribed"], "text-only", "review media-undescribed media-undescribed"],
    [["undescribed", "missing"], "invalid", "invalid media-undescribed media-missing"],
    [["undescribed", "missing"], "text-only", "review media-undescribed media-missing"],
  ])("%j under %s", (kinds, policy, expected) => {
    const verdict = judgeMedia(
      kinds.map((kind) => problem(kind)),
      policy,
    );
    expect(
      verdict.kind === "go-on"
        ? "go-on"
        : [verdict.outcome, ...verdict.reasons.map(({ code }) => code)].join(" "),
    ).toBe(expected);
  });

  test.each<readonly [readonly PictureFault[], "invalid" | "review" | "text-only", string]>([
    [["format-not-read"], "invalid", "review"],
    [["too-many-pixels", "too-slow"], "invalid", "review"],
    [["cut-off"], "invalid", "invalid"],
    [["format-not-read", "damaged"], "invalid", "invalid"],
    [["format-not-read"], "text-only", "go-on"],
    [["empty-file"], "review", "review"],
  ])("what only we cannot read is never the sender's fault: %j under %s", (faults, policy, expected) => {
    const problems = faults.map((fault) => ({
      ...problem(faultRules[fault].kind),
      fault: { name: fault, detail: "" },
    }));
    const verdict = judgeMedia(problems, policy);
    expect(verdict.kind === "end" ? verdict.outcome : verdict.kind).toBe(expected);
  });

  test("names the picture, within the length of a reason", () => {
    const verdict = judgeMedia([problem("missing", "长".repeat(2000))], "invalid");
    expect(verdict.kind === "end" && verdict.reasons[0]?.detail?.length).toBe(400);
  });
});

describe("doubts about a prompt", () => {
  const clean = { cuts: [], suspicions: [], fenceBroken: false };
  test("cuts of what decides, attacks and a broken fence count; hidden characters alone do not", () => {
    expect(promptDoubts(clean)).toEqual([]);
    expect(
      promptDoubts({ ...clean, suspicions: [{ kind: "hidden-characters", section: "sample" }] }),
    ).toEqual([]);
    expect(promptDoubts({ ...clean, fenceBroken: true }).map(({ code }) => code)).toEqual([
      "injection-suspected",
    ]);
    expect(promptDoubts({ ...clean, cuts: [{ section: "standard", droppedTokens: 12 }] })).toEqual([
      { code: "context-cut", detail: "standard: about 12 tokens" },
    ]);
  });
});

test("every reason has a Chinese and an English text, with field and detail", () => {
  for (const code of reasonCodes) {
    for (const language of languages)
      expect(reasonText({ code }, language)).toMatch(language === "zh" ? /[\u4e00-\u9fff]/ : /^[a-z ',]+$/i);
    expect(reasonText({ code, field: "ok", detail: "0.7" }, "zh")).toMatch(/（ok：0\.7）$/);
    expect(reasonText({ code, field: "ok", detail: "0.7" }, "en")).toMatch(/ \(ok: 0\.7\)$/);
  }
  const texts = languages.flatMap((language) => reasonCodes.map((code) => reasonText({ code }, language)));
  expect(new Set(texts).size).toBe(texts.length);
});

test.each([
  ["cut", "answer-cut"],
  ["refused", "answer-refused"],
  ["filtered", "answer-refused"],
  ["unreadable", "answer-unreadable"],
  ["ambiguous", "answer-ambiguous"],
] as const)("a completion that is %s is %s", (kind, code) => {
  expect(answerFaultOf(kind)).toBe(code);
});

test("the fingerprint changes with everything that voids a certificate, and with nothing else", () => {
  const template = templateSchema.parse({
    task: "t",
    version: 1,
    family: "f",
    title: { zh: "t", en: "t" },
    standard: "s",
    fields: [{ kind: "text", id: "x", title: "x" }],
  });
  const pin = { task: taskId("t"), version: 1, versionId: "v1" };
  const base = judgeFingerprint("m", pin, template);
  expect(base).toMatch(/^[0-9a-f]{16}$/);
  const changed = [
    judgeFingerprint("m2", pin, template),
    judgeFingerprint("m", { ...pin, versionId: "v2" }, template),
    judgeFingerprint("m", { ...pin, examplesVersionId: "e1" }, template),
    judgeFingerprint("m", pin, { ...template, judge: { ...template.judge, temperature: 1 } }),
  ];
  expect(new Set([base, ...changed]).size).toBe(5);
  expect(judgeFingerprint("m", { ...pin }, structuredClone(template))).toBe(base);
});

test("agreement is symmetric for any values", () => {
  const value = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.integer({ min: 0, max: 9 }),
    fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 4 }),
  );
  fc.assert(
    fc.property(
      value,
      value,
      (left, right) => sameValue(left, right) === sameValue(right, left) && sameValue(left, left),
    ),
  );
});
