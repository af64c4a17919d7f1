/** Where a template is wrong, told by line and field. */
import { parseExamples } from "@touchstone/core/domain/template/parse-examples";
import { parseTemplate } from "@touchstone/core/domain/template/parse-template";
import { describe, expect, test } from "vitest";
import { templateYaml } from "../contract/records.ts";

const good = templateYaml("dialogue", 3);
const problemsOf = (yaml: string) => {
  const parsed = parseTemplate(yaml);
  return "problems" in parsed ? parsed.problems : [];
};

test("a good template parses, with its defaults", () => {
  const parsed = parseTemplate(good);
  expect(parsed).toMatchObject({ template: { task: "dialogue", version: 3, decision: { alpha: 0.03 } } });
});

describe("problems", () => {
  test.each<[string, string, number, string]>([
    ["a value that is not allowed", good.replace("kind: label", "kind: lable"), 8, "fields.0.kind"],
    ["a value of the wrong type", good.replace("version: 3", "version: three"), 2, "version"],
    ["a missing value, by its parent", good.replace("    title: Relevance\n", ""), 7, "fields.0.title"],
    ["a setting nobody knows", good.replace("family:", "famliy: x\nfamily:"), 3, "famliy"],
    ["a nested setting nobody knows", `${good}decision: { alfa: 0.1 }\n`, 13, "decision.alfa"],
    ["a bad label code", good.replace("code: B", "code: 乙"), 12, "fields.0.labels.1.code"],
    [
      "a rule over no field",
      `${good}rules:\n  - when: [{ field: nope, in: [A] }]\n    require: [{ field: relevance, in: [A] }]\n    message: m\n`,
      14,
      "rules.0",
    ],
  ])("%s", (_what, yaml, line, path) => {
    expect(problemsOf(yaml)).toContainEqual(expect.objectContaining({ line, path }));
  });

  test("all of them at once", () => {
    const yaml = good.replace("version: 3", "version: 0").replace("code: A", "code: '?'");
    expect(problemsOf(yaml).map(({ path }) => path)).toEqual(["version", "fields.0.labels.0.code"]);
  });

  test("YAML that cannot be read, by its line", () => {
    expect(problemsOf(good.replace("version: 3", "version: [3"))[0]).toMatchObject({ path: "" });
    expect(problemsOf("task: a\ntask: b\n")[0]).toMatchObject({ line: 2, path: "" });
    expect(problemsOf("")[0]).toMatchObject({ line: 1 });
    expect(problemsOf("- a\n- b\n")[0]).toMatchObject({ line: 1 });
  });

  test("aliases that would blow up", () => {
    const levels = Array.from({ length: 9 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n}, `.repeat(9)}]`);
    expect(problemsOf(`l0: &l0 [x]\n${levels.join("\n")}\n`)[0]?.message).toContain("aliases");
  });
});

describe("examples", () => {
  const line = JSON.stringify({ id: "1", output: "答", labels: { relevance: "A" } });
  test("one a line, blank lines and Windows line ends allowed", () => {
    const parsed = parseExamples(`${line}\r\n\n${line}\n`);
    expect("examples" in parsed && parsed.examples.map(({ labels }) => labels)).toEqual([
      { relevance: "A" },
      { relevance: "A" },
    ]);
  });
  test("every bad line is told", () => {
    expect(parseExamples(`${line}\n{]\n{"id":"2","output":"x"}\n{"id":"","output":"x"}`)).toEqual({
      problems: [
        { line: 2, path: "", message: expect.stringContaining("JSON") },
        { line: 3, path: "labels", message: expect.stringContaining("labels") },
        { line: 4, path: "id", message: expect.any(String) },
      ],
    });
  });
});
