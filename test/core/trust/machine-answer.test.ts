/** Right or wrong as a whole: what a person's answers say of the machine's. */

import { assessRubric } from "@touchstone/core/domain/rubric/assess";
import { agreesWithMachine } from "@touchstone/core/domain/trust/machine-answer";
import type { FieldResult, Result } from "@touchstone/core/schema/result";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";
import { abc, rubricOf, said } from "../rubric/rubric-fixture.ts";

const labels = [
  { code: "Y", name: "yes" },
  { code: "N", name: "no" },
];
const template: Template = templateSchema.parse({
  ...{ task: "t", version: 1, family: "f", title: { zh: "t", en: "t" }, standard: "s" },
  fields: [
    { kind: "label", id: "ok", title: "ok", labels },
    { kind: "labels", id: "tags", title: "tags", labels, required: false },
    { kind: "text", id: "remark", title: "remark", required: false },
  ],
});
const field = (id: string, value: FieldResult["value"], part: Partial<FieldResult> = {}): FieldResult => ({
  ...{ id, value, confidence: { source: "logprob", raw: 0.9, calibrated: null } },
  ...part,
});

test.each<readonly [string, boolean | null, readonly FieldResult[], Record<string, string | string[]>]>([
  ["the same label", true, [field("ok", "Y")], { ok: "Y" }],
  ["another label", false, [field("ok", "Y")], { ok: "N" }],
  [
    "a list in another order",
    true,
    [field("ok", "Y"), field("tags", ["N", "Y"])],
    { ok: "Y", tags: ["Y", "N"] },
  ],
  ["one field of two", false, [field("ok", "Y"), field("tags", ["Y"])], { ok: "Y", tags: ["N"] }],
  [
    "an optional field that the machine left out",
    true,
    [field("ok", "Y"), field("tags", null)],
    { ok: "Y", tags: ["N"] },
  ],
  [
    "an open field by its likeliest label",
    true,
    [field("ok", null, { distribution: { Y: 0.4, N: 0.6 } })],
    { ok: "N" },
  ],
  ["an open field without one", false, [field("ok", null)], { ok: "N" }],
  ["a remark is no answer", null, [field("remark", "nice")], { remark: "not nice" }],
])("%s", (_, expected, fields, values) => {
  expect(agreesWithMachine(template, { fields: [...fields] }, { values })).toBe(expected);
});

describe("a rubric", () => {
  const rubric = rubricOf({ a: 5, b: 5, c: 0.1 });
  const graded = { fields: [], rubric, grading: abc };
  const assessed = (...verdicts: Parameters<typeof said>[]): NonNullable<Result["rubric"]> =>
    assessRubric(
      rubric,
      abc,
      verdicts.map((one) => said(...one)),
      0.9,
    );
  const machine = assessed(["a", "Y", 0.99], ["b", "Y", 0.5], ["c", "N", 0.99]);

  test("is right where its grade is, whoever is right about a point", () => {
    const person = assessed(["a", "Y", 1], ["b", "Y", 1], ["c", "Y", 1]);
    expect(agreesWithMachine(graded, { fields: [], rubric: machine }, { values: {}, rubric: person })).toBe(
      true,
    );
  });

  test("is wrong where its grade is, also while it was open", () => {
    const person = assessed(["a", "Y", 1], ["b", "N", 1], ["c", "N", 1]);
    expect(machine.grade).toBeNull();
    expect(agreesWithMachine(graded, { fields: [], rubric: machine }, { values: {}, rubric: person })).toBe(
      false,
    );
  });
});
