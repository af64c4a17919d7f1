/** Routing: the sample's own task, then its path, then match rules; and what becomes of a row after that. */
import { entryMessage, taskOfRow } from "@touchstone/core/domain/intake/entry-message";
import { type Row, rowFromValue } from "@touchstone/core/domain/intake/read-row";
import { type KnownTemplate, routeSample, type TemplatesByTask } from "@touchstone/core/domain/intake/route";
import { queueSchemas } from "@touchstone/core/pipeline";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";
import { templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { batchRecord, sampleKey } from "../../contract/records.ts";

const known = (task: string, match: object[] = []): KnownTemplate => ({
  pin: { task: taskIdSchema.parse(task), version: 1, versionId: `${task}-v1` },
  template: templateSchema.parse({
    task,
    version: 1,
    family: "f",
    title: { zh: task, en: task },
    standard: "s",
    match,
    fields: [
      {
        kind: "label",
        id: "ok",
        title: "ok",
        labels: [
          { code: "Y", name: "yes" },
          { code: "N", name: "no" },
        ],
      },
    ],
  }),
});
const templates = (list: readonly KnownTemplate[], broken: Record<string, string> = {}): TemplatesByTask => ({
  known: new Map(list.map((one) => [one.pin.task, one])),
  broken: new Map(Object.entries(broken).map(([task, why]) => [taskIdSchema.parse(task), why])),
});
const sample = (part: object = {}): Sample => sampleSchema.parse({ id: "s-1", output: "答", ...part });
const all = templates(
  [
    known("dialogue"),
    known("poster", [{ meta: { kind: "poster", lang: "zh" } }, { pathPrefix: "mixed/posters/" }]),
    known("any-poster", [{ meta: { kind: "poster" } }]),
    known("empty-rule", [{}]),
  ],
  { broken: "line 3: no such field" },
);

describe("routeSample", () => {
  test.each([
    ["its own task wins over the path", sample({ task: "poster" }), "dialogue", "poster"],
    ["then the path", sample({ meta: { kind: "poster", lang: "zh" } }), "dialogue", "dialogue"],
    [
      "then the first rule in name order",
      sample({ meta: { kind: "poster", lang: "zh" } }),
      "mixed",
      "any-poster",
    ],
    ["a rule by path", sample(), "mixed", "poster"],
    [
      "no rule, an empty one takes nothing",
      sample({ meta: { kind: 1 } }),
      "elsewhere",
      '! no template for "elsewhere", and no match rule takes the sample',
    ],
    [
      "an own task that nobody has",
      sample({ task: "nobody" }),
      "dialogue",
      '! the sample names task "nobody", which has no template',
    ],
    [
      "an own task whose template is broken",
      sample({ task: "broken" }),
      "dialogue",
      "! line 3: no such field",
    ],
    [
      "a path whose template is broken goes to nobody else",
      sample({ meta: { kind: "poster" } }),
      "broken",
      "! line 3: no such field",
    ],
  ])("%s", (_, one, task, expected) => {
    const route = routeSample(one, { task, belowInbox: `${task}/posters/a.jsonl` }, all);
    expect(route.kind === "routed" ? route.known.template.task : `! ${route.detail}`).toBe(expected);
  });

  test("does not depend on the order in which templates were found", () => {
    const reversed = { known: new Map([...all.known].reverse()), broken: all.broken };
    for (const one of [sample(), sample({ meta: { kind: "poster" } }), sample({ task: "dialogue" })]) {
      const path = { task: "mixed", belowInbox: "mixed/posters/a.jsonl" };
      expect(routeSample(one, path, reversed)).toEqual(routeSample(one, path, all));
    }
  });
});

describe("taskOfRow", () => {
  const batch = batchRecord({
    task: "mixed",
    source: { bucket: "uploads", key: "inbox/mixed/b/a.jsonl", versionId: "v1" },
  });
  const row = (value: object): Row => rowFromValue({ id: "s-1", output: "答", ...value }, 1, 99);
  test.each([
    ["the task it is routed to", row({ meta: { kind: "poster" } }), "any-poster"],
    ["its own", row({ task: "dialogue" }), "dialogue"],
    ["its own, though no template has it", row({ task: "nobody" }), "nobody"],
    ["that of its path", row({}), "mixed"],
    ["that of its path, where it cannot be read", row({ output: 5 }), "mixed"],
    ["that of its path, where it is gone", undefined, "mixed"],
  ])("%s", (_, of, expected) => expect(taskOfRow(of, batch, all)).toBe(expected));
});

describe("entryMessage", () => {
  const context = { batch: batchRecord({ task: "dialogue" }), templates: all, now: 42 };
  const key = sampleKey(3, context.batch.batch);
  const enter = (value: unknown, payload: "inline" | "pointer" = "inline") => {
    const row: Row = rowFromValue(value, 9, 100);
    const travelling =
      row.kind === "bad"
        ? null
        : payload === "inline"
          ? { sample: row.sample }
          : { pointer: { bucket: "r", key: "staging/x" } };
    return entryMessage(row, key, travelling, context);
  };

  test("text goes to SCORE, a picture anywhere to DESCRIBE, with the pinned template", () => {
    const text = enter({ id: "a", output: "x" });
    expect(text).toMatchObject({
      hop: "score",
      message: { sampleId: "a", line: 9, template: { versionId: "dialogue-v1" }, gists: [], problems: [] },
    });
    expect(queueSchemas.score.safeParse(text.message).success).toBe(true);
    for (const value of [
      { id: "a", output: [{ type: "image", ref: "a.png" }] },
      { id: "a", output: "x", reference: [{ type: "video", ref: "a.mp4" }] },
      { id: "a", messages: [{ role: "user", content: [{ type: "image", ref: "a.png" }] }] },
      {
        id: "a",
        candidates: [
          { id: "1", output: [{ type: "image", ref: "a.png" }] },
          { id: "2", output: "" },
        ],
      },
      { id: "a", output: "x", deliverables: [{ name: "d", content: [{ type: "image", ref: "a.png" }] }] },
    ]) {
      const picture = enter(value);
      expect(picture).toMatchObject({ hop: "describe", message: { attempts: 0 } });
      expect(queueSchemas.describe.safeParse(picture.message).success).toBe(true);
    }
  });

  test("a bad line is invalid, by name of its field", () => {
    const entry = enter({ id: "a", output: 4 });
    expect(entry).toMatchObject({
      hop: "settle",
      message: {
        outcome: "invalid",
        sampleId: "a",
        review: null,
        record: { line: 9, decision: "invalid", reasons: [{ code: "bad-line", field: "output" }] },
      },
    });
    expect(queueSchemas.settle.safeParse(entry.message).success).toBe(true);
  });

  test("what no template takes goes to people, with all it says", () => {
    const entry = enter({ id: "a", output: "x", task: "nobody" }, "pointer");
    expect(entry).toMatchObject({
      hop: "settle",
      message: {
        outcome: "review",
        task: "nobody",
        review: {
          kind: "review",
          template: null,
          questions: [],
          payload: { pointer: {} },
          reasons: [{ code: "unrouted" }],
        },
      },
    });
    expect(queueSchemas.settle.safeParse(entry.message).success).toBe(true);
  });
});
