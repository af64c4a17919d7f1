/** Rubrics in templates: defaults, and the mistakes an owner can make. */
import { templateSchema } from "@touchstone/core/schema/template";
import { describe, expect, test } from "vitest";

const one = { id: "a", text: "states A", kind: "positive", points: 3 };
const written = (part: object) => ({
  task: "memo",
  version: 1,
  family: "memo",
  title: { zh: "简报", en: "memo" },
  standard: "s",
  fields: [],
  rubric: [one],
  ...part,
});

test("what is left out has a default; an older criterion reads as before", () => {
  const older = { ...one, evidence: { required: true, source: "reference" } };
  expect(templateSchema.parse(written({ rubric: [older] }))).toMatchObject({
    rubric: [
      { check: "llm", dependsOn: [], notApplicable: false, evidence: { minSpans: 1, source: "reference" } },
    ],
    grading: { bands: [], vetoCap: 0, minCriteria: 35 },
  });
  const empty = { ...one, evidence: {} };
  expect(templateSchema.parse(written({ rubric: [empty] })).rubric[0]?.evidence).toEqual({
    required: true,
    minSpans: 1,
    source: "deliverable",
  });
});

describe("refused", () => {
  test.each([
    ["neither fields nor criteria", { rubric: [] }, "fields"],
    ["a criterion twice", { rubric: [one, one] }, "rubric"],
    ["nothing positive to measure by", { rubric: [{ ...one, kind: "negative", points: -1 }] }, "rubric"],
    [
      "a positive one that costs points",
      { rubric: [one, { ...one, id: "b", points: -1 }] },
      "rubric.1.points",
    ],
    ["a positive one without points", { rubric: [one, { ...one, id: "b", points: 0 }] }, "rubric.1.points"],
    [
      "a fault that earns points",
      { rubric: [one, { ...one, id: "b", kind: "negative" }] },
      "rubric.1.points",
    ],
    ["a veto that earns points", { rubric: [one, { ...one, id: "b", kind: "veto" }] }, "rubric.1.points"],
    ["a name that the grade has", { rubric: [{ ...one, id: "grade" }] }, "rubric.0.id"],
    ["a dependency on nothing", { rubric: [{ ...one, dependsOn: ["b"] }] }, "rubric.0.dependsOn"],
    ["a dependency on itself", { rubric: [{ ...one, dependsOn: ["a"] }] }, "rubric.0.dependsOn"],
    ["an exclusion of itself", { rubric: [{ ...one, mutex: ["a"] }] }, "rubric.0.mutex"],
    ["bands without a lowest one", { grading: { bands: [{ name: "A", min: 0.5 }] } }, "grading.bands"],
    [
      "two bands of one name",
      {
        grading: {
          bands: [
            { name: "A", min: 0 },
            { name: "A", min: 0.5 },
          ],
        },
      },
      "grading.bands",
    ],
    ["no room for the verdicts", { judge: { maxTokens: 100 } }, "judge.maxTokens"],
  ])("%s", (_, part, path) => {
    const parsed = templateSchema.safeParse(written(part));
    expect(parsed.error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  test("a circle of dependencies, at each of its criteria", () => {
    const circle = [
      { ...one, dependsOn: ["c"] },
      { ...one, id: "b", dependsOn: ["a"] },
      { ...one, id: "c", dependsOn: ["b"] },
      { ...one, id: "d", dependsOn: ["c"] },
    ];
    const parsed = templateSchema.safeParse(written({ rubric: circle }));
    expect(parsed.error?.issues.map((issue) => issue.path[1])).toEqual([0, 1, 2]);
  });

  test("a criterion that is named like a field", () => {
    const labels = [
      { code: "Y", name: "yes" },
      { code: "N", name: "no" },
    ];
    const fields = [{ kind: "label", id: "a", title: "a", labels }];
    expect(templateSchema.safeParse(written({ fields })).error?.issues[0]?.path).toEqual(["rubric", 0, "id"]);
    const graded = { fields: [{ ...fields[0], id: "grade" }], grading: { bands: [{ name: "A", min: 0 }] } };
    expect(templateSchema.safeParse(written(graded)).error?.issues[0]?.path).toEqual(["grading", "bands"]);
  });
});
