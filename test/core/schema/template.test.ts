/** Templates: defaults, and the mistakes an owner can make. */
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";

const labels = [
  { code: "Y", name: "yes" },
  { code: "N", name: "no" },
];
const written = {
  task: "shop",
  version: 1,
  family: "dialogue",
  title: { zh: "店", en: "shop" },
  standard: "回答切题即为好。",
  fields: [{ kind: "label", id: "ok", title: "ok", labels }],
};

test("what is left out has a default", () => {
  const template: Template = templateSchema.parse(written);
  expect(template).toMatchObject({
    match: [],
    rules: [],
    rubric: [],
    scorers: [],
    media: { whenUnreadable: "invalid", maxImages: 16, waitSeconds: 0 },
    memory: { examples: 12 },
    judge: { temperature: 0, contextTokens: 32_768, language: "zh" },
    decision: {
      alpha: 0.03,
      delta: 0.05,
      auditRate: 0.02,
      provisionalThreshold: 0.9,
      uncertified: "threshold",
    },
  });
  expect(template.fields[0]).toMatchObject({ required: true });
  expect(templateSchema.parse(template)).toEqual(template);
});

describe("refused", () => {
  test.each([
    ["a setting that does not exist", { judeg: {} }, ""],
    ["no fields", { fields: [] }, "fields"],
    ["a field twice", { fields: [...written.fields, ...written.fields] }, "fields"],
    [
      "one label",
      { fields: [{ kind: "label", id: "ok", title: "ok", labels: labels.slice(1) }] },
      "fields.0.labels",
    ],
    [
      "a Chinese code",
      { fields: [{ kind: "label", id: "ok", title: "ok", labels: [{ code: "好", name: "好" }, labels[1]] }] },
      "fields.0.labels.0.code",
    ],
    [
      "a scorer of a field nobody has",
      { scorers: [{ field: "no", kind: "exact-text", right: "Y", wrong: "N" }] },
      "scorers.0",
    ],
    [
      "a scorer with a label nobody has",
      { scorers: [{ field: "ok", kind: "exact-text", right: "Y", wrong: "X" }] },
      "scorers.0",
    ],
    [
      "a rule about a field nobody has",
      {
        rules: [{ when: [{ field: "no", in: ["Y"] }], require: [{ field: "ok", in: ["Y"] }], message: "m" }],
      },
      "rules.0",
    ],
    ["a threshold over 1", { decision: { provisionalThreshold: 1.1 } }, "decision.provisionalThreshold"],
    ["a task that is no name", { task: "Shop" }, "task"],
  ])("%s", (_, part, path) => {
    const parsed = templateSchema.safeParse({ ...written, ...part });
    expect(parsed.error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});
